package planner

import (
	"cmp"
	"slices"
	"strings"

	"terfyn/compiler/effects"
	"terfyn/compiler/resource"
	"terfyn/planner/risk"
	"terfyn/policy"
)

// approvals lists the reachable operations that will wait for a person, as the
// policy itself decides it.
func approvals(g resource.Graph, bounds effects.Bounds) []Approval {
	out := []Approval{}
	for _, w := range bounds.Workflows {
		for _, o := range w.Operations {
			answer := risk.Judge(&g, w.Name, o)
			if answer.Verdict != policy.RequireApproval {
				continue
			}
			out = append(out, Approval{
				Capability: o.Capability, Workflow: w.Name, Agent: risk.CallOf(w.Name, o).Agent,
				Source: string(sourceOf(answer)), Rule: answer.Rule(),
			})
		}
	}
	slices.SortStableFunc(out, func(a, b Approval) int {
		return cmp.Or(strings.Compare(a.Capability, b.Capability), strings.Compare(a.Workflow, b.Workflow))
	})
	return out
}

// sourceOf is the source of the rule that Answer.Rule names.
func sourceOf(a policy.Answer) policy.Source {
	for _, r := range a.Reasons {
		if r.Verdict == a.Verdict {
			return r.Source
		}
	}
	return policy.FailClosedDefault
}
