package lower

import (
	"strconv"

	"terfyn/compiler/check"
	"terfyn/compiler/resource"
	"terfyn/compiler/syntax"
	"terfyn/internal/canon"
)

func agent(p *check.Project, a *syntax.AgentDecl) resource.Agent {
	out := resource.Agent{
		Name:          a.Name.Name,
		Model:         model(a.Model),
		Policy:        ident(a.Policy),
		Description:   text(a.Description),
		Instructions:  p.Instructions[a],
		Constraints:   constraints(a.Constraints),
		GrantsPresent: a.Grants != nil,
		Grants:        capabilities(a.Grants),
		Version:       text(a.Version),
		Replaces:      text(a.Replaces),
		ChangeSummary: text(a.ChangeSummary),
		MayEscalate:   isSet(a.MayEscalate),
		WorkingTree:   a.WorkingTree != nil,
	}
	if a.FallbackModels != nil {
		for _, m := range a.FallbackModels.Items {
			out.FallbackModels = append(out.FallbackModels, m.String())
		}
	}
	if a.Input != nil {
		out.Input = p.SchemaPath(a.Input.Name)
	}
	if a.Output != nil {
		out.Output = p.SchemaPath(a.Output.Name)
	}
	return out
}

func constraints(c *syntax.Constraints) resource.Constraints {
	if c == nil {
		return resource.Constraints{}
	}
	return resource.Constraints{
		MaxIterations:           whole(c.MaxIterations),
		MaxTokens:               whole(c.MaxTokens),
		TimeoutSeconds:          whole(c.TimeoutSeconds),
		Temperature:             decimal(c.Temperature),
		RequireStructuredOutput: optional(c.RequireStructuredOutput),
	}
}

func policy(d *syntax.PolicyDecl) resource.Policy {
	out := resource.Policy{
		Name:                      d.Name.Name,
		Preset:                    ident(d.Preset),
		Execution:                 execution(d.Execution),
		Approvals:                 approvalRules(d.Approvals),
		RequireEvidence:           isSet(d.RequireEvidence),
		RequireDefinitionVersions: isSet(d.RequireDefinitionVersions),
	}
	if d.Egress != nil {
		out.EgressDeclared, out.AllowHosts = true, texts(d.Egress.AllowHosts)
	}
	if d.Effects != nil {
		out.Effects = resource.PolicyEffects{
			Declared:           true,
			Permit:             effects(d.Effects.Permit),
			PermitWithApproval: effects(d.Effects.PermitWithApproval),
		}
	}
	if d.HITL != nil {
		out.Hitl = reviewOptions(d.HITL)
	}
	if d.Tools != nil {
		out.ForbidUnknownTools = optional(d.Tools.ForbidUnknownTools)
	}
	return out
}

func execution(e *syntax.Execution) resource.Execution {
	if e == nil {
		return resource.Execution{}
	}
	return resource.Execution{
		MaxTotalCostUSD:         decimal(e.MaxTotalCostUSD),
		MaxWallClockSeconds:     whole(e.MaxWallClockSeconds),
		MaxIterations:           whole(e.MaxIterations),
		RequireStructuredOutput: optional(e.RequireStructuredOutput),
	}
}

func approvalRules(a *syntax.Approvals) resource.Approvals {
	if a == nil {
		return resource.Approvals{}
	}
	out := resource.Approvals{
		RequiredFor:     capabilities(a.RequiredFor),
		RequireAllTools: optional(a.RequireAllTools),
		Permissive:      optional(a.Permissive),
		MinApprovals:    whole(a.MinApprovals),
		ForbidSubmitter: isSet(a.ForbidSubmitter),
		Signed:          isSet(a.Signed),
		TimeoutSeconds:  whole(a.TimeoutSeconds),
		OnTimeout:       ident(a.OnTimeout),
		InLoop:          ident(a.InLoop),
	}
	if a.Approvers != nil {
		for _, p := range a.Approvers.Items {
			out.Approvers = append(out.Approvers, p.String())
		}
	}
	return out
}

func reviewOptions(h *syntax.HITL) resource.Hitl {
	out := resource.Hitl{
		DescriptionPrefix: text(h.DescriptionPrefix),
		RedactKeys:        texts(h.RedactKeys),
		ToolSwitchMap:     switchTable(h.ToolSwitchMap),
	}
	if h.InterruptOn == nil {
		return out
	}
	out.InterruptOn = map[string]resource.Review{}
	for _, r := range h.InterruptOn.Items {
		review := resource.Review{
			Description:      text(r.Description),
			AllowedEditArgs:  texts(r.AllowedEditArgs),
			DeniedEditArgs:   texts(r.DeniedEditArgs),
			AllowedEditPaths: texts(r.AllowedEditPaths),
			DeniedEditPaths:  texts(r.DeniedEditPaths),
			AllowedEditTools: texts(r.AllowedEditTools),
			RedactKeys:       texts(r.RedactKeys),
			SwitchMap:        switchTable(r.SwitchMap),
		}
		if r.AllowedDecisions != nil {
			for _, d := range r.AllowedDecisions.Items {
				review.AllowedDecisions = append(review.AllowedDecisions, d.Name)
			}
		}
		out.InterruptOn[r.Tool.Name] = review
	}
	return out
}

func switchTable(t *syntax.SwitchTable) map[string][]string {
	if t == nil {
		return nil
	}
	out := map[string][]string{}
	for _, entry := range t.Items {
		targets := []string{}
		for _, to := range entry.To {
			targets = append(targets, to.String())
		}
		out[entry.From.String()] = targets
	}
	return out
}

// The readers below turn optional syntax into the empty value of the resource.

func text(t *syntax.Text) string {
	if t == nil {
		return ""
	}
	return t.Value
}

func texts(l *syntax.StringList) []string {
	if l == nil {
		return nil
	}
	var out []string
	for _, t := range l.Items {
		out = append(out, t.Value)
	}
	return out
}

func ident(i *syntax.Ident) string {
	if i == nil {
		return ""
	}
	return i.Name
}

func model(m *syntax.ModelRef) string {
	if m == nil {
		return ""
	}
	return m.String()
}

func optional(f *syntax.Flag) *bool {
	if f == nil {
		return nil
	}
	v := f.Value
	return &v
}

func isSet(f *syntax.Flag) bool { return f != nil && f.Value }

func whole(n *syntax.Number) int64 {
	if n == nil {
		return 0
	}
	i, err := strconv.ParseInt(n.Spelling, 10, 64)
	if err != nil {
		panic("lower: a number was not checked: " + n.Spelling)
	}
	return i
}

// decimal is the canonical spelling, so that 0.50 and 0.5 are one value.
func decimal(n *syntax.Number) string {
	if n == nil {
		return ""
	}
	v, err := canon.Number(n.Spelling)
	if err != nil {
		panic("lower: a number was not checked: " + n.Spelling)
	}
	return v.JSON()
}

func capabilities(s *syntax.CapabilitySet) []string {
	if s == nil {
		return nil
	}
	var out []string
	for _, c := range s.Items {
		out = append(out, c.String())
	}
	return out
}

func effects(s *syntax.EffectSet) []string {
	if s == nil {
		return nil
	}
	var out []string
	for _, e := range s.Items {
		out = append(out, e.String())
	}
	return out
}
