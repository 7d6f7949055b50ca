package lint

import (
	"fmt"
	"slices"
	"strings"

	"terfyn/compiler/diag"
	"terfyn/compiler/effects"
	"terfyn/compiler/resource"
	"terfyn/policy"
)

// preset looks for fields that take back what the preset is chosen for.
func (l *linter) preset(s subject) {
	p := s.declared
	weakened := func(field, what string) {
		l.add(diag.PresetWeakened, High, p, field, "policy %s has the preset %s and takes part of it back: %s; remove the field, or the preset that promises more than it keeps", p.Name, p.Preset, what)
	}
	switch resource.Preset(p.Preset) {
	case resource.Strict:
		if isFalse(p.Approvals.RequireAllTools) {
			weakened("approvals.requireAllTools", "requireAllTools false lets calls run unattended")
		}
		if isFalse(p.ForbidUnknownTools) {
			weakened("tools.forbidUnknownTools", "forbidUnknownTools false lets calls through that nothing permits")
		}
	case resource.ShellSafe:
		if isTrue(p.Approvals.Permissive) {
			weakened("approvals.permissive", "permissive true waives the gates that follow from tool safety, also those of tools without a shell")
		}
	}
}

// permits looks for names in the effect lists that cover nothing, or that the
// stricter list covers as well.
func (l *linter) permits(s subject) {
	p := s.declared
	check := func(list []string, field string) {
		for _, name := range list {
			if len(l.declared) == 0 || slices.ContainsFunc(l.declared, func(e string) bool { return resource.EffectCovers(name, e) }) {
				continue
			}
			hint := ""
			if near := diag.Near(name, l.declared); near != "" {
				hint = fmt.Sprintf("; did you mean %s?", near)
			}
			l.add(diag.PermitsUnknownEffect, Low, p, "effects."+field+"."+name,
				"policy %s lists %s under %s, and no operation declares that effect or one below it; correct or remove the name%s", p.Name, name, field, hint)
		}
	}
	check(p.Effects.Permit, "permit")
	check(p.Effects.PermitWithApproval, "permitWithApproval")
	for _, e := range p.Effects.Permit {
		if slices.ContainsFunc(p.Effects.PermitWithApproval, func(listed string) bool { return resource.EffectCovers(listed, e) }) {
			l.add(diag.PermitOverlap, Low, p, "effects.permit."+e,
				"policy %s lists %s under permit and covers it under permitWithApproval; the stricter rule wins, so approval is required; remove it from permit", p.Name, e)
		}
	}
}

// deciders looks for destructive calls that whoever submitted the run may approve.
func (l *linter) deciders(s subject) {
	p := s.declared
	if p.Approvals.ForbidSubmitter || p.Approvals.MinApprovals > 1 {
		return
	}
	for _, w := range s.governed {
		e, destroys := w.bound.Effect(resource.Destructive)
		if !destroys {
			continue
		}
		_, answer := l.judge(w, effects.Operation{Capability: e.Witness[len(e.Witness)-1].Name, Witness: e.Witness})
		if answer.Verdict == policy.RequireApproval {
			l.add(diag.SubmitterMayDestroy, Medium, p, "approvals",
				"policy %s lets one person approve, also the one who submitted the run, and workflow %s can have the effect destructive: %s; set forbidSubmitter true or minApprovals 2",
				p.Name, w.Name, effects.Path(e.Witness))
			return
		}
	}
}

// waiting looks at what happens while nobody answers.
func (l *linter) waiting(s subject) {
	p, a := s.declared, s.declared.Approvals
	switch {
	case a.OnTimeout == "approve" && a.TimeoutSeconds > 0:
		l.add(diag.SilenceApproves, High, p, "approvals.onTimeout",
			"under policy %s a request that nobody answers within %d seconds is approved; use reject or escalate", p.Name, a.TimeoutSeconds)
	case a.OnTimeout == "approve":
		l.add(diag.SilenceApproves, Medium, p, "approvals.onTimeout",
			"policy %s says onTimeout approve and sets no timeoutSeconds; as soon as one is set, silence approves; use reject or escalate", p.Name)
	}
	if a.InLoop != "pause" || a.TimeoutSeconds > 0 {
		return
	}
	for _, w := range s.governed {
		if len(w.Triggers) > 0 {
			l.add(diag.PausesUnattended, Medium, p, "approvals.inLoop",
				"policy %s pauses gated calls inside of agent loops, sets no timeoutSeconds, and governs workflow %s, which a trigger starts with nobody there: its runs can wait without end; set timeoutSeconds, or inLoop deny", p.Name, w.Name)
		}
	}
}

// hosts looks for entries that read like patterns.
func (l *linter) hosts(s subject) {
	p := s.declared
	for _, host := range p.AllowHosts {
		name := strings.TrimSuffix(host, ".")
		if strings.Contains(host, "*") || strings.HasPrefix(host, ".") || (!strings.ContainsAny(name, ".:") && name != "localhost") {
			l.add(diag.BroadHost, Medium, p, "egress.allowHosts."+host,
				"policy %s allows the host %q, which reads like a whole domain and not like one host; name each host in full", p.Name, host)
		}
	}
}

// budget looks for agents that may call tools without a limit of cost.
func (l *linter) budget(s subject) {
	p := s.declared
	if c := s.rules.Execution.MaxTotalCostUSD; c != "" && c != "0" {
		return
	}
	for _, w := range s.governed {
		for _, o := range w.bound.Operations {
			if o.Authority == effects.Autonomous {
				l.add(diag.NoCostCeiling, Medium, p, "execution",
					"policy %s sets no maxTotalCostUsd, and agents in workflow %s choose tool calls themselves (%s); set a limit, so that a model that goes round in circles ends", p.Name, w.Name, effects.Path(o.Witness))
				return
			}
		}
	}
}

func isTrue(b *bool) bool { return b != nil && *b }

func isFalse(b *bool) bool { return b != nil && !*b }
