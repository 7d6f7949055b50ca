package format

import (
	"terfyn/compiler/source"
	"terfyn/compiler/syntax"
)

func policy(d *syntax.PolicyDecl) *scope {
	f := fieldsOf(&d.Body)
	f.ident("preset", d.Preset)
	f.scope("execution", execution(d.Execution))
	f.scope("approvals", approvals(d.Approvals))
	if e := d.Effects; e != nil {
		g := fieldsOf(&e.Body)
		g.effects("permit", e.Permit)
		g.effects("permitWithApproval", e.PermitWithApproval)
		f.scope("effects", g.into)
	}
	f.scope("hitl", hitl(d.HITL))
	if t := d.Tools; t != nil {
		g := fieldsOf(&t.Body)
		g.flag("forbidUnknownTools", t.ForbidUnknownTools)
		f.scope("tools", g.into)
	}
	if e := d.Egress; e != nil {
		g := fieldsOf(&e.Body)
		g.strings("allowHosts", e.AllowHosts)
		f.scope("egress", g.into)
	}
	f.flag("requireEvidence", d.RequireEvidence)
	f.flag("requireDefinitionVersions", d.RequireDefinitionVersions)
	return f.into
}

func execution(e *syntax.Execution) *scope {
	if e == nil {
		return nil
	}
	f := fieldsOf(&e.Body)
	f.number("maxTotalCostUsd", e.MaxTotalCostUSD)
	f.number("maxWallClockSeconds", e.MaxWallClockSeconds)
	f.number("maxIterations", e.MaxIterations)
	f.flag("requireStructuredOutput", e.RequireStructuredOutput)
	return scalarsIn(f.into)
}

func approvals(a *syntax.Approvals) *scope {
	if a == nil {
		return nil
	}
	f := fieldsOf(&a.Body)
	f.capabilities("requiredFor", a.RequiredFor, commaBraces)
	f.flag("requireAllTools", a.RequireAllTools)
	f.flag("permissive", a.Permissive)
	if s := a.Approvers; s != nil {
		f.scope("approvers", each(commaBraces(s.Braces), s.Items, func(v syntax.Approver) (source.Span, []piece) {
			return v.At, line(text(v.String()))
		}))
	}
	f.number("minApprovals", a.MinApprovals)
	f.flag("forbidSubmitter", a.ForbidSubmitter)
	f.flag("signed", a.Signed)
	f.number("timeoutSeconds", a.TimeoutSeconds)
	f.ident("onTimeout", a.OnTimeout)
	f.ident("inLoop", a.InLoop)
	return f.into
}

func hitl(h *syntax.HITL) *scope {
	if h == nil {
		return nil
	}
	f := fieldsOf(&h.Body)
	f.text("descriptionPrefix", h.DescriptionPrefix)
	f.strings("redactKeys", h.RedactKeys)
	f.scope("toolSwitchMap", switchTable(h.ToolSwitchMap))
	if i := h.InterruptOn; i != nil {
		f.scope("interruptOn", each(tallBraces(i.Braces), i.Items, func(r *syntax.Review) (source.Span, []piece) {
			if r.Bare() && len(r.Fields) == 0 {
				return r.Span(), line(text(r.Tool.Name))
			}
			return r.Span(), line(text(r.Tool.Name+" "), inside(review(r)))
		}))
	}
	return scalarsIn(f.into)
}

func review(r *syntax.Review) *scope {
	f := fieldsOf(&r.Body)
	if d := r.AllowedDecisions; d != nil {
		f.scope("allowedDecisions", idents(d.Braces, " ", d.Items))
	}
	f.text("description", r.Description)
	f.strings("allowedEditArgs", r.AllowedEditArgs)
	f.strings("deniedEditArgs", r.DeniedEditArgs)
	f.strings("allowedEditPaths", r.AllowedEditPaths)
	f.strings("deniedEditPaths", r.DeniedEditPaths)
	f.strings("allowedEditTools", r.AllowedEditTools)
	f.strings("redactKeys", r.RedactKeys)
	f.scope("switchMap", switchTable(r.SwitchMap))
	return f.into
}

func switchTable(s *syntax.SwitchTable) *scope {
	if s == nil {
		return nil
	}
	return each(tallBraces(s.Braces), s.Items, func(e syntax.SwitchEntry) (source.Span, []piece) {
		return e.Span(), line(text(e.From.String()+" "), inside(paths(e.Braces, e.To)))
	})
}
