package check

import (
	"terfyn/compiler/internal/complain"
	"terfyn/compiler/internal/scope"
	"terfyn/compiler/syntax"
	"terfyn/compiler/types"
)

// trigger checks the input a trigger starts runs with: it is constant, since
// nothing is in scope there, and it fits the parameters as the input document of a
// run does (language.md 14.1).
func (b *body) trigger(t *syntax.Trigger) {
	if t.Input == nil || !b.constant(t.Input) {
		return
	}
	w := b.workflow
	if len(w.Params) == 1 {
		for _, m := range types.Fit(b.expr(scope.Scope{}, t.Input, false, flow{}), b.quietType(&w.Params[0].Type)) {
			b.add(complain.BadArgument(placeOf(t.Input, m.Path), w.Name.Name, w.Params[0].Name.Name, m))
		}
		return
	}
	for _, field := range t.Input.Fields {
		b.secret(field.Key.Name, field.Value, false)
		p := paramOf(w, field.Key.Name)
		if p == nil {
			b.add(unknownParameter(field.Key, w))
			continue
		}
		for _, m := range types.Fit(b.expr(scope.Scope{}, field.Value, false, flow{}), b.quietType(&p.Type)) {
			b.add(complain.BadArgument(placeOf(field.Value, m.Path), w.Name.Name, p.Name.Name, m))
		}
	}
}

// constant reports references and calls in the input of a trigger.
func (b *body) constant(e syntax.Expr) bool {
	switch e := e.(type) {
	case *syntax.PathExpr, *syntax.CallExpr:
		b.add(triggerNotConstant(e.Span()))
		return false
	case *syntax.ObjectExpr:
		all := true
		for _, field := range e.Fields {
			all = b.constant(field.Value) && all
		}
		return all
	default:
		return true
	}
}
