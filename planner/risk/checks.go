package risk

import (
	"slices"

	"terfyn/compiler/resource"
)

// checks reports values of agents and workflows that nothing checks any more, and
// claims that are given up.
func (a *assessment) checks() {
	for _, agent := range a.After.Agents {
		old, ok := a.old.agents[agent.Name]
		if !ok {
			continue
		}
		target := id(resource.KindAgent, agent.Name)
		a.check(target, "The input", old.Input, agent.Input)
		a.check(target, "The output", old.Output, agent.Output)
		if isTrue(old.Constraints.RequireStructuredOutput) && !isTrue(agent.Constraints.RequireStructuredOutput) {
			a.add(PolicyRelaxation, Low, target, "constraints.requireStructuredOutput is no longer set (%s).", target)
		}
	}
	for _, w := range a.After.Workflows {
		old, ok := a.old.workflows[w.Name]
		if !ok {
			continue
		}
		target := id(resource.KindWorkflow, w.Name)
		a.check(target, "The result", old.Result, w.Result)
		for _, p := range old.Params {
			i := slices.IndexFunc(w.Params, func(q resource.Param) bool { return q.Name == p.Name })
			if i >= 0 {
				a.check(target, "The parameter "+p.Name, p.Schema, w.Params[i].Schema)
			}
		}
		if old.WorkingTree && !w.WorkingTree {
			a.add(PolicyRelaxation, Medium, target, "%s no longer claims its working tree for itself.", target)
		}
		if old.EffectsBound && !w.EffectsBound {
			a.add(PolicyRelaxation, Low, target, "%s no longer asserts an upper bound of its effects.", target)
		}
	}
}

func (a *assessment) check(target, what, before, after string) {
	switch {
	case before == "":
	case after == "":
		a.add(PolicyRelaxation, Medium, target, "%s of %s is no longer checked against a schema.", what, target)
	case before == after && slices.Contains(a.ChangedSchemas, before):
		a.add(PolicyRelaxation, Low, target, "The schema %s, which checks %s of %s, changed.", before, lower(what), target)
	}
}

func lower(what string) string { return "t" + what[1:] }
