package chart

import (
	"slices"

	"terfyn/compiler/resource"
	"terfyn/policy"
)

// gates asks policy about every call of an operation: a written one under its own
// workflow, a granted one under each workflow that reaches the agent, one that
// reconciles under those of the calls it is asked about. Arguments are not known, so
// a rule that looks at them shows its strict side.
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
	callers := map[string][]string{} // workflows by operation that calls under them may be of
	for _, e := range c.Edges {
		switch e.Kind {
		case Call:
			callers[e.To] = append(callers[e.To], b.nodes[e.From].Name)
		case Grant:
			callers[e.To] = append(callers[e.To], under[b.nodes[e.From].Name]...)
		}
	}
	for _, e := range b.edges {
		tool, operation, ok := resource.SplitCapability(e.To)
		if ok && e.Kind == Reconcile {
			workflows := slices.Compact(slices.Sorted(slices.Values(callers[e.From])))
			for _, w := range workflows {
				e.Gates = append(e.Gates, gate(w, policy.EvaluateReconcile(&b.g, policy.Call{Workflow: w, Tool: tool, Operation: operation}))...)
			}
		}
		if !ok || (e.Kind != Call && e.Kind != Grant) {
			continue
		}
		from := b.nodes[e.From]
		if from.Kind == Workflow {
			e.Gates = gate(from.Name, policy.Evaluate(&b.g, policy.Call{Workflow: from.Name, Tool: tool, Operation: operation}))
			continue
		}
		workflows := under[from.Name]
		if len(workflows) == 0 {
			workflows = []string{""}
		}
		for _, w := range workflows {
			e.Gates = append(e.Gates, gate(w, policy.Evaluate(&b.g, policy.Call{Workflow: w, Agent: from.Name, Tool: tool, Operation: operation}))...)
		}
	}
}

func gate(workflow string, answer policy.Answer) []Gate {
	if answer.Verdict == policy.Allow {
		return nil
	}
	return []Gate{{Workflow: workflow, Verdict: answer.Verdict.String(), Rule: answer.Rule()}}
}
