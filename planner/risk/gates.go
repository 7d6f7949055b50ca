package risk

import (
	"fmt"
	"slices"
	"strings"

	"terfyn/compiler/resource"
	"terfyn/planner/authority"
	"terfyn/policy"
)

// gates asks the policy itself about every context in which a workflow could come to
// an operation before and can now, and reports operations that some context lets
// pass with less than each one did, whatever combination of fields, calls and grants
// brought that about.
func (a *assessment) gates() {
	reported := a.reportedRemovals()
	for _, now := range a.AfterBounds.Workflows {
		before, after := a.BeforeCalls[now.Name], a.AfterCalls[now.Name]
		for _, o := range now.Operations {
			were := before.Of(o.Capability)
			was, known := were.Lenient()
			is, still := after.Of(o.Capability).Lenient()
			if !known || !still || is.Verdict() >= was.Verdict() {
				continue
			}
			if moved := !were.Has(is); moved || !(reported(o.Capability) || a.explained(was, is)) {
				a.gate(now.Name, was, is)
			}
		}
	}
}

func (a *assessment) gate(workflow string, was, is authority.Call) {
	target := id(resource.KindWorkflow, workflow)
	add := func(c Category, s Severity, format string) {
		a.items = append(a.items, Item{
			Category: c, Severity: s, Target: target, Witness: is.Witness,
			Reason: fmt.Sprintf(format, is.Capability, target, was.Answer.Rule()),
		})
	}
	switch {
	case is.Verdict() == policy.RequireApproval:
		add(PolicyRelaxation, Medium, "%s was refused in %s and may now happen behind approval (before: %s).")
	case was.Verdict() == policy.Deny:
		add(ApprovalRemoval, High, "%s was refused in %s and now happens unattended (before: %s).")
	default:
		add(ApprovalRemoval, High, "%s no longer stops for approval in %s (before: %s).")
	}
}

// explained reports whether a call that was refused passes because rules of its own
// path were loosened, which has an item of its own.
func (a *assessment) explained(was, is authority.Call) bool {
	if was.Verdict() != policy.Deny {
		return false
	}
	targets := a.rules(is)
	return slices.ContainsFunc(a.items, func(i Item) bool {
		return (i.Category == EffectPermitWidening || i.Category == PolicyRelaxation) && slices.Contains(targets, i.Target)
	})
}

// rules are the resources that say what policy answers to a call.
func (a *assessment) rules(c authority.Call) []string {
	targets := []string{id(resource.KindAgent, c.Agent)}
	agent, _ := a.After.Agent(c.Agent)
	targets = append(targets, id(resource.KindPolicy, agent.Policy))
	for _, name := range c.Through() {
		w, _ := a.After.Workflow(name)
		p, _, _ := a.After.GoverningPolicy(w)
		targets = append(targets, id(resource.KindWorkflow, name), id(resource.KindPolicy, p.Name))
	}
	return targets
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

// asking are the contexts that stop for a person.
func asking(calls authority.Calls) authority.Calls {
	var out authority.Calls
	for _, c := range calls {
		if c.Verdict() == policy.RequireApproval {
			out = append(out, c)
		}
	}
	return out
}
