package lower

import (
	"fmt"

	"terfyn/compiler/ir"
	"terfyn/compiler/resource"
	"terfyn/compiler/steps"
	"terfyn/compiler/syntax"
	"terfyn/internal/canon"
)

// workflow is the resource side of a workflow; package steps adds what follows
// from its program.
func workflow(w *syntax.WorkflowDecl, program ir.Program) resource.Workflow {
	return steps.Project(resource.Workflow{
		Name:           w.Name.Name,
		Description:    text(w.Description),
		Policy:         ident(w.Policy),
		Effects:        effects(w.Effects),
		EffectsBound:   w.Effects != nil,
		TimeoutSeconds: whole(w.TimeoutSeconds),
		WorkingTree:    w.WorkingTree != nil,
		Triggers:       triggers(w.Triggers),
	}, program)
}

func triggers(all []*syntax.Trigger) []resource.Trigger {
	var out []resource.Trigger
	for _, t := range all {
		n := resource.Trigger{
			Kind: t.Kind.String(), Cron: text(t.Cron), Timezone: text(t.Timezone), Overlap: ident(t.Overlap), Event: text(t.Event),
		}
		if t.Dedupe != nil {
			n.Dedupe = t.Dedupe.String()
		}
		if t.Input != nil {
			n.Input = constant(t.Input).JSON()
		}
		out = append(out, n)
	}
	return out
}

// constant is the value of an expression without references, which check demands
// of the input of a trigger. Its strings are plain text.
func constant(e syntax.Expr) canon.Value {
	switch e := e.(type) {
	case *syntax.StringExpr:
		return canon.String(e.Text.Value)
	case *syntax.NumberExpr:
		return number(e.Number).Value
	case *syntax.BoolExpr:
		return canon.Bool(e.Flag.Value)
	case *syntax.ObjectExpr:
		var fields []canon.Field
		for _, f := range e.Fields {
			fields = append(fields, canon.F(f.Key.Name, constant(f.Value)))
		}
		return canon.Object(fields...)
	default:
		panic(fmt.Sprintf("lower: a trigger's input was not checked: %T", e))
	}
}
