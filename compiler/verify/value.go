package verify

import (
	"terfyn/compiler/internal/complain"
	"terfyn/compiler/internal/scope"
	"terfyn/compiler/ir"
	"terfyn/compiler/types"
	"terfyn/internal/canon"
)

// expr checks a value and gives what is known of it.
func (b *body) expr(s scope.Scope, a at, e ir.Expr) types.Shape {
	switch e := e.(type) {
	case ir.Literal:
		return literal(e.Value)
	case ir.Ref:
		return types.ValueOf(b.ref(s, a, e.Path))
	case ir.Template:
		return types.ValueOf(b.template(s, a, e))
	case ir.Object:
		return b.object(s, a, e)
	case nil:
		b.add(malformed(a.span(), "a value is missing"))
	default:
		b.add(malformed(a.span(), "%T is no value of a program; values are of the types of package ir, not pointers to them", e))
	}
	return types.ValueOf(types.Untyped())
}

func (b *body) object(s scope.Scope, a at, o ir.Object) types.Shape {
	fields := make([]types.Field, len(o.Fields))
	seen := map[string]bool{}
	for i, f := range o.Fields {
		if seen[f.Name] {
			b.add(duplicateEntry(a.span(), "key", f.Name))
		}
		seen[f.Name] = true
		fields[i] = types.Field{Name: f.Name, Shape: b.expr(s, a, f.Expr)}
	}
	return types.ObjectOf(fields...)
}

// literal is the shape of a constant: its objects and lists are known, what stands
// in them is as untyped as a literal of the source.
func literal(v canon.Value) types.Shape {
	switch v.Kind() {
	case canon.KindObject:
		var fields []types.Field
		for _, f := range v.Fields() {
			fields = append(fields, types.Field{Name: f.Name, Shape: literal(f.Value)})
		}
		return types.ObjectOf(fields...)
	case canon.KindList:
		var items []types.Shape
		for _, item := range v.Items() {
			items = append(items, literal(item))
		}
		return types.ListOf(items...)
	default:
		return types.ValueOf(types.Literal())
	}
}

func typeOfShape(s types.Shape) types.Type {
	switch {
	case s.IsObject:
		return types.Basic(types.Object)
	case s.IsList:
		return types.Basic(types.Array)
	}
	return s.Type
}

// ref resolves a reference and walks its fields.
func (b *body) ref(s scope.Scope, a at, path []string) types.Type {
	if len(path) == 0 {
		b.add(malformed(a.span(), "a reference names nothing"))
		return types.Untyped()
	}
	found, ok := s[path[0]]
	if !ok {
		b.add(complain.UnresolvedReference(a.span(), path[0], s.Names()))
		return types.Untyped()
	}
	return b.walk(a, found.Type, path)
}

func (b *body) walk(a at, t types.Type, path []string) types.Type {
	for _, name := range path[1:] {
		var err error
		if t, err = types.Member(t, name); err != nil {
			b.add(undeclaredField(a.span(), path, err))
			return types.Untyped()
		}
	}
	return t
}

// template gives the type of a template: that of the value for a single reference,
// else string.
func (b *body) template(s scope.Scope, a at, t ir.Template) types.Type {
	result := types.Literal()
	for _, part := range t.Parts {
		if len(part.Ref) == 0 {
			continue
		}
		token := b.token(s, a, part.Ref)
		result = types.Basic(types.String)
		if len(t.Parts) == 1 {
			result = token
		}
	}
	return result
}

func (b *body) token(s scope.Scope, a at, path []string) types.Type {
	found, ok := s[path[0]]
	if !ok {
		b.add(complain.UnresolvedToken(a.span(), path[0], s.Names()))
		return types.Untyped()
	}
	for _, name := range path[1:] {
		if !isName(name) {
			b.add(complain.MalformedToken(a.span(), path))
			return types.Untyped()
		}
	}
	return b.walk(a, found.Type, path)
}

// cond checks the references of a condition; kinds are decided when it runs.
func (b *body) cond(s scope.Scope, a at, c ir.Cond) {
	switch c := c.(type) {
	case ir.Not:
		b.cond(s, a, c.Of)
	case ir.And:
		b.conds(s, a, c.Of)
	case ir.Or:
		b.conds(s, a, c.Of)
	case ir.Compare:
		b.compare(s, a, c)
	case ir.Test:
		b.operand(s, a, c.Expr)
	case nil:
		b.add(malformed(a.span(), "a condition is missing"))
	default:
		b.add(malformed(a.span(), "%T is no condition; conditions are of the types of package ir, not pointers to them", c))
	}
}

func (b *body) conds(s scope.Scope, a at, of []ir.Cond) {
	if len(of) == 0 {
		b.add(malformed(a.span(), "a condition joins nothing"))
	}
	for _, c := range of {
		b.cond(s, a, c)
	}
}

func (b *body) compare(s scope.Scope, a at, c ir.Compare) {
	switch c.Op {
	case ir.Eq, ir.Ne, ir.Lt, ir.Le, ir.Gt, ir.Ge:
	default:
		b.add(malformed(a.span(), "%q compares nothing; write one of == != < <= > >=", string(c.Op)))
	}
	b.cond(s, a, c.Left)
	b.cond(s, a, c.Right)
}

func (b *body) operand(s scope.Scope, a at, e ir.Expr) {
	switch e := e.(type) {
	case ir.Literal:
	case ir.Ref:
		b.ref(s, a, e.Path)
	default:
		b.add(malformed(a.span(), "an operand of a condition is a constant or a reference; bind the value to a name first"))
	}
}
