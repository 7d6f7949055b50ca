package rules_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"terfyn/compiler/nexflow/manifest"
	"terfyn/compiler/nexflow/refs"
	"terfyn/compiler/nexflow/rules"
	"terfyn/compiler/nexflow/team"
)

// slow finds what nexflow.md 7.2 says by going through everything with everything.
type slow struct {
	x     *refs.Index
	team  *team.Team // for who is human
	found []string
	known map[[2]string]string // what effect found
}

func (s *slow) add(head string, at manifest.Node, related ...string) {
	line := head + " " + at.File()[:len(at.File())-len(".yaml")] + " " + at.Path()
	slices.Sort(related)
	for i, r := range related {
		line += []string{" => ", ", "}[min(i, 1)] + r
	}
	s.found = append(s.found, line)
}

func (s *slow) declared(space refs.Space, id string) bool {
	_, ok := s.x.Find(space, id)
	return ok
}

// effect is the strictest of all permissions that list both.
func (s *slow) effect(subject, capability string) string {
	if e, known := s.known[[2]string{subject, capability}]; known {
		return e
	}
	effects := map[string]bool{"none": true}
	for _, p := range s.x.All(refs.Permission) {
		if p.Node.Get("subjects").Lists(subject) && p.Node.Get("capabilities").Lists(capability) {
			effects[p.Node.Get("effect").Text()] = true
		}
	}
	all := []string{"deny", "approval_required", "allow", "none"}
	e := all[slices.IndexFunc(all, func(e string) bool { return effects[e] })]
	s.known[[2]string{subject, capability}] = e
	return e
}

func (s *slow) check() []string {
	for _, p := range s.x.All(refs.Permission) {
		s.shadows(p.Node)
		s.risks(p.Node)
	}
	for _, d := range s.x.All(refs.AgentDefinition) {
		s.requests(d.Node)
	}
	for _, task := range s.x.All(refs.Task) {
		for _, at := range task.Node.Get("capabilitiesRequired").Items() {
			s.need(task, at)
		}
	}
	for _, g := range s.x.All(refs.ApprovalGate) {
		for _, at := range g.Node.Get("requiredApprovers").Items() {
			s.approver(g.ID, at)
		}
	}
	for _, rule := range s.x.All(refs.NetworkRule) {
		for _, at := range rule.Node.Get("actors").Items() {
			e := s.effect(at.Text(), "access_network")
			if s.declared(refs.Participant, at.Text()) && !rule.Node.Get("effect").Is("deny") && e != "allow" && e != "approval_required" {
				s.add("W TERFYN-NETWORK-ACTOR-UNAUTHORIZED", at)
			}
		}
	}
	slices.Sort(s.found)
	return s.found
}

func (s *slow) shadows(p manifest.Node) {
	for _, by := range []struct{ effect, code string }{{"deny", "W TERFYN-POLICY-SHADOWED-BY-DENY"}, {"approval_required", "W TERFYN-POLICY-SHADOWED-BY-GATE"}} {
		var related []string
		for _, q := range s.x.All(refs.Permission) {
			if q.Node.Get("effect").Is(by.effect) && len(related) < 200 && s.loses(p, q.Node, by.effect) {
				related = append(related, "permissions "+q.Node.Path()+"/effect")
			}
		}
		if effect := p.Get("effect"); related != nil && (effect.Is("allow") || effect.Is("approval_required") && by.effect == "deny") {
			s.add(by.code, effect, related...)
		}
	}
}

// loses reports whether something that p and q both list has the effect of q.
func (s *slow) loses(p, q manifest.Node, effect string) bool {
	for _, subject := range p.Get("subjects").Texts() {
		for _, capability := range p.Get("capabilities").Texts() {
			if q.Get("subjects").Lists(subject) && q.Get("capabilities").Lists(capability) && s.declared(refs.Participant, subject) &&
				s.declared(refs.Capability, capability) && s.effect(subject, capability) == effect {
				return true
			}
		}
	}
	return false
}

func (s *slow) risks(p manifest.Node) {
	for _, at := range p.Get("capabilities").Items() {
		capability, ok := s.x.Find(refs.Capability, at.Text())
		free := slices.ContainsFunc(p.Get("subjects").Texts(), func(id string) bool {
			return s.declared(refs.Participant, id) && s.team.NonHuman(id) && s.effect(id, at.Text()) == "allow"
		})
		if ok && free && p.Get("effect").Is("allow") && capability.Node.Get("risk").Is("high") {
			s.add("W TERFYN-SAFETY-UNGATED-RISK", at)
		}
	}
}

func (s *slow) requests(d manifest.Node) {
	who := "p" + d.Get("agentRef").Text()[1:]
	for _, at := range d.At("components", "capabilityRefs").Items() {
		switch e := s.effect(who, at.Text()); {
		case !s.declared(refs.Capability, at.Text()):
		case e == "deny":
			s.add("W TERFYN-POLICY-CAPABILITY-DENIED", at)
		case e == "none":
			s.add("W TERFYN-POLICY-CAPABILITY-UNAUTHORIZED", at)
		}
	}
	for _, at := range d.At("components", "permissionRefs").Items() {
		if p, ok := s.x.Find(refs.Permission, at.Text()); ok && !p.Node.Get("subjects").Lists(who) {
			s.add("W TERFYN-POLICY-PERMISSION-NOT-APPLICABLE", at)
		}
	}
}

