package risk

import (
	"slices"

	"terfyn/compiler/resource"
)

// policies compares every policy that exists on both sides, and names the
// hazards of every desired one.
func (a *assessment) policies() {
	for _, p := range a.After.Policies {
		target := id(resource.KindPolicy, p.Name)
		if p.Approvals.OnTimeout == "approve" {
			a.add(ApprovalTimeout, High, target, "Requests under %s are approved without a person when their time is up.", target)
		}
		before, existed := a.Before.ResolvePolicy(p.Name)
		after, ok := a.After.ResolvePolicy(p.Name)
		if existed && ok {
			a.relaxed(target, before, after)
		}
	}
}

// governance compares the policies of agents and workflows that now name
// another one: the new policy may be looser although neither policy changed.
func (a *assessment) governance() {
	for _, w := range a.After.Workflows {
		old, ok := a.old.workflows[w.Name]
		if !ok {
			continue
		}
		target := id(resource.KindWorkflow, w.Name)
		before, beforeSafe, okBefore := a.Before.GoverningPolicy(old)
		after, afterSafe, okAfter := a.After.GoverningPolicy(w)
		if okBefore && okAfter && (before.Name != after.Name || beforeSafe != afterSafe) {
			a.relaxed(target, before, after)
		}
	}
	for _, agent := range a.After.Agents {
		old, ok := a.old.agents[agent.Name]
		if !ok || old.Policy == agent.Policy {
			continue
		}
		before, okBefore := a.Before.ResolvePolicy(old.Policy)
		after, okAfter := a.After.ResolvePolicy(agent.Policy)
		if okBefore && (okAfter || agent.Policy == "") {
			a.relaxed(id(resource.KindAgent, agent.Name), before, after)
		}
	}
}

// relaxed reports what after allows and before did not.
func (a *assessment) relaxed(target string, before, after resource.Policy) {
	a.approvals(target, before.Approvals, after.Approvals)
	a.deciding(target, before.Approvals, after.Approvals)
	a.budget(target, before.Execution, after.Execution)
	a.permits(target, before.Effects, after.Effects)
	a.egress(target, before, after)
	a.review(target, before.Hitl, after.Hitl)
	if before.Preset != after.Preset && before.Preset != string(resource.Permissive) && before.Preset != "" {
		a.add(PolicyRelaxation, Medium, target, "Preset %s is no longer used (%s).", before.Preset, target)
	}
	dropped := func(was, is bool, s Severity, what string) {
		if was && !is {
			a.add(PolicyRelaxation, s, target, "%s is no longer set (%s).", what, target)
		}
	}
	dropped(isTrue(before.ForbidUnknownTools), isTrue(after.ForbidUnknownTools), High, "tools.forbidUnknownTools")
	dropped(before.RequireEvidence, after.RequireEvidence, High, "requireEvidence")
	dropped(before.RequireDefinitionVersions, after.RequireDefinitionVersions, Medium, "requireDefinitionVersions")
	dropped(isTrue(before.Execution.RequireStructuredOutput), isTrue(after.Execution.RequireStructuredOutput), Low, "execution.requireStructuredOutput")
}

func (a *assessment) approvals(target string, before, after resource.Approvals) {
	for _, c := range before.RequiredFor {
		if !slices.Contains(after.RequiredFor, c) && !isTrue(after.RequireAllTools) {
			a.add(ApprovalRemoval, High, target, "Approval is no longer required for %s (%s).", c, target)
		}
	}
	if isTrue(before.RequireAllTools) && !isTrue(after.RequireAllTools) {
		a.add(ApprovalRemoval, High, target, "Approval is no longer required for all tools (%s).", target)
	}
	if !isTrue(before.Permissive) && isTrue(after.Permissive) {
		a.add(ApprovalRemoval, High, target, "Gates that follow from tool safety are waived (%s).", target)
	}
}

func (a *assessment) deciding(target string, before, after resource.Approvals) {
	if n, m := max(1, before.MinApprovals), max(1, after.MinApprovals); m < n {
		a.add(ApproverRelaxation, High, target, "Fewer persons decide: %d instead of %d (%s).", m, n, target)
	}
	if before.ForbidSubmitter && !after.ForbidSubmitter {
		a.add(ApproverRelaxation, High, target, "Who submits a run may now decide on its requests (%s).", target)
	}
	if len(before.Approvers) > 0 && len(after.Approvers) == 0 {
		a.add(ApproverRelaxation, High, target, "Approvers are no longer named: anybody who reaches the run may decide (%s).", target)
	}
	for _, name := range after.Approvers {
		if len(before.Approvers) > 0 && !slices.Contains(before.Approvers, name) {
			a.add(ApproverRelaxation, Medium, target, "%s may now decide (%s).", name, target)
		}
	}
	if before.InLoop != "pause" && after.InLoop == "pause" {
		a.add(PolicyRelaxation, Low, target, "Gated calls within an agent's loop wait for a person instead of being denied (%s).", target)
	}
	if before.Signed && !after.Signed {
		a.add(SignatureRelaxation, High, target, "Decisions need no signature any more (%s).", target)
	}
}

func isTrue(b *bool) bool { return b != nil && *b }
