package export

import (
	"strings"

	"terfyn/compiler/resource"
	"terfyn/compiler/syntax"
	"terfyn/internal/ordered"
)

func (w writer) policy(p resource.Policy) *syntax.PolicyDecl {
	out := &syntax.PolicyDecl{
		Name:                      w.ident("name", p.Name),
		Preset:                    w.word("preset", p.Preset),
		Execution:                 execution(p.Execution),
		Approvals:                 w.approvals("approvals", p.Approvals),
		HITL:                      w.hitl(p.Hitl),
		RequireEvidence:           set(p.RequireEvidence),
		RequireDefinitionVersions: set(p.RequireDefinitionVersions),
	}
	if e := p.Effects; e.Declared || len(e.Permit)+len(e.PermitWithApproval) > 0 {
		out.Effects = &syntax.PolicyEffects{
			Permit:             w.effects("effects.permit", e.Permit, false),
			PermitWithApproval: w.effects("effects.permitWithApproval", e.PermitWithApproval, false),
		}
	}
	if p.ForbidUnknownTools != nil {
		out.Tools = &syntax.PolicyTools{ForbidUnknownTools: flag(p.ForbidUnknownTools)}
	}
	if p.EgressDeclared || len(p.AllowHosts) > 0 {
		out.Egress = &syntax.Egress{AllowHosts: texts(p.AllowHosts)}
	}
	return out
}

func execution(e resource.Execution) *syntax.Execution {
	if e == (resource.Execution{}) {
		return nil
	}
	return &syntax.Execution{
		MaxTotalCostUSD:         decimal(e.MaxTotalCostUSD),
		MaxWallClockSeconds:     whole(e.MaxWallClockSeconds),
		MaxIterations:           whole(e.MaxIterations),
		RequireStructuredOutput: flag(e.RequireStructuredOutput),
	}
}

func (w writer) approvals(field string, a resource.Approvals) *syntax.Approvals {
	out := syntax.Approvals{
		RequiredFor:     w.capabilities(field+".requiredFor", a.RequiredFor, false),
		RequireAllTools: flag(a.RequireAllTools),
		Permissive:      flag(a.Permissive),
		MinApprovals:    whole(a.MinApprovals),
		ForbidSubmitter: set(a.ForbidSubmitter),
		Signed:          set(a.Signed),
		TimeoutSeconds:  whole(a.TimeoutSeconds),
		OnTimeout:       w.word(field+".onTimeout", a.OnTimeout),
		InLoop:          w.word(field+".inLoop", a.InLoop),
	}
	if len(a.Approvers) > 0 {
		out.Approvers = &syntax.ApproverSet{}
		for _, name := range a.Approvers {
			person, group := strings.CutPrefix(name, "group:")
			out.Approvers.Items = append(out.Approvers.Items, syntax.Approver{Name: w.ident(field+".approvers", person), Group: group})
		}
	}
	if saysNothing(&out) {
		return nil
	}
	return &out
}

func saysNothing(a *syntax.Approvals) bool {
	return a.RequiredFor == nil && a.RequireAllTools == nil && a.Permissive == nil && a.Approvers == nil && a.MinApprovals == nil &&
		a.ForbidSubmitter == nil && a.Signed == nil && a.TimeoutSeconds == nil && a.OnTimeout == nil && a.InLoop == nil
}

func (w writer) hitl(h resource.Hitl) *syntax.HITL {
	if h.DescriptionPrefix == "" && len(h.RedactKeys)+len(h.ToolSwitchMap)+len(h.InterruptOn) == 0 {
		return nil
	}
	out := &syntax.HITL{
		DescriptionPrefix: text(h.DescriptionPrefix),
		RedactKeys:        texts(h.RedactKeys),
		ToolSwitchMap:     w.switchTable("hitl.toolSwitchMap", h.ToolSwitchMap),
	}
	if len(h.InterruptOn) > 0 {
		out.InterruptOn = &syntax.InterruptOn{}
		for _, tool := range ordered.Keys(h.InterruptOn) {
			out.InterruptOn.Items = append(out.InterruptOn.Items, w.review(tool, h.InterruptOn[tool]))
		}
	}
	return out
}

func (w writer) review(tool string, r resource.Review) *syntax.Review {
	field := "hitl.interruptOn." + tool
	out := &syntax.Review{
		Tool:             w.ident(field, tool),
		Description:      text(r.Description),
		AllowedEditArgs:  texts(r.AllowedEditArgs),
		DeniedEditArgs:   texts(r.DeniedEditArgs),
		AllowedEditPaths: texts(r.AllowedEditPaths),
		DeniedEditPaths:  texts(r.DeniedEditPaths),
		AllowedEditTools: texts(r.AllowedEditTools),
		RedactKeys:       texts(r.RedactKeys),
		SwitchMap:        w.switchTable(field+".switchMap", r.SwitchMap),
	}
	if len(r.AllowedDecisions) > 0 {
		out.AllowedDecisions = &syntax.IdentList{}
		for _, d := range r.AllowedDecisions {
			out.AllowedDecisions.Items = append(out.AllowedDecisions.Items, w.ident(field+".allowedDecisions", d))
		}
	}
	if r.Description != "" || len(r.AllowedDecisions)+len(r.AllowedEditArgs)+len(r.DeniedEditArgs)+len(r.AllowedEditPaths)+
		len(r.DeniedEditPaths)+len(r.AllowedEditTools)+len(r.RedactKeys)+len(r.SwitchMap) > 0 {
		out.Fields = []syntax.FieldSpan{{Word: "review"}} // tells the entry with a block from a bare name
	}
	return out
}

func (w writer) switchTable(field string, table map[string][]string) *syntax.SwitchTable {
	if len(table) == 0 {
		return nil
	}
	out := &syntax.SwitchTable{}
	for _, from := range ordered.Keys(table) {
		entry := syntax.SwitchEntry{From: w.path(field, from)}
		for _, to := range table[from] {
			entry.To = append(entry.To, w.path(field, to))
		}
		out.Items = append(out.Items, entry)
	}
	return out
}
