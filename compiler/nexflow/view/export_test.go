package view

import "terfyn/compiler/nexflow/refs"

// StepOrders is the number of distinct orders between steps.
func StepOrders(g Graph) int {
	seen := map[[2]int]bool{}
	for _, o := range g.orders(refs.WorkflowStep) {
		seen[[2]int{o.before, o.after}] = true
	}
	return len(seen)
}
