package lint

import (
	"fmt"
	"slices"
	"strings"

	"terfyn/compiler/diag"
	"terfyn/compiler/resource"
	"terfyn/policy"
)

// approvers looks for policies whose approvals fewer people can give in the
// environment than have to: what they gate there waits without end.
func (l *linter) approvers(s subject) {
	if len(s.governed)+len(s.agents) == 0 {
		return
	}
	p := s.declared
	if names, need := l.mayDecide(s.rules); names != nil && len(names) < need {
		field := "approvals.approvers"
		if len(names) > 0 {
			field = "approvals.minApprovals"
		}
		l.add(diag.NobodyDecides, High, p, field, "%s what policy %s asks about%s; %s, or change the approvers of the policy",
			l.tooFew(names, need), p.Name, l.emptyGroups(p), l.remedy())
		return
	}
	l.together(s)
}

// mayDecide lists who may decide under a policy, nil for anybody, and how many have to.
func (l *linter) mayDecide(p resource.Policy) (names []string, need int) {
	return policy.Approvers(&l.Graph, l.Environment, p), max(1, int(p.Approvals.MinApprovals))
}

// together looks for agents whose own policy leaves too few of the workflow's approvers.
func (l *linter) together(s subject) {
	var told []string
	for _, w := range s.governed {
		for _, o := range w.bound.Operations {
			call, answer := l.judge(w, o)
			a, _ := l.Graph.Agent(call.Agent)
			own, ok := l.Graph.ResolvePolicy(a.Policy)
			if answer.Verdict != policy.RequireApproval || !ok || own.Name == s.rules.Name || slices.Contains(told, a.Name) {
				continue
			}
			if names, need := l.mayDecide(own); names != nil && len(names) < need {
				continue // told with that policy
			}
			d := policy.DecidersFor(&l.Graph, l.Environment, call)
			if need := max(1, d.MinApprovals); d.Names != nil && len(d.Names) < need {
				told = append(told, a.Name)
				l.add(diag.NobodyDecides, High, s.declared, "approvals.approvers",
					"%s calls of agent %s in workflow %s: the approvers of policy %s and of the agent's policy %s are intersected; name somebody in both",
					l.tooFew(d.Names, need), a.Name, w.Name, s.declared.Name, own.Name)
			}
		}
	}
}

// tooFew starts a message.
func (l *linter) tooFew(names []string, need int) string {
	if len(names) == 0 {
		return "in environment " + l.where() + " nobody can decide"
	}
	return fmt.Sprintf("in environment %s nobody can decide, since %d have to and only %s can,", l.where(), need, strings.Join(names, ", "))
}

// emptyGroups names the groups of a policy that nobody belongs to where it applies.
func (l *linter) emptyGroups(p resource.Policy) string {
	var empty []string
	for _, who := range p.Approvals.Approvers {
		if e, _ := l.Graph.Environment(l.Environment); strings.HasPrefix(who, "group:") && len(e.Groups[strings.TrimPrefix(who, "group:")]) == 0 {
			empty = append(empty, who)
		}
	}
	if len(empty) == 0 {
		return ""
	}
	return " (" + strings.Join(empty, ", ") + " has no members there)"
}

func (l *linter) remedy() string {
	if _, declared := l.Graph.Environment(l.Environment); declared {
		return "name people in the environment"
	}
	return "choose an environment that names people with -e, declare this one"
}

func (l *linter) where() string {
	if l.Environment == "" {
		return "(none)"
	}
	return l.Environment
}
