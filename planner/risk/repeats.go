package risk

import (
	"math/big"

	"terfyn/compiler/resource"
	"terfyn/internal/ordered"
	"terfyn/planner/loops"
)

// Repeats are the calls inside of loops, on both sides.
type Repeats struct {
	// Workflows are those whose programs are known on both sides; the calls of
	// others are not compared.
	Workflows     map[string]bool
	Before, After []loops.Call
}

// repeated reports what a loop may now do more often in one run.
func (a *assessment) repeated() {
	was, is := loops.Totals(a.Repeats.Before), loops.Totals(a.Repeats.After)
	callees := map[string]map[string]*big.Int{}
	for _, c := range a.Repeats.After {
		if a.Repeats.Workflows[c.Workflow] {
			if callees[c.Workflow] == nil {
				callees[c.Workflow] = map[string]*big.Int{}
			}
			callees[c.Workflow][c.Callee] = is[loops.Key{Workflow: c.Workflow, Callee: c.Callee}]
		}
	}
	for _, workflow := range ordered.Keys(callees) {
		target := id(resource.KindWorkflow, workflow)
		for _, callee := range ordered.Keys(callees[workflow]) {
			now, old := callees[workflow][callee], was[loops.Key{Workflow: workflow, Callee: callee}]
			switch {
			case old == nil:
				a.add(BudgetRelaxation, Medium, target, "Loops of %s may run %s at most %s times in one run; no loop did.", target, callee, now)
			case now.Cmp(old) > 0:
				a.add(BudgetRelaxation, Medium, target, "Loops of %s may run %s at most %s times in one run instead of %s.", target, callee, now, old)
			}
		}
	}
}
