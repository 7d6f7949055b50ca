package team

import (
	"terfyn/compiler/nexflow/manifest"
	"terfyn/compiler/nexflow/refs"
)

// Team is the participants of a set and the permissions about them.
type Team struct {
	index   *refs.Index
	actorOf map[string]string // agent id to the first actor that refers to it
	// strict is the permissions that deny or ask for approval, lax all others.
	strict, lax *Rules
	defined     map[string]bool // agents that have a definition
	approvers   map[string]bool // everyone whom a gate lists
}

// New reads the team out of an index.
func New(x *refs.Index) *Team {
	t := &Team{index: x, actorOf: map[string]string{}, strict: rulesOf(x, strictRank), lax: rulesOf(x, laxRank), defined: map[string]bool{}, approvers: map[string]bool{}}
	for _, a := range x.All(refs.Actor) {
		agent := a.Node.At("agentRef", "id").Text()
		if _, taken := t.actorOf[agent]; agent != "" && !taken {
			t.actorOf[agent] = a.ID
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

// ParticipantOf is the participant that acts with a definition: the actor that
// refers to its agent, without an ActorSet the agent itself. It is false when
// there is none.
func (t *Team) ParticipantOf(definition manifest.Node) (id string, ok bool) {
	return t.ActsFor(definition.Get("agentRef").Text())
}

// ActsFor is ParticipantOf for every definition of an agent.
func (t *Team) ActsFor(agent string) (id string, ok bool) {
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
