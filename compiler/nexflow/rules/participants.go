package rules

import (
	"terfyn/compiler/nexflow/code"
	"terfyn/compiler/nexflow/digraph"
	"terfyn/compiler/nexflow/manifest"
	"terfyn/compiler/nexflow/refs"
)

// participantRules is nexflow.md 7.1: who takes part, and whether the people in
// control are people.
var participantRules = []func(*checker){missingBridges, duplicateBridges, actorCycles, overrideAuthorities, withoutActors, legacyAgents}

// missingBridges finds agents that no actor of an ActorSet refers to.
func missingBridges(c *checker) {
	if !c.index.HasActors() {
		return
	}
	bridged := map[string]bool{}
	for _, a := range c.index.All(refs.Actor) {
		bridged[a.Node.At("agentRef", "id").Text()] = true
	}
	for _, a := range c.firsts(refs.Agent) {
		if bridged[a.ID] {
			continue
		}
		c.report(a.IDNode, finding{
			severity: manifest.Error, code: code.ActorBridgeMissing,
			message:    "No actor refers to agent " + manifest.Shown(a.ID) + ", so that it takes no part in the project.",
			suggestion: "Declare an actor of kind agent with this agentRef, or remove the agent.",
		})
	}
}

// duplicateBridges finds actors that refer to an agent which an earlier actor is.
func duplicateBridges(c *checker) {
	first := map[string]manifest.Node{}
	for _, a := range c.firsts(refs.Actor) {
		at := a.Node.At("agentRef", "id")
		agent := at.Text()
		if _, resolved := c.target(refs.Agent, at); !resolved {
			continue
		}
		earlier, again := first[agent]
		if !again {
			first[agent] = at
			continue
		}
		c.report(at, finding{
			severity: manifest.Error, code: code.ActorBridgeDuplicate,
			message:    "Actor " + manifest.Shown(a.ID) + " refers to agent " + manifest.Shown(agent) + ", which an earlier actor already stands for.",
			related:    []manifest.Node{earlier},
			suggestion: "Keep one actor for the agent.",
		})
	}
}

// actorCycles finds actors that operate or represent each other in a circle.
func actorCycles(c *checker) {
	g := digraph.New()
	actors := c.firsts(refs.Actor)
	for _, a := range actors {
		g.Node(a.ID)
	}
	for _, a := range actors {
		for _, field := range []string{"operatedBy", "representedBy"} {
			for _, r := range a.Node.Get(field).Items() {
				g.Arc(r.Get("id").Text(), a.ID)
			}
		}
	}
	for _, members := range g.Cycles() {
		first, _ := c.index.Find(refs.Actor, members[0])
		c.report(first.Node, finding{
			severity: manifest.Error, code: code.ActorCycle,
			message:    "Actor " + manifest.Shown(first.ID) + " is operated or represented by itself, directly or through others, so that nobody answers for it.",
			details:    manifest.Details{Members: shownAll(members)},
			suggestion: "Let the circle end at an actor of kind human.",
		})
	}
}

// withoutActors says that maintainers and agents stand in for actors.
func withoutActors(c *checker) {
	if c.index.HasActors() {
		return
	}
	for _, d := range c.set.Of(manifest.Project) {
		c.report(d.Node(), finding{
			severity: manifest.Info, code: code.CompatNoActorSet,
			message:    "The set has no ActorSet, so that participants are the maintainers and agents, and who of them is human is a guess.",
			suggestion: "Declare the participants in an ActorSet.",
		})
	}
}

// legacyAgentFields is what an agent carried before definitions existed, in the
// order of nexflow.md 3.2.
var legacyAgentFields = []string{"permissions", "capabilities", "contextAccess", "memoryAccess", "autonomyLevel", "providerPreferences", "extensions"}

func legacyAgents(c *checker) {
	for _, a := range c.firsts(refs.Agent) {
		var fields []string
		for _, f := range legacyAgentFields {
			if a.Node.Get(f).Exists() {
				fields = append(fields, f)
			}
		}
		if fields == nil {
			continue
		}
		c.report(a.Node, finding{
			severity: manifest.Info, code: code.CompatAgentField,
			message:    "Agent " + manifest.Shown(a.ID) + " carries behaviour fields of an older form, which have no effect.",
			details:    manifest.Details{Members: fields},
			suggestion: "Say what still holds in the agent's definition, and remove the fields.",
		})
	}
}
