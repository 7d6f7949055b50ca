package risk_test

import (
	"terfyn/compiler/resource"
	"terfyn/planner/risk"
)

func policyMeanings() map[string]meaning {
	policy := func(c risk.Category, edit func(*resource.Policy)) meaning {
		return meaning{category: c, weaken: func(g *resource.Graph) { edit(&g.Policies[0]) }}
	}
	approvals := func(c risk.Category, edit func(*resource.Approvals)) meaning {
		return policy(c, func(p *resource.Policy) { edit(&p.Approvals) })
	}
	return map[string]meaning{
		"Policies.Name":                              {none: identity},
		"Policies.Preset":                            policy(risk.ApprovalRemoval, func(p *resource.Policy) { p.Preset = "" }),
		"Policies.Execution.MaxTotalCostUSD":         policy(risk.BudgetRelaxation, func(p *resource.Policy) { p.Execution.MaxTotalCostUSD = "" }),
		"Policies.Execution.MaxWallClockSeconds":     policy(risk.BudgetRelaxation, func(p *resource.Policy) { p.Execution.MaxWallClockSeconds = 0 }),
		"Policies.Execution.MaxIterations":           policy(risk.BudgetRelaxation, func(p *resource.Policy) { p.Execution.MaxIterations = 0 }),
		"Policies.Execution.RequireStructuredOutput": policy(risk.PolicyRelaxation, func(p *resource.Policy) { p.Execution.RequireStructuredOutput = nil }),
		"Policies.Approvals.RequiredFor": approvals(risk.ApprovalRemoval, func(a *resource.Approvals) {
			a.RequiredFor, a.RequireAllTools = nil, flag(false)
		}),
		"Policies.Approvals.RequireAllTools":  approvals(risk.ApprovalRemoval, func(a *resource.Approvals) { a.RequireAllTools = flag(false) }),
		"Policies.Approvals.Permissive":       approvals(risk.ApprovalRemoval, func(a *resource.Approvals) { a.Permissive = flag(true) }),
		"Policies.Approvals.Approvers":        approvals(risk.ApproverRelaxation, func(a *resource.Approvals) { a.Approvers = nil }),
		"Policies.Approvals.MinApprovals":     approvals(risk.ApproverRelaxation, func(a *resource.Approvals) { a.MinApprovals = 0 }),
		"Policies.Approvals.ForbidSubmitter":  approvals(risk.ApproverRelaxation, func(a *resource.Approvals) { a.ForbidSubmitter = false }),
		"Policies.Approvals.Signed":           approvals(risk.SignatureRelaxation, func(a *resource.Approvals) { a.Signed = false }),
		"Policies.Approvals.TimeoutSeconds":   approvals(risk.PolicyRelaxation, func(a *resource.Approvals) { a.TimeoutSeconds = 0 }),
		"Policies.Approvals.OnTimeout":        approvals(risk.ApprovalTimeout, func(a *resource.Approvals) { a.OnTimeout = "approve" }),
		"Policies.Approvals.InLoop":           approvals(risk.PolicyRelaxation, func(a *resource.Approvals) { a.InLoop = "pause" }),
		"Policies.Effects.Declared":           policy(risk.EffectPermitWidening, func(p *resource.Policy) { p.Effects = resource.PolicyEffects{} }),
		"Policies.Effects.Permit":             policy(risk.EffectPermitWidening, func(p *resource.Policy) { p.Effects.Permit = append(p.Effects.Permit, "money") }),
		"Policies.Effects.PermitWithApproval": policy(risk.EffectPermitWidening, func(p *resource.Policy) { p.Effects.PermitWithApproval = []string{"mail"} }),
		"Policies.ForbidUnknownTools":         policy(risk.PolicyRelaxation, func(p *resource.Policy) { p.ForbidUnknownTools = flag(false) }),
		"Policies.EgressDeclared":             policy(risk.EgressWidening, func(p *resource.Policy) { p.EgressDeclared, p.AllowHosts = false, nil }),
		"Policies.AllowHosts":                 policy(risk.EgressWidening, func(p *resource.Policy) { p.AllowHosts = []string{"t.example", "u.example"} }),
		"Policies.RequireEvidence":            policy(risk.PolicyRelaxation, func(p *resource.Policy) { p.RequireEvidence = false }),
		"Policies.RequireDefinitionVersions":  policy(risk.PolicyRelaxation, func(p *resource.Policy) { p.RequireDefinitionVersions = false }),
	}
}

func hitlMeanings() map[string]meaning {
	hitl := func(edit func(*resource.Hitl)) meaning {
		return meaning{category: risk.PolicyRelaxation, weaken: func(g *resource.Graph) { edit(&g.Policies[0].Hitl) }}
	}
	review := func(edit func(*resource.Review)) meaning {
		return hitl(func(h *resource.Hitl) {
			r := h.InterruptOn["t"]
			edit(&r)
			h.InterruptOn = map[string]resource.Review{"t": r}
		})
	}
	return map[string]meaning{
		"Policies.Hitl.DescriptionPrefix": {none: prose},
		"Policies.Hitl.RedactKeys":        hitl(func(h *resource.Hitl) { h.RedactKeys = nil }),
		"Policies.Hitl.ToolSwitchMap": hitl(func(h *resource.Hitl) {
			h.ToolSwitchMap = map[string][]string{"tool.t.find": {"tool.t.send"}}
		}),
		"Policies.Hitl.InterruptOn.AllowedDecisions": review(func(r *resource.Review) { r.AllowedDecisions = append(r.AllowedDecisions, "switch") }),
		"Policies.Hitl.InterruptOn.Description":      {none: prose},
		"Policies.Hitl.InterruptOn.AllowedEditArgs":  review(func(r *resource.Review) { r.AllowedEditArgs = nil }),
		"Policies.Hitl.InterruptOn.DeniedEditArgs":   review(func(r *resource.Review) { r.AllowedEditArgs, r.DeniedEditArgs = nil, nil }),
		"Policies.Hitl.InterruptOn.AllowedEditPaths": review(func(r *resource.Review) { r.AllowedEditPaths = append(r.AllowedEditPaths, "a.b") }),
		"Policies.Hitl.InterruptOn.DeniedEditPaths":  review(func(r *resource.Review) { r.AllowedEditPaths, r.DeniedEditPaths = []string{"from.name"}, nil }),
		"Policies.Hitl.InterruptOn.AllowedEditTools": review(func(r *resource.Review) { r.AllowedEditTools = append(r.AllowedEditTools, "tool.t.drop") }),
		"Policies.Hitl.InterruptOn.RedactKeys":       review(func(r *resource.Review) { r.RedactKeys = nil }),
		"Policies.Hitl.InterruptOn.SwitchMap":        review(func(r *resource.Review) { r.SwitchMap = map[string][]string{"find": {"send"}} }),
	}
}
