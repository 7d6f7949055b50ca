package export

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"terfyn/compiler/ir"
	"terfyn/compiler/syntax"
)

// line raises one statement. waiting are the calls that stand before it and whose
// results nothing but this statement may read; each is put back where it is read.
// The names they must have follow the rules of package lower: the parent and the
// index of the argument, ~2 and up when the name is taken.
type line struct {
	body
	site    string
	waiting []call
	used    map[string]bool
	returns int
}

// position is where a value stands in its statement.
type position struct {
	parent   string // what a call here is an argument of; "" = under return
	index    int
	indexed  bool // the fields of the next object count as arguments do
	template bool // strings are templates
}

func (l *line) stuck(format string, args ...any) error {
	return &stuckError{"program, " + l.site, fmt.Sprintf(format, args...)}
}

// call writes a call. Its arguments are named after the key they are sent under,
// except for a whole document, which is positional.
func (l *line) call(c call, parent string) (*syntax.CallExpr, error) {
	out := &syntax.CallExpr{}
	for _, part := range strings.Split(c.callee, ".") {
		if !isName(part) {
			return nil, l.stuck("%q is not a callee of the language", c.callee)
		}
		out.Callee.Parts = append(out.Callee.Parts, syntax.Ident{Name: part})
	}
	if c.whole && len(c.args) != 1 {
		return nil, l.stuck("the call of %s passes a whole document in %d arguments instead of one", c.callee, len(c.args))
	}
	for i, a := range c.args {
		value, err := l.value(a.Expr, position{parent: parent, index: i, template: true})
		if err != nil {
			return nil, err
		}
		arg := &syntax.Arg{Value: value}
		if !c.whole {
			if !isName(a.Name) {
				return nil, l.stuck("the argument %q of %s is not a name of the language", a.Name, c.callee)
			}
			arg.Name = &syntax.Ident{Name: a.Name}
		}
		out.Args = append(out.Args, arg)
	}
	return out, nil
}

// let writes the right side of an assignment that calls nothing itself.
func (l *line) let(n ir.Let) (syntax.Expr, error) {
	if err := l.bindable(n.Name); err != nil {
		return nil, err
	}
	if ref, ok := n.Expr.(ir.Ref); ok && len(ref.Path) == 1 && l.bound[ref.Path[0]] && !l.kept[ref.Path[0]] {
		return nil, &keepError{ref.Path[0], l.site} // a call here would be bound to n.Name
	}
	return l.value(n.Expr, position{parent: n.Name, indexed: true})
}

func (l *line) value(e ir.Expr, at position) (syntax.Expr, error) {
	switch e := e.(type) {
	case ir.Ref:
		if len(e.Path) == 1 && l.bound[e.Path[0]] && !l.kept[e.Path[0]] {
			return l.inline(e.Path[0], at)
		}
		path, err := l.path(e.Path)
		return &syntax.PathExpr{Path: path}, err
	case ir.Object:
		fields, err := l.fields(e.Fields, at)
		return &syntax.ObjectExpr{Fields: fields}, err
	case ir.Literal:
		v, reason := literal(e.Value)
		if reason != "" {
			return nil, l.stuck("a value: %s", reason)
		}
		if s, ok := v.(*syntax.StringExpr); ok && at.template && hasToken(s.Text.Value) {
			return nil, l.stuck("the text %q would be read as a template here and there is no escape for it", s.Text.Value)
		}
		return v, nil
	case ir.Template:
		return l.template(e, at)
	default:
		return nil, l.stuck("a value of the kind %T has no form in the language", e)
	}
}

func (l *line) fields(args []ir.Arg, at position) ([]*syntax.ObjectField, error) {
	var out []*syntax.ObjectField
	for i, a := range args {
		inner := at
		if at.indexed {
			inner.index, inner.indexed = i, false
		}
		value, err := l.value(a.Expr, inner)
		if err != nil {
			return nil, err
		}
		if !isName(a.Name) {
			return nil, l.stuck("the key %q is not a name of the language", a.Name)
		}
		out = append(out, &syntax.ObjectField{Key: syntax.Ident{Name: a.Name}, Value: value})
	}
	return out, nil
}

// inline puts the waiting call that binds name here. Names are given before the
// arguments are lowered, nodes come after them: both orders have to agree.
func (l *line) inline(name string, at position) (syntax.Expr, error) {
	if l.find(name) < 0 {
		return nil, &keepError{name, l.site}
	}
	if expected := l.temporary(at); expected != name {
		if base := untaken(name); base != name && l.bound[base] && !l.kept[base] {
			return nil, &keepError{base, l.site} // name was chosen to keep clear of it
		}
		return nil, &keepError{name, l.site}
	}
	i := l.find(name)
	expr, err := l.call(l.waiting[i], name)
	if err != nil {
		return nil, err
	}
	if i = l.find(name); i > 0 { // what stands before it is read later, or not at all
		return nil, &keepError{l.waiting[i-1].bind, l.site}
	}
	l.waiting = l.waiting[1:]
	return expr, nil
}

// find gives the place of the waiting call that binds name, -1 when there is none.
func (l *line) find(name string) int {
	return slices.IndexFunc(l.waiting, func(c call) bool { return c.bind == name })
}

// temporary is the name lowering gives to a call at a position.
func (l *line) temporary(at position) string {
	base := at.parent + "_arg" + strconv.Itoa(at.index)
	if at.parent == "" {
		base = "_t" + strconv.Itoa(l.returns)
		l.returns++
	}
	name := base
	for n := 2; l.names[name] || l.used[name]; n++ {
		name = base + "~" + strconv.Itoa(n)
	}
	l.used[name] = true
	return name
}

func (l *line) path(parts []string) (syntax.Path, error) {
	var out syntax.Path
	for i, part := range parts {
		if !isName(part) || i == 0 && !isBindable(part) {
			return out, l.stuck("the reference %q cannot be written: %q is not a name of the language", strings.Join(parts, "."), part)
		}
		out.Parts = append(out.Parts, syntax.Ident{Name: part})
	}
	if len(parts) == 0 || !l.bound[parts[0]] {
		return out, l.stuck("the reference %q is to no parameter and no binding; data about steps cannot be referred to", strings.Join(parts, "."))
	}
	return out, nil
}

// template writes a text with references. The text is read again, since what looks
// like a token in it would become one.
func (l *line) template(t ir.Template, at position) (syntax.Expr, error) {
	if !at.template {
		return nil, l.stuck("the right side of an assignment is plain text in the language and no template")
	}
	var b strings.Builder
	for _, p := range t.Parts {
		if len(p.Ref) == 0 {
			b.WriteString(p.Text)
			continue
		}
		if _, err := l.path(p.Ref); err != nil {
			return nil, err
		}
		b.WriteString("${" + strings.Join(p.Ref, ".") + "}")
	}
	value := b.String()
	same := len(t.Parts) > 0
	parts := syntax.ParseTemplate(value)
	for i, p := range parts {
		same = same && i < len(t.Parts) && p.Literal == t.Parts[i].Text && strings.Join(p.Path, ".") == strings.Join(t.Parts[i].Ref, ".")
	}
	if !same || len(parts) != len(t.Parts) || !hasToken(value) {
		return nil, l.stuck("the template %q does not read back as the same parts", value)
	}
	return &syntax.StringExpr{Text: syntax.Text{Value: value}}, nil
}

func hasToken(s string) bool {
	for _, p := range syntax.ParseTemplate(s) {
		if p.Ref {
			return true
		}
	}
	return false
}