func (s *slow) need(task refs.Declaration, at manifest.Node) {
	owner := task.Node.Get("owner").Text()
	if !s.declared(refs.Participant, owner) || !s.declared(refs.Capability, at.Text()) {
		return
	}
	switch s.effect(owner, at.Text()) {
	case "deny":
		s.add("E TERFYN-POLICY-TASK-CAPABILITY-DENIED", at)
	case "none":
		if !slices.ContainsFunc(task.Node.Get("participants").Texts(), func(id string) bool {
			e := s.effect(id, at.Text())
			return !s.declared(refs.Participant, id) || e == "allow" || e == "approval_required"
		}) {
			s.add("W TERFYN-POLICY-TASK-CAPABILITY-UNAUTHORIZED", at)
		}
	case "approval_required":
		gates := s.gatesOf(task)
		if named, served := s.gatesFor(owner, at.Text(), gates); named && !served {
			s.add("W TERFYN-POLICY-TASK-GATE-MISSING", at)
		}
	}
}

// gatesOf is the gates of a task and of the steps that run it.
func (s *slow) gatesOf(task refs.Declaration) []string {
	gates := task.Node.Get("approvalGates").Texts()
	for _, step := range s.x.All(refs.WorkflowStep) {
		if step.Node.Get("task").Is(task.ID) {
			gates = append(gates, step.Node.Get("approvalGates").Texts()...)
		}
	}
	return gates
}

// gatesFor reports whether the permissions that make something subject to approval
// name a gate, and whether one of them serves, or one on either side may be any.
func (s *slow) gatesFor(subject, capability string, gates []string) (named, served bool) {
	undeclared := func(gate string) bool { return !s.declared(refs.ApprovalGate, gate) }
	served = slices.ContainsFunc(gates, undeclared)
	for _, p := range s.x.All(refs.Permission) {
		gate := p.Node.Get("approvalGate")
		if p.Node.Get("subjects").Lists(subject) && p.Node.Get("capabilities").Lists(capability) && p.Node.Get("effect").Is("approval_required") && gate.Exists() {
			named = true
			served = served || undeclared(gate.Text()) || slices.Contains(gates, gate.Text())
		}
	}
	return named, served
}

func (s *slow) approver(gate string, at manifest.Node) {
	if !s.declared(refs.Participant, at.Text()) || !s.team.NonHuman(at.Text()) {
		return
	}
	var related []string
	for _, p := range s.x.All(refs.Permission) {
		if p.Node.Get("approvalGate").Is(gate) && p.Node.Get("subjects").Lists(at.Text()) && len(related) < 200 {
			related = append(related, "permissions "+p.Node.Path()+"/subjects")
		}
	}
	for _, task := range s.x.All(refs.Task) {
		if task.Node.Get("owner").Is(at.Text()) && slices.Contains(s.gatesOf(task), gate) && len(related) < 200 {
			related = append(related, "tasks "+task.Node.Path()+"/owner")
		}
	}
	if related != nil {
		s.add("W TERFYN-GATE-SELF-APPROVAL", at, related...)
	}
}

// TestAgainstTheSlowWay compares the findings about random sets.
func TestAgainstTheSlowWay(t *testing.T) {
	t.Parallel()
	total := map[string]int{}
	for seed := range uint64(130) {
		x := randomSet(t, seed).Index()
		s := &slow{x: x, team: team.New(x), known: map[[2]string]string{}}
		want := s.check()
		codes := map[string]bool{}
		for _, code := range slowCodes {
			codes[code] = true
		}
		got := []string{}
		records := rules.Check(x)
		manifest.Sort(records)
		for _, r := range records {
			if codes[string(r.Code)] {
				got = append(got, noted(r))
				total[string(r.Code)]++
			}
		}
		slices.Sort(got)
		if diff := cmp.Diff(append([]string{}, want...), got); diff != "" {
			t.Fatalf("seed %d: findings (-want +got):\n%s", seed, diff)
		}
	}
	for _, code := range slowCodes {
		if total[code] < 10 {
			t.Errorf("%s came %d times", code, total[code])
		}
	}
}

var slowCodes = []string{
	"TERFYN-POLICY-SHADOWED-BY-DENY", "TERFYN-POLICY-SHADOWED-BY-GATE", "TERFYN-SAFETY-UNGATED-RISK", "TERFYN-POLICY-CAPABILITY-DENIED",
	"TERFYN-POLICY-CAPABILITY-UNAUTHORIZED", "TERFYN-POLICY-PERMISSION-NOT-APPLICABLE", "TERFYN-POLICY-TASK-CAPABILITY-DENIED",
	"TERFYN-POLICY-TASK-CAPABILITY-UNAUTHORIZED", "TERFYN-POLICY-TASK-GATE-MISSING", "TERFYN-GATE-SELF-APPROVAL", "TERFYN-NETWORK-ACTOR-UNAUTHORIZED",
}
