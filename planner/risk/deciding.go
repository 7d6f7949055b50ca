package risk

import (
	"fmt"
	"slices"
	"strings"

	"terfyn/compiler/resource"
	"terfyn/planner/authority"
	"terfyn/policy"
)

// moved reports operations that stop for a person on both sides, but where fewer or
// other persons may decide now because the call stands under other rules. What a
// changed policy or environment says already is not said again.
func (a *assessment) moved() {
	for _, now := range a.AfterBounds.Workflows {
		before, after := a.BeforeCalls[now.Name], a.AfterCalls[now.Name]
		for _, o := range now.Operations {
			were, are := before.Of(o.Capability), after.Of(o.Capability)
			was, known := were.Lenient()
			is, still := are.Lenient()
			if known && still && was.Verdict() == policy.RequireApproval && is.Verdict() == policy.RequireApproval {
				a.fewer(id(resource.KindWorkflow, now.Name), asking(are),
					a.weakest(&a.Before, asking(were)), a.weakest(&a.After, asking(are)))
			}
		}
	}
}

// quorum is who decides, and whether with a signature.
type quorum struct {
	policy.Deciders
	signed bool
}

// weakest takes of each rule what the most lenient of several contexts asks for.
func (a *assessment) weakest(g *resource.Graph, calls authority.Calls) quorum {
	var least quorum
	for i, c := range calls {
		q := a.quorumOf(g, c)
		if i == 0 {
			least = q
			continue
		}
		least.MinApprovals = min(least.MinApprovals, q.MinApprovals)
		least.ForbidSubmitter = least.ForbidSubmitter && q.ForbidSubmitter
		least.signed = least.signed && q.signed
		if least.Names != nil && q.Names != nil {
			least.Names = append(slices.Clone(least.Names), q.Names...)
		} else {
			least.Names = nil
		}
	}
	return least
}

// quorumOf joins the rules of every workflow of a path, as its answer does.
func (a *assessment) quorumOf(g *resource.Graph, c authority.Call) quorum {
	q := quorum{Deciders: policy.Deciders{MinApprovals: 1}}
	agent, _ := g.Agent(c.Agent)
	own, _ := g.ResolvePolicy(agent.Policy)
	q.signed = own.Approvals.Signed
	for _, name := range c.Through() {
		d := policy.DecidersFor(g, a.Environment, c.In(name))
		q.MinApprovals = max(q.MinApprovals, d.MinApprovals)
		q.ForbidSubmitter = q.ForbidSubmitter || d.ForbidSubmitter
		switch {
		case q.Names == nil:
			q.Names = d.Names
		case d.Names != nil:
			names := []string{} // nobody is not anybody
			for _, n := range q.Names {
				if slices.Contains(d.Names, n) {
					names = append(names, n)
				}
			}
			q.Names = names
		}
		w, _ := g.Workflow(name)
		p, _, _ := g.GoverningPolicy(w)
		q.signed = q.signed || p.Approvals.Signed
	}
	return q
}

// fewer compares who decides on one operation, which calls are the contexts of.
func (a *assessment) fewer(target string, calls authority.Calls, was, is quorum) {
	capability, said := calls[0].Capability, a.said(calls)
	if is.MinApprovals < was.MinApprovals && !said("Fewer persons decide: %d instead of %d (", is.MinApprovals, was.MinApprovals) {
		a.add(ApproverRelaxation, High, target, "Fewer persons decide on %s in %s: %d instead of %d.", capability, target, is.MinApprovals, was.MinApprovals)
	}
	if was.ForbidSubmitter && !is.ForbidSubmitter && !said("Who submits a run may now decide on its requests (") {
		a.add(ApproverRelaxation, High, target, "Who submits a run may now decide on %s in %s.", capability, target)
	}
	if was.signed && !is.signed && !said("Decisions need no signature any more (") {
		a.add(SignatureRelaxation, High, target, "Decisions on %s in %s need no signature any more.", capability, target)
	}
	switch {
	case was.Names == nil:
		return
	case is.Names == nil && !said("Approvers are no longer named: "):
		a.add(ApproverRelaxation, High, target, "Approvers of %s in %s are no longer named: anybody who reaches the run may decide.", capability, target)
	}
	slices.Sort(is.Names)
	for _, name := range slices.Compact(is.Names) {
		if !slices.Contains(was.Names, name) && !said("%s may now decide (", name) && !said("%s joins the group ", name) {
			a.add(ApproverRelaxation, Medium, target, "%s may now decide on %s in %s.", name, capability, target)
		}
	}
}

// said reports whether an item about the environment or a policy of one of the calls
// begins so.
func (a *assessment) said(calls authority.Calls) func(format string, args ...any) bool {
	targets := []string{id(resource.KindEnvironment, a.Environment)}
	for _, c := range calls {
		targets = append(targets, a.rules(c)...)
	}
	return func(format string, args ...any) bool {
		start := fmt.Sprintf(format, args...)
		return slices.ContainsFunc(a.items, func(i Item) bool {
			return slices.Contains(targets, i.Target) && strings.HasPrefix(i.Reason, start)
		})
	}
}
