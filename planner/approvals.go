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

// statement is the capability and source of an approval the workflow itself asks for.
const (
	statementCapability = "workflow.approval"
	statementSource     = "approval_statement"
)

// approvals lists what will wait for a person: the reachable operations, as the
// policy itself decides it, and the approval statements of workflows.
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
	for _, w := range g.Workflows {
		for _, s := range w.Steps {
			if s.Kind == "approval" {
				out = append(out, Approval{Capability: statementCapability, Workflow: w.Name, Source: statementSource, Rule: "the workflow asks at " + s.ID})
			}
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
