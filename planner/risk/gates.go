package risk

import (
	"fmt"
	"slices"
	"strings"

	"terfyn/compiler/effects"
	"terfyn/compiler/resource"
	"terfyn/policy"
)

// gates asks the policy itself about every operation a workflow could reach
// before and can reach now, and reports those that no longer stop for a person,
// whatever combination of fields brought that about.
func (a *assessment) gates() {
	reported := a.reportedRemovals()
	for _, now := range a.AfterBounds.Workflows {
		old, ok := a.BeforeBounds.Workflow(now.Name)
		if !ok {
			continue
		}
		for _, o := range now.Operations {
			was, known := old.Operation(o.Capability)
			if known && !reported(o.Capability) {
				a.gate(now.Name, was, o)
			}
		}
	}
}

func (a *assessment) gate(workflow string, before, after effects.Operation) {
	was, is := Judge(&a.Before, workflow, before), Judge(&a.After, workflow, after)
	if was.Verdict != policy.RequireApproval || is.Verdict != policy.Allow {
		return
	}
	target := id(resource.KindWorkflow, workflow)
	a.items = append(a.items, Item{
		Category: ApprovalRemoval, Severity: High, Target: target, Witness: after.Witness,
		Reason: fmt.Sprintf("%s no longer stops for approval in %s (before: %s).", after.Capability, target, was.Rule()),
	})
}

// Judge is the answer of policy to an operation that workflow reaches by the
// operation's witness: that of the workflow and of each nested one on the path,
// the strictest wins. Arguments are not known, so a rule that looks at them
// shows its strict side.
func Judge(g *resource.Graph, workflow string, o effects.Operation) policy.Answer {
	call := CallOf(workflow, o)
	answer := policy.Evaluate(g, call)
	for _, hop := range o.Witness {
		if hop.Kind == effects.HopWorkflow && hop.Name != workflow {
			call.Workflow = hop.Name
			answer = policy.Stricter(answer, policy.Evaluate(g, call))
		}
	}
	return answer
}

// CallOf is the call a bound's operation stands for: made by the agent its
// witness ends at, or written in a workflow.
func CallOf(workflow string, o effects.Operation) policy.Call {
	tool, operation, _ := resource.SplitCapability(o.Capability)
	c := policy.Call{Workflow: workflow, Tool: tool, Operation: operation}
	if n := len(o.Witness); n >= 2 && o.Witness[n-2].Kind == effects.HopAgent {
		c.Agent = o.Witness[n-2].Name
	}
	return c
}

// reportedRemovals tells which capabilities already have an item of their own.
func (a *assessment) reportedRemovals() func(capability string) bool {
	var reasons []string
	for _, i := range a.items {
		if i.Category == ApprovalRemoval {
			reasons = append(reasons, i.Reason)
		}
	}
	return func(capability string) bool {
		return slices.ContainsFunc(reasons, func(r string) bool { return strings.Contains(r, " "+capability+" ") })
	}
}
