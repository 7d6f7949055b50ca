package lint

import (
	"slices"
	"strings"

	"terfyn/compiler/diag"
	"terfyn/compiler/effects"
	"terfyn/compiler/resource"
	"terfyn/internal/ordered"
	"terfyn/policy"
)

func (l *linter) unused(s subject) {
	p := s.declared
	if len(s.governed)+len(s.agents) > 0 || l.Graph.Defaults.Policy == p.Name {
		return
	}
	l.add(diag.PolicyUnused, Low, p, "", "policy %s governs no workflow and no agent; name it in one, or remove it", p.Name)
}

// permissive looks for calls that only the waiver lets through.
func (l *linter) permissive(s subject) {
	p := s.declared
	if !isTrue(s.rules.Approvals.Permissive) {
		return
	}
	var calls []string
	for _, w := range s.governed {
		for _, o := range w.bound.Operations {
			call, answer := l.judge(w, o)
			tool, known := l.Graph.Tool(call.Tool)
			if known && answer.Verdict == policy.Allow && !isTrue(tool.Safety.Trusted) && tool.HasSideEffects(call.Operation) {
				calls = append(calls, o.Capability+" in workflow "+w.Name)
			}
		}
	}
	field := "approvals.permissive"
	if p.Approvals.Permissive == nil {
		field = "preset"
	}
	if len(calls) > 0 {
		l.add(diag.PermissiveWithEffects, High, p, field,
			"policy %s is permissive, so these calls of untrusted tools with side effects run without a person: %s; list them under approvals.requiredFor, or mark the tools as trusted if that is meant",
			p.Name, strings.Join(calls, ", "))
	}
}

// requiredFor looks for approvals that no call under the policy can meet.
func (l *linter) requiredFor(s subject) {
	p := s.declared
	for _, c := range p.Approvals.RequiredFor {
		field := "approvals.requiredFor." + c
		if slices.ContainsFunc(s.governed, func(w reach) bool { return reaches(w.bound, c) }) || l.chosenUnder(s, c) {
			continue
		}
		if elsewhere := l.reaching[c]; elsewhere != "" {
			l.add(diag.ApprovalUnreachable, Medium, p, field,
				"policy %s requires approval for %s, but only workflows it does not govern reach it, such as %s; give them this policy, or put the rule into theirs", p.Name, c, elsewhere)
			continue
		}
		l.add(diag.ApprovalUnreachable, Low, p, field,
			"policy %s requires approval for %s, which no workflow can reach; remove the entry, unless it guards a call that is still to come", p.Name, c)
	}
}

func reaches(b effects.Bound, capability string) bool {
	_, ok := b.Operation(capability)
	return ok
}

// chosenUnder reports whether an agent that names the policy may choose a capability.
func (l *linter) chosenUnder(s subject, capability string) bool {
	return slices.ContainsFunc(s.agents, func(name string) bool {
		a, _ := l.Graph.Agent(name)
		return slices.Contains(a.Grants, capability)
	})
}

// reviews looks for review options of tools whose calls nothing stops: interruptOn
// never gates by itself.
func (l *linter) reviews(s subject) {
	p := s.declared
	for _, tool := range ordered.Keys(p.Hitl.InterruptOn) {
		if !l.gated(s, tool) {
			l.add(diag.ReviewWithoutGate, Low, p, "hitl.interruptOn."+tool,
				"policy %s has review options for tool %s, but no call of it that the policy governs stops for a person, and interruptOn does not make it stop; list the calls under approvals.requiredFor, or remove the options",
				p.Name, tool)
		}
	}
}

func (l *linter) gated(s subject, tool string) bool {
	for _, w := range l.Bounds.Workflows {
		under := slices.ContainsFunc(s.governed, func(g reach) bool { return g.Name == w.Name })
		workflow, _ := l.Graph.Workflow(w.Name)
		for _, o := range w.Operations {
			call, answer := l.judge(reach{workflow, w}, o)
			if call.Tool == tool && answer.Verdict == policy.RequireApproval && (under || slices.Contains(s.agents, call.Agent)) {
				return true
			}
		}
	}
	return false
}

// clauses compares the effects clauses of governed workflows with the policy.
func (l *linter) clauses(s subject) {
	p := s.declared
	if !l.Graph.DeclaresEffects() {
		return
	}
	for _, w := range s.governed {
		for _, e := range w.Effects {
			if s.rules.EffectRule(e) == resource.EffectForbidden {
				l.addAt(diag.ClauseBeyondPolicy, Low, p, l.place(resource.KindWorkflow, w.Name, "effects"),
					"the effects clause of workflow %s lists %s, which its policy %s does not permit as a whole; narrow the clause to what the policy permits, or permit the effect", w.Name, e, p.Name)
			}
		}
	}
}
