package export

import (
	"errors"

	"terfyn/compiler/ir"
	"terfyn/compiler/resource"
	"terfyn/compiler/syntax"
	"terfyn/internal/canon"
)

// workflow writes a workflow from its resource and its program; untyped is a type
// name without a schema.
func (w writer) workflow(r resource.Workflow, p ir.Program, untyped string) *syntax.WorkflowDecl {
	out := &syntax.WorkflowDecl{
		Name:           w.ident("name", r.Name),
		Result:         w.typeName("result", p.Result),
		Description:    text(r.Description),
		Policy:         w.word("policy", r.Policy),
		Effects:        w.effects("effects", r.Effects, r.EffectsBound),
		TimeoutSeconds: whole(r.TimeoutSeconds),
		WorkingTree:    exclusive(r.WorkingTree),
	}
	for _, prm := range p.Params {
		typed := syntax.Ident{Name: untyped}
		if prm.Schema != "" {
			typed = *w.typeName("params."+prm.Name, prm.Schema)
		}
		if !isBindable(prm.Name) {
			w.refuse("params."+prm.Name, "a parameter cannot be called %q in the language", prm.Name)
		}
		out.Params = append(out.Params, syntax.Param{Name: syntax.Ident{Name: prm.Name}, Type: typed})
	}
	for _, t := range r.Triggers {
		out.Triggers = append(out.Triggers, w.trigger(t))
	}
	out.Body = w.body(p)
	return out
}

func (w writer) body(p ir.Program) *syntax.Block {
	if p.Envelope != enveloped(p.Body) {
		w.refuse("program.envelope", "it does not follow from the returns, which is the only way the language says it")
		return &syntax.Block{}
	}
	stmts, err := raiseBody(p)
	var stuck *stuckError
	if errors.As(err, &stuck) {
		w.refuse(stuck.field, "%s", stuck.reason)
	}
	return &syntax.Block{Stmts: stmts}
}

// enveloped reports whether a return is something else than an object literal.
func enveloped(nodes []ir.Node) bool {
	for _, n := range nodes {
		if r, ok := n.(ir.Return); ok {
			if _, object := r.Expr.(ir.Object); !object {
				return true
			}
		}
		for _, b := range ir.Blocks(n) {
			if enveloped(b.Nodes) {
				return true
			}
		}
	}
	return false
}

func (w writer) trigger(t resource.Trigger) *syntax.Trigger {
	field := "triggers." + t.Kind
	out := &syntax.Trigger{
		Kind: syntax.ScheduleTrigger, Cron: text(t.Cron), Timezone: text(t.Timezone), Overlap: w.word(field+".overlap", t.Overlap),
		Dedupe: w.optionalPath(field+".dedupe", t.Dedupe),
	}
	switch t.Kind {
	case "schedule":
	case "event":
		out.Kind, out.Event = syntax.EventTrigger, &syntax.Text{Value: t.Event}
	default:
		w.refuse(field, "%q is no kind of trigger; the language has schedule and event", t.Kind)
	}
	if t.Input == "" {
		return out
	}
	v, err := canon.Parse([]byte(t.Input))
	if err != nil || v.Kind() != canon.KindObject {
		w.refuse(field+".input", "it is no JSON object")
		return out
	}
	out.Input, _ = w.constant(field+".input", v).(*syntax.ObjectExpr)
	return out
}

// constant writes a value without references; its strings are plain text.
func (w writer) constant(field string, v canon.Value) syntax.Expr {
	if v.Kind() != canon.KindObject {
		e, reason := literal(v)
		if reason != "" {
			w.refuse(field, "%s", reason)
		}
		return e
	}
	out := &syntax.ObjectExpr{}
	for _, f := range v.Fields() {
		out.Fields = append(out.Fields, &syntax.ObjectField{Key: w.ident(field, f.Name), Value: w.constant(field+"."+f.Name, f.Value)})
	}
	return out
}

// literal writes a scalar, or gives the reason why the language has no spelling.
func literal(v canon.Value) (syntax.Expr, string) {
	switch v.Kind() {
	case canon.KindString:
		s, _ := v.AsString()
		return &syntax.StringExpr{Text: syntax.Text{Value: s}}, ""
	case canon.KindNumber:
		spelling, _ := v.NumberText()
		return &syntax.NumberExpr{Number: syntax.Number{Spelling: spelling}}, ""
	case canon.KindBool:
		b, _ := v.AsBool()
		return &syntax.BoolExpr{Flag: syntax.Flag{Value: b}}, ""
	case canon.KindObject:
		return &syntax.ObjectExpr{}, "the language has no constant objects, only objects made of expressions"
	case canon.KindList:
		return &syntax.ObjectExpr{}, "the language has no array literals; pass the array in through the input"
	default:
		return &syntax.ObjectExpr{}, "the language has no null literal; leave the field out, a missing field reads as null"
	}
}
