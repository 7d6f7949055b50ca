package chart

import (
	"terfyn/compiler/resource"
	"terfyn/policy"
)

// gates asks policy about every call of an operation: a written one under its own
// workflow, a granted one under each workflow that reaches the agent. Arguments are
// not known, so a rule that looks at them shows its strict side.
func (b *builder) gates(c Chart) {
	under := map[string][]string{} // workflows by agent that they reach
	for _, w := range b.g.Workflows {
		reached := c.Reachable(workflowID(w.Name))
		for _, a := range b.g.Agents {
			if reached[agentID(a.Name)] {
				under[a.Name] = append(under[a.Name], w.Name)
			}
		}
	}
	for _, e := range b.edges {
		tool, operation, ok := resource.SplitCapability(e.To)
		if !ok || (e.Kind != Call && e.Kind != Grant) {
			continue
		}
		from := b.nodes[e.From]
		if from.Kind == Workflow {
			e.Gates = gate(&b.g, policy.Call{Workflow: from.Name, Tool: tool, Operation: operation})
			continue
		}
		workflows := under[from.Name]
		if len(workflows) == 0 {
			workflows = []string{""}
		}
		for _, w := range workflows {
			e.Gates = append(e.Gates, gate(&b.g, policy.Call{Workflow: w, Agent: from.Name, Tool: tool, Operation: operation})...)
		}
	}
}

func gate(g *resource.Graph, c policy.Call) []Gate {
	answer := policy.Evaluate(g, c)
	if answer.Verdict == policy.Allow {
		return nil
	}
	return []Gate{{Workflow: c.Workflow, Verdict: answer.Verdict.String(), Rule: answer.Rule()}}
}
