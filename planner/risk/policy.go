package risk

import (
	"cmp"
	"slices"

	"terfyn/compiler/resource"
	"terfyn/internal/ordered"
)

// policies compares what every name of a policy stands for on both sides, and
// names the hazards of every desired policy. A preset stands behind its name, so
// a declared policy of that name can come or go without any other change.
func (a *assessment) policies() {
	names := map[string]bool{}
	for _, p := range slices.Concat(a.Before.Policies, a.After.Policies) {
		names[p.Name] = true
	}
	for _, p := range a.After.Policies {
		if p.Approvals.OnTimeout == "approve" {
			target := id(resource.KindPolicy, p.Name)
			a.add(ApprovalTimeout, High, target, "Requests under %s are approved without a person when their time is up.", target)
		}
	}
	for _, name := range ordered.Keys(names) {
		before, existed := a.Before.ResolvePolicy(name)
		after, ok := a.After.ResolvePolicy(name)
		_, declared := a.After.Policy(name)
		if existed && ok && (declared || a.governs(name)) {
			a.relaxed(id(resource.KindPolicy, name), before, after)
		}
	}
}

// governs reports whether anything runs under the name of a policy now.
func (a *assessment) governs(name string) bool {
	return slices.ContainsFunc(a.After.Workflows, func(w resource.Workflow) bool {
		p, safe, ok := a.After.GoverningPolicy(w)
		return ok && !safe && p.Name == name
	}) || slices.ContainsFunc(a.After.Agents, func(agent resource.Agent) bool { return agent.Policy == name })
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
	if before.Preset != after.Preset && after.Preset == string(resource.ShellSafe) && !isTrue(before.Approvals.Permissive) {
		a.add(PolicyRelaxation, Medium, target, "Preset %s lets command lines that only read run unattended (%s).", after.Preset, target)
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
	switch {
	case before.TimeoutSeconds == 0 || before.OnTimeout == "approve":
	case after.TimeoutSeconds == 0:
		a.add(PolicyRelaxation, Low, target, "Requests wait without an end instead of %d seconds (%s).", before.TimeoutSeconds, target)
	case after.TimeoutSeconds > before.TimeoutSeconds:
		a.add(PolicyRelaxation, Low, target, "Requests wait %d seconds instead of %d (%s).", after.TimeoutSeconds, before.TimeoutSeconds, target)
	}
	if cmp.Or(before.OnTimeout, "reject") == "reject" && after.OnTimeout == "escalate" {
		a.add(PolicyRelaxation, Low, target, "Requests whose time is up wait on instead of being rejected (%s).", target)
	}
	if before.Signed && !after.Signed {
		a.add(SignatureRelaxation, High, target, "Decisions need no signature any more (%s).", target)
	}
}

func isTrue(b *bool) bool { return b != nil && *b }
