package verify

import (
	"terfyn/compiler/internal/complain"
	"terfyn/compiler/ir"
	"terfyn/compiler/resource"
	"terfyn/compiler/types"
	"terfyn/internal/canon"
)

// trigger checks that the input a trigger starts runs with fits the parameters as
// the input document of a run does (language.md 14.1). What is no JSON is left to
// whoever reads it.
func (v *verifier) trigger(t resource.Trigger, p ir.Program) {
	input, err := canon.Parse([]byte(t.Input))
	if t.Input == "" || err != nil {
		return
	}
	at := workflowPlace(p.Workflow)
	if input.Kind() != canon.KindObject {
		v.add(malformed(at, "the input of a trigger of workflow %s is an object", p.Workflow))
		return
	}
	if len(p.Params) == 1 {
		v.fits(input, p, p.Params[0])
		return
	}
	for _, field := range input.Fields() {
		prm, ok := paramOf(p, field.Name)
		if !ok {
			v.add(unknownParameter(at, field.Name, p))
			continue
		}
		v.fits(field.Value, p, prm)
	}
}

func (v *verifier) fits(value canon.Value, p ir.Program, prm ir.Param) {
	for _, m := range types.Fit(literal(value), v.typeAt(prm.Schema)) {
		v.add(complain.BadArgument(workflowPlace(p.Workflow), p.Workflow, prm.Name, m))
	}
}
