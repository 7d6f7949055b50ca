package team

import (
	"terfyn/compiler/nexflow/manifest"
	"terfyn/compiler/nexflow/refs"
)

// Team is the participants of a set and the permissions about them.
type Team struct {
	index     *refs.Index
	actorOf   map[string]string // agent id to the first actor that refers to it
	rules     map[pair][]manifest.Node
	defined   map[string]bool // agents that have a definition
	approvers map[string]bool // everyone whom a gate lists
}

type pair struct{ subject, capability string }

// New reads the team out of an index.
func New(x *refs.Index) *Team {
	t := &Team{index: x, actorOf: map[string]string{}, rules: map[pair][]manifest.Node{}, defined: map[string]bool{}, approvers: map[string]bool{}}
	for _, a := range x.All(refs.Actor) {
		agent := a.Node.At("agentRef", "id").Text()
		if _, taken := t.actorOf[agent]; agent != "" && !taken {
			t.actorOf[agent] = a.ID
		}
	}
	for _, p := range x.All(refs.Permission) {
		for _, subject := range p.Node.Get("subjects").Texts() {
			for _, capability := range p.Node.Get("capabilities").Texts() {
				at := pair{subject, capability}
				t.rules[at] = append(t.rules[at], p.Node)
			}
		}
	}
	for _, d := range x.All(refs.AgentDefinition) {
		t.defined[d.Node.Get("agentRef").Text()] = true
	}
	for _, g := range x.All(refs.ApprovalGate) {
		for _, id := range g.Node.Get("requiredApprovers").Texts() {
			t.approvers[id] = true
		}
	}
	return t
}

// Effect is what permissions say together. The zero Effect is that none speaks,
// which is no permission.
type Effect string

// The effects, the weakest claim last.
const (
	Deny             Effect = "deny"
	ApprovalRequired Effect = "approval_required"
	Allow            Effect = "allow"
	None             Effect = "none"
)

// Effect is the effect of all permissions of the set that list both subject and
// capability: a denial wins over approval, approval over allowance (nexflow.md
// 7.2).
func (t *Team) Effect(subject, capability string) Effect {
	out := None
	for _, p := range t.rules[pair{subject, capability}] {
		switch e := Effect(p.Get("effect").Text()); {
		case e == Deny:
			return Deny
		case e == ApprovalRequired:
			out = ApprovalRequired
		case e == Allow && out == None:
			out = Allow
		}
	}
	return out
}

// Permissions is the permissions that list both subject and capability, in the
// order of the documents.
func (t *Team) Permissions(subject, capability string) []manifest.Node {
	return t.rules[pair{subject, capability}]
}

// ParticipantOf is the participant that acts with a definition: the actor that
// refers to its agent, without an ActorSet the agent itself. It is false when
// there is none.
func (t *Team) ParticipantOf(definition manifest.Node) (id string, ok bool) {
	agent := definition.Get("agentRef").Text()
	if t.index.HasActors() {
		id, ok = t.actorOf[agent]
		return id, ok
	}
	_, ok = t.index.Find(refs.Agent, agent)
	return agent, ok
}

// NonHuman reports whether a participant is known to be no human: an agent,
// automation or service; without an ActorSet someone who has a definition, or an
// agent that is neither maintainer nor approver of a gate (nexflow.md 7.1).
func (t *Team) NonHuman(id string) bool {
	if t.index.HasActors() {
		a, ok := t.index.Find(refs.Actor, id)
		if !ok {
			return false
		}
		switch a.Node.Get("kind").Text() {
		case "agent", "automation", "service":
			return true
		}
		return false
	}
	if t.defined[id] {
		return true
	}
	_, agent := t.index.Find(refs.Agent, id)
	_, maintainer := t.index.Find(refs.Maintainer, id)
	return agent && !maintainer && !t.approvers[id]
}

// Participants is everyone who takes part, in the order of the documents and each
// once: actors, or without an ActorSet maintainers and then agents.
func (t *Team) Participants() []refs.Declaration {
	var out []refs.Declaration
	seen := map[string]bool{}
	for _, space := range t.spaces() {
		for _, d := range t.index.All(space) {
			if !seen[d.ID] {
				seen[d.ID] = true
				out = append(out, d)
			}
		}
	}
	return out
}

func (t *Team) spaces() []refs.Space {
	if t.index.HasActors() {
		return []refs.Space{refs.Actor}
	}
	return []refs.Space{refs.Maintainer, refs.Agent}
}
