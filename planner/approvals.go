package planner

import (
	"cmp"
	"slices"
	"strings"

	"terfyn/planner/authority"
	"terfyn/policy"
)

// statement is the capability and source of an approval the workflow itself asks for.
const (
	statementCapability = "workflow.approval"
	statementSource     = "approval_statement"
)

// approvals lists what will wait for a person: the reachable operations, as the
// policy itself decides it in each context, and the approval statements of workflows.
func approvals(v authority.View) []Approval {
	out := []Approval{}
	for _, w := range v.Bounds.Workflows {
		for _, c := range v.Calls[w.Name] {
			if c.Answer.Verdict != policy.RequireApproval {
				continue
			}
			row := Approval{
				Capability: c.Capability, Workflow: w.Name, Agent: c.Agent,
				Source: string(sourceOf(c.Answer)), Rule: c.Answer.Rule(),
			}
			if !slices.Contains(out[same(out, row):], row) {
				out = append(out, row)
			}
		}
	}
	for _, w := range v.Graph.Workflows {
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

// same is where the rows begin that name the operation and workflow of row; they
// are next to one another at the end.
func same(rows []Approval, row Approval) int {
	i := len(rows)
	for i > 0 && rows[i-1].Capability == row.Capability && rows[i-1].Workflow == row.Workflow {
		i--
	}
	return i
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
