package resource

import (
	"fmt"
	"slices"
	"strings"
)

// maxShownName is the longest tool name providers accept.
const maxShownName = 128

// EscalateTool is the name of the built-in tool of agents that may escalate.
const EscalateTool = "escalate"

// Shown pairs the name a model sees with the capability it stands for.
type Shown struct {
	Name       string
	Capability string
}

// ShownName is the tool name the model of agent sees for a granted capability
// (language.md 4.1): the tool alone when it is the only granted operation of its
// tool, else tool and operation. Delegates are agent_<Name> and workflow_<Name>.
func ShownName(agent Agent, capability string) string {
	tool, operation, ok := SplitCapability(capability)
	if !ok {
		return providerSafe(strings.ReplaceAll(capability, ".", "_"))
	}
	operations := map[string]bool{operation: true}
	for _, grant := range agent.Grants {
		if t, o, ok := SplitCapability(grant); ok && t == tool {
			operations[o] = true
		}
	}
	if len(operations) == 1 {
		return providerSafe(tool)
	}
	return providerSafe(tool + "_" + operation)
}

// ShownNames lists the names of all grants of agent, sorted by name. Two grants
// with one name, or a grant that takes the name of the built-in escalate tool,
// are an error that names both; the list is complete all the same.
func ShownNames(agent Agent) ([]Shown, error) {
	var out []Shown
	for _, grant := range set(agent.Grants) {
		out = append(out, Shown{Name: ShownName(agent, grant), Capability: grant})
	}
	slices.SortStableFunc(out, func(a, b Shown) int { return strings.Compare(a.Name, b.Name) })
	for i, s := range out {
		if i > 0 && out[i-1].Name == s.Name {
			return out, fmt.Errorf("the grants %s and %s of agent %s are both shown to the model as %q", out[i-1].Capability, s.Capability, agent.Name, s.Name)
		}
		if agent.MayEscalate && s.Name == EscalateTool {
			return out, fmt.Errorf("the grant %s of agent %s is shown to the model as %q, which is the built-in tool of an agent with mayEscalate", s.Capability, agent.Name, s.Name)
		}
	}
	return out, nil
}

func providerSafe(name string) string {
	safe := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '_', r == '-':
			return r
		default:
			return '_'
		}
	}, name)
	return safe[:min(len(safe), maxShownName)]
}
