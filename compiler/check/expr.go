package check

import (
	"strings"

	"terfyn/compiler/internal/complain"
	"terfyn/compiler/internal/scope"
	"terfyn/compiler/source"
	"terfyn/compiler/syntax"
	"terfyn/compiler/types"
	"terfyn/internal/canon"
)

// expr checks a value and gives what is known of it. template says whether
// strings are templates here.
func (b *body) expr(s scope.Scope, e syntax.Expr, template bool, f flow) types.Shape {
	switch e := e.(type) {
	case *syntax.PathExpr:
		return types.ValueOf(b.path(s, e.Path))
	case *syntax.CallExpr:
		return types.ValueOf(b.call(s, e, f))
	case *syntax.StringExpr:
		if template {
			return types.ValueOf(b.template(s, e.Text))
		}
	case *syntax.NumberExpr:
		b.number(e.Number)
	case *syntax.ObjectExpr:
		fields := make([]types.Field, len(e.Fields))
		for i, field := range e.Fields {
			b.secret(field.Key.Name, field.Value, template)
			fields[i] = types.Field{Name: field.Key.Name, Shape: b.expr(s, field.Value, template, f)}
		}
		return types.ObjectOf(fields...)
	case *syntax.BoolExpr:
	}
	return types.ValueOf(types.Literal())
}

// number checks that a literal is a number of the value model.
func (b *body) number(n syntax.Number) {
	if _, err := canon.Number(n.Spelling); err != nil {
		b.add(numberOutOfRange(n.At, "the literal", n.Spelling, "within the range of a double"))
	}
}

func typeOfShape(s types.Shape) types.Type {
	if s.IsObject {
		return types.Basic(types.Object)
	}
	return s.Type
}

// path resolves a reference and walks its fields.
func (b *body) path(s scope.Scope, p syntax.Path) types.Type {
	head := p.Head()
	bound, ok := s[head.Name]
	if !ok {
		b.add(unresolvedReference(head, s.Names()))
		return types.Untyped()
	}
	t := bound.Type
	for _, part := range p.Parts[1:] {
		var err error
		if t, err = types.Member(t, part.Name); err != nil {
			b.add(undeclaredField(part.At, p.String(), err))
			return types.Untyped()
		}
	}
	return t
}

// template checks the tokens of a string in template position and gives the type
// of its value.
func (b *body) template(s scope.Scope, text syntax.Text) types.Type {
	parts := syntax.ParseTemplate(text.Value)
	if n := len(parts); n > 0 && !parts[n-1].Ref && strings.Contains(parts[n-1].Literal, "${") {
		b.add(unclosedToken(text.At))
	}
	result := types.Literal()
	for _, part := range parts {
		if part.Ref {
			t := b.token(s, text.At, part.Path)
			result = types.Basic(types.String)
			if len(parts) == 1 {
				result = t
			}
		}
	}
	return result
}

func (b *body) token(s scope.Scope, at source.Span, path []string) types.Type {
	bound, ok := s[path[0]]
	if !ok {
		b.add(complain.UnresolvedToken(at, path[0], s.Names()))
		return types.Untyped()
	}
	t := bound.Type
	for _, name := range path[1:] {
		if !isName(name) {
			b.add(complain.MalformedToken(at, path))
			return types.Untyped()
		}
		var err error
		if t, err = types.Member(t, name); err != nil {
			b.add(undeclaredField(at, dotted(path), err))
			return types.Untyped()
		}
	}
	return t
}

// isName reports whether s is spelled as an identifier.
func isName(s string) bool {
	for i := range len(s) {
		letter := s[i] == '_' || s[i] >= 'a' && s[i] <= 'z' || s[i] >= 'A' && s[i] <= 'Z'
		rest := i > 0 && (s[i] == '-' || s[i] >= '0' && s[i] <= '9')
		if !letter && !rest {
			return false
		}
	}
	return s != ""
}

// cond checks the references of a condition; its strings are plain text and its
// kinds are decided when it runs.
func (b *body) cond(s scope.Scope, c syntax.Cond) {
	switch c := c.(type) {
	case *syntax.OrCond:
		for _, t := range c.Terms {
			b.cond(s, t)
		}
	case *syntax.AndCond:
		for _, t := range c.Terms {
			b.cond(s, t)
		}
	case *syntax.CompareCond:
		b.cond(s, c.Left)
		b.cond(s, c.Right)
	case *syntax.NotCond:
		b.cond(s, c.X)
	case *syntax.PathCond:
		b.path(s, c.Path)
	case *syntax.NumberCond:
		b.number(c.Number)
	case *syntax.StringCond, *syntax.BoolCond:
	}
}

// placeOf finds the place a mismatch speaks of: a field of an object literal as
// deep as the source goes.
func placeOf(e syntax.Expr, path []string) source.Span {
	at := e.Span()
	for _, name := range path {
		o, ok := e.(*syntax.ObjectExpr)
		if !ok {
			return at
		}
		field := fieldOf(o, name)
		if field == nil {
			return at
		}
		at, e = field.Span(), field.Value
	}
	return at
}

func fieldOf(o *syntax.ObjectExpr, name string) *syntax.ObjectField {
	for _, f := range o.Fields {
		if f.Key.Name == name {
			return f
		}
	}
	return nil
}
