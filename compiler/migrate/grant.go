package migrate

import (
	"strings"

	"go.yaml.in/yaml/v3"

	"terfyn/compiler/resource"
)

// bareGrant is a tool name among the tools of an agent.
type bareGrant struct {
	object *object
	node   *yaml.Node
	agent  int // index in the graph
	grant  int // index in the agent's grants
}

// resolveGrants turns bare tool names into the one operation of the tool. Where
// there is not exactly one, the author has to choose: granting all would widen
// what the agent may do.
func (c *conversion) resolveGrants() {
	for _, b := range c.bare {
		name := b.node.Value
		t, ok := c.graph.Tool(name)
		if !ok {
			b.object.fail(b.node, "there is no tool %q", name)
			continue
		}
		if len(t.Operations) == 1 {
			c.graph.Agents[b.agent].Grants[b.grant] = resource.Capability(name, t.Operations[0].Name)
			continue
		}
		choice := "tool." + name + ".<operation>"
		if len(t.Operations) > 1 {
			var all []string
			for _, o := range t.Operations {
				all = append(all, resource.Capability(name, o.Name))
			}
			choice = strings.Join(all, ", ")
		}
		b.object.fail(b.node, "the tool name %q stands for an operation that is not said; a grant names it: %s", name, choice)
	}
}
