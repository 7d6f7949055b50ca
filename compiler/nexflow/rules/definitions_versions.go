package rules

import (
	"terfyn/compiler/nexflow/code"
	"terfyn/compiler/nexflow/manifest"
	"terfyn/compiler/nexflow/refs"
)

// reusedVersions compares versions as text: they have no order.
func reusedVersions(c *checker) {
	for _, definitions := range c.agentsDefinitions() {
		first := map[string]manifest.Node{}
		for _, d := range definitions {
			version := d.Get("definitionVersion")
			earlier, again := first[version.Text()]
			if !again {
				first[version.Text()] = version
				continue
			}
			c.report(version, finding{
				severity: manifest.Error, code: code.DefinitionVersionReused,
				message:    "The definition " + shownID(d) + " has the version of another definition of the agent " + manifest.Shown(d.Get("agentRef").Text()) + ".",
				suggestion: "Give the later definition a version of its own.",
				related:    []manifest.Node{earlier},
			})
		}
	}
}

func replacedDefinitions(c *checker) {
	for _, d := range c.firsts(refs.AgentDefinition) {
		ref := d.Node.Get("replaces")
		replaced, ok := c.target(refs.AgentDefinition, ref)
		if !ok {
			continue
		}
		agent, other := d.Node.Get("agentRef"), replaced.Get("agentRef")
		_, known := c.target(refs.Agent, agent)
		_, both := c.target(refs.Agent, other)
		if known && both && agent.Text() != other.Text() {
			c.report(ref, finding{
				severity: manifest.Error, code: code.DefinitionReplacesMismatch,
				message:    "The definition " + shownID(d.Node) + " replaces " + shownID(replaced) + ", which is a definition of another agent.",
				suggestion: "Replace a definition of the same agent.",
			})
		}
	}
}

func elevatedAutonomy(c *checker) {
	missing := c.missingPolicy()
	if len(missing) == 0 {
		return
	}
	fields := []manifest.Node{c.set.Project().Get("defaultAutonomy")}
	for _, d := range c.firsts(refs.AgentDefinition) {
		fields = append(fields, d.Node.Get("autonomyLevel"))
	}
	for _, field := range fields {
		if field.Is("autonomous_safe") || field.Is("autonomous_extended") {
			c.report(field, finding{
				severity: manifest.Warning, code: code.ProfileElevatedAutonomyWithoutPolicy,
				message:    "The autonomy is " + field.Text() + " in a set that lacks permissions, capabilities, events or gates.",
				suggestion: "Use a lower level of autonomy.",
				details:    manifest.Details{Members: missing},
			})
		}
	}
}

// missingPolicy is what elevated autonomy needs and the set does not have.
func (c *checker) missingPolicy() []string {
	var out []string
	for _, k := range []manifest.Kind{manifest.PermissionSet, manifest.CapabilitySet, manifest.EventSet} {
		if !c.set.Has(k) {
			out = append(out, string(k))
		}
	}
	if len(c.index.All(refs.ApprovalGate)) == 0 {
		out = append(out, string(refs.ApprovalGate))
	}
	return out
}
