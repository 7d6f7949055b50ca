package syntax

func (p *parser) policyDecl() (Decl, bool) {
	d := &PolicyDecl{}
	if !p.declName("the policy", &d.Name) {
		return d, false
	}
	return d, p.body("policy "+clip(d.Name.Name), &d.Body,
		keep("preset", &d.Preset, p.named("a preset name")),
		keep("execution", &d.Execution, p.execution),
		keep("approvals", &d.Approvals, p.approvals),
		keep("effects", &d.Effects, p.policyEffects),
		keep("hitl", &d.HITL, p.hitl),
		keep("tools", &d.Tools, p.policyTools),
		keep("egress", &d.Egress, p.egress),
		keep("requireEvidence", &d.RequireEvidence, p.flag),
		keep("requireDefinitionVersions", &d.RequireDefinitionVersions, p.flag))
}

func (p *parser) execution() *Execution {
	e := &Execution{}
	if !p.body("execution", &e.Body,
		keep("maxTotalCostUsd", &e.MaxTotalCostUSD, p.number),
		keep("maxWallClockSeconds", &e.MaxWallClockSeconds, p.size("maxWallClockSeconds")),
		keep("maxIterations", &e.MaxIterations, p.size("maxIterations")),
		keep("requireStructuredOutput", &e.RequireStructuredOutput, p.flag)) {
		return nil
	}
	return e
}

func (p *parser) approvals() *Approvals {
	a := &Approvals{}
	if !p.body("approvals", &a.Body,
		keep("requiredFor", &a.RequiredFor, p.capabilities("requiredFor", false)),
		keep("requireAllTools", &a.RequireAllTools, p.flag),
		keep("permissive", &a.Permissive, p.flag),
		keep("approvers", &a.Approvers, p.approverSet),
		keep("minApprovals", &a.MinApprovals, p.count("minApprovals")),
		keep("forbidSubmitter", &a.ForbidSubmitter, p.flag),
		keep("signed", &a.Signed, p.flag),
		keep("timeoutSeconds", &a.TimeoutSeconds, p.count("timeoutSeconds")),
		keep("onTimeout", &a.OnTimeout, p.choice("onTimeout", "reject", "escalate", "approve")),
		keep("inLoop", &a.InLoop, p.choice("inLoop", "deny", "pause"))) {
		return nil
	}
	return a
}

func (p *parser) approverSet() *ApproverSet {
	items, braces, ok := list(p, "approvers", func() (Approver, outcome) {
		start := p.peek()
		group := start.word("group") && p.peekAt(1).is(":")
		if group {
			p.next()
			p.next()
		}
		name := p.name("the name of an approver")
		if name == nil {
			return Approver{}, lost
		}
		return Approver{Name: *name, Group: group, At: p.since(start.start)}, kept
	})
	if !ok {
		return nil
	}
	return &ApproverSet{Items: items, Braces: braces}
}

func (p *parser) policyEffects() *PolicyEffects {
	e := &PolicyEffects{}
	if !p.body("effects", &e.Body,
		keep("permit", &e.Permit, p.effectSet("permit")),
		keep("permitWithApproval", &e.PermitWithApproval, p.effectSet("permitWithApproval"))) {
		return nil
	}
	return e
}

func (p *parser) policyTools() *PolicyTools {
	t := &PolicyTools{}
	if !p.body("tools", &t.Body, keep("forbidUnknownTools", &t.ForbidUnknownTools, p.flag)) {
		return nil
	}
	return t
}

func (p *parser) egress() *Egress {
	e := &Egress{}
	if !p.body("egress", &e.Body, keep("allowHosts", &e.AllowHosts, p.stringList("allowHosts"))) {
		return nil
	}
	return e
}

func (p *parser) hitl() *HITL {
	h := &HITL{}
	if !p.body("hitl", &h.Body,
		keep("descriptionPrefix", &h.DescriptionPrefix, p.text),
		keep("redactKeys", &h.RedactKeys, p.stringList("redactKeys")),
		keep("toolSwitchMap", &h.ToolSwitchMap, p.switchTable("toolSwitchMap")),
		keep("interruptOn", &h.InterruptOn, p.interruptOn)) {
		return nil
	}
	return h
}

// interruptOn reads tool names; a name followed by { takes that block.
func (p *parser) interruptOn() *InterruptOn {
	items, braces, ok := nested(p, "interruptOn", "tool in interruptOn", func(tool Ident) *Review {
		r := &Review{Tool: tool}
		if p.peek().is("{") && !p.review(r) {
			return nil
		}
		return r
	})
	if !ok {
		return nil
	}
	return &InterruptOn{Items: items, Braces: braces}
}

func (p *parser) review(r *Review) bool {
	decision := p.choice("a decision", "approve", "reject", "edit", "switch")
	return p.body("review of "+clip(r.Tool.Name), &r.Body,
		keep("allowedDecisions", &r.AllowedDecisions, func() *IdentList { return p.identList("allowedDecisions", decision) }),
		keep("description", &r.Description, p.text),
		keep("allowedEditArgs", &r.AllowedEditArgs, p.stringList("allowedEditArgs")),
		keep("deniedEditArgs", &r.DeniedEditArgs, p.stringList("deniedEditArgs")),
		keep("allowedEditPaths", &r.AllowedEditPaths, p.stringList("allowedEditPaths")),
		keep("deniedEditPaths", &r.DeniedEditPaths, p.stringList("deniedEditPaths")),
		keep("allowedEditTools", &r.AllowedEditTools, p.stringList("allowedEditTools")),
		keep("redactKeys", &r.RedactKeys, p.stringList("redactKeys")),
		keep("switchMap", &r.SwitchMap, p.switchTable("switchMap")))
}

func (p *parser) switchTable(what string) func() *SwitchTable {
	return func() *SwitchTable {
		names := distinct{what: "switch entry"}
		items, braces, ok := list(p, what, func() (SwitchEntry, outcome) {
			from := p.path("an operation name")
			if from == nil {
				return SwitchEntry{}, lost
			}
			to, entryBraces, ok := list(p, "switch entry "+clip(from.String()), func() (Path, outcome) {
				if target := p.path("an operation name"); target != nil {
					return *target, kept
				}
				return Path{}, lost
			})
			switch {
			case !ok:
				return SwitchEntry{}, lost
			case !names.add(p, from.String(), from.Span()):
				return SwitchEntry{}, dropped
			}
			return SwitchEntry{From: *from, To: to, Braces: entryBraces}, kept
		})
		if !ok {
			return nil
		}
		return &SwitchTable{Items: items, Braces: braces}
	}
}
