package interp

import (
	"fmt"
	"strings"

	"terfyn/compiler/ir"
	"terfyn/internal/canon"
	"terfyn/workflows/contract"
)

// scope holds the bindings of one program. It is only looked up by name, never
// ranged over.
type scope map[string]canon.Value

// fault is the fault of an evaluation, at a call site.
func fault(site, format string, args ...any) error {
	return &contract.Fault{Type: contract.FaultEvaluation, Message: site + ": " + fmt.Sprintf(format, args...)}
}

// eval computes an expression. The checker has made sure of every head; a missing
// field is null (language.md 13.1).
func (s scope) eval(site string, e ir.Expr) (canon.Value, error) {
	switch e := e.(type) {
	case ir.Literal:
		return e.Value, nil
	case ir.Ref:
		return s.ref(site, e.Path)
	case ir.Object:
		return s.object(site, e.Fields)
	case ir.Template:
		return s.template(site, e.Parts)
	}
	return canon.Value{}, fault(site, "this interpreter does not know expression %T", e)
}

func (s scope) ref(site string, path []string) (canon.Value, error) {
	if len(path) == 0 {
		return canon.Value{}, fault(site, "a reference names nothing")
	}
	head, ok := s[path[0]]
	if !ok {
		return canon.Value{}, fault(site, "%q is not bound", path[0])
	}
	return head.At(path[1:]...), nil
}

func (s scope) object(site string, args []ir.Arg) (canon.Value, error) {
	fields := make([]canon.Field, 0, len(args))
	for _, a := range args {
		v, err := s.eval(site, a.Expr)
		if err != nil {
			return canon.Value{}, err
		}
		fields = append(fields, canon.F(a.Name, v))
	}
	return canon.Object(fields...), nil
}

// template yields the referenced value with its type when it is exactly one
// reference, else text.
func (s scope) template(site string, parts []ir.Part) (canon.Value, error) {
	if len(parts) == 1 && len(parts[0].Ref) > 0 {
		return s.ref(site, parts[0].Ref)
	}
	var b strings.Builder
	for _, p := range parts {
		if len(p.Ref) == 0 {
			b.WriteString(p.Text)
			continue
		}
		v, err := s.ref(site, p.Ref)
		if err != nil {
			return canon.Value{}, err
		}
		b.WriteString(v.Text())
	}
	return canon.String(b.String()), nil
}

// test evaluates a condition to a boolean. Null counts as false; any other kind
// is a fault (language.md section 6).
func (s scope) test(site string, c ir.Cond) (bool, error) {
	v, err := s.cond(site, c)
	if err != nil {
		return false, err
	}
	if v.IsNull() {
		return false, nil
	}
	b, ok := v.AsBool()
	if !ok {
		return false, fault(site, "a condition is a boolean, got %s %s", article(v), clip(v))
	}
	return b, nil
}

func (s scope) cond(site string, c ir.Cond) (canon.Value, error) {
	switch c := c.(type) {
	case ir.Test:
		return s.eval(site, c.Expr)
	case ir.Not:
		b, err := s.test(site, c.Of)
		return canon.Bool(!b), err
	case ir.And:
		return s.chain(site, c.Of, false)
	case ir.Or:
		return s.chain(site, c.Of, true)
	case ir.Compare:
		return s.compare(site, c)
	}
	return canon.Value{}, fault(site, "this interpreter does not know condition %T", c)
}

// chain evaluates conditions until one equals stop.
func (s scope) chain(site string, of []ir.Cond, stop bool) (canon.Value, error) {
	for _, c := range of {
		b, err := s.test(site, c)
		if err != nil {
			return canon.Value{}, err
		}
		if b == stop {
			return canon.Bool(stop), nil
		}
	}
	return canon.Bool(!stop), nil
}

func (s scope) compare(site string, c ir.Compare) (canon.Value, error) {
	l, err := s.cond(site, c.Left)
	if err != nil {
		return canon.Value{}, err
	}
	r, err := s.cond(site, c.Right)
	if err != nil {
		return canon.Value{}, err
	}
	switch c.Op {
	case ir.Eq:
		return canon.Bool(canon.Equal(l, r)), nil
	case ir.Ne:
		return canon.Bool(!canon.Equal(l, r)), nil
	}
	order, ok := canon.Compare(l, r)
	if !ok {
		return canon.Value{}, fault(site, "%s compares numbers, got %s and %s", c.Op, article(l), article(r))
	}
	switch c.Op {
	case ir.Lt:
		return canon.Bool(order < 0), nil
	case ir.Le:
		return canon.Bool(order <= 0), nil
	case ir.Gt:
		return canon.Bool(order > 0), nil
	case ir.Ge:
		return canon.Bool(order >= 0), nil
	}
	return canon.Value{}, fault(site, "this interpreter does not know operator %q", string(c.Op))
}

func article(v canon.Value) string {
	switch v.Kind() {
	case canon.KindList, canon.KindObject:
		return "an " + v.Kind().String()
	case canon.KindNull:
		return "null"
	}
	return "a " + v.Kind().String()
}

// clip shows a value in a message without letting it fill the page.
func clip(v canon.Value) string {
	s := v.JSON()
	if len(s) > 60 {
		return strings.ToValidUTF8(s[:60], "") + "…"
	}
	return s
}
