package risk

import (
	"slices"

	"terfyn/compiler/resource"
)

// checks reports values of agents and workflows that nothing checks any more, or
// something else does, and claims that are given up.
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
		a.params(target, old.Params, w.Params)
		if old.WorkingTree && !w.WorkingTree {
			a.add(PolicyRelaxation, Medium, target, "%s no longer claims its working tree for itself.", target)
		}
		if old.EffectsBound && !w.EffectsBound {
			a.add(PolicyRelaxation, Low, target, "%s no longer asserts an upper bound of its effects.", target)
		}
		if old.EffectsBound && w.EffectsBound {
			a.asserted(target, old.Effects, w.Effects)
		}
	}
}

// asserted reports effects that a workflow lets itself have now.
func (a *assessment) asserted(target string, before, after []string) {
	for _, e := range after {
		if !slices.ContainsFunc(before, func(listed string) bool { return resource.EffectCovers(listed, e) }) {
			a.add(PolicyRelaxation, Low, target, "%s asserts a wider bound of its effects: %s is in it now.", target, e)
		}
	}
}

// params compares parameters by name; those that only one side has are taken for
// renamed ones, in their order.
func (a *assessment) params(target string, before, after []resource.Param) {
	has := func(list []resource.Param, name string) bool {
		return slices.ContainsFunc(list, func(p resource.Param) bool { return p.Name == name })
	}
	var added []resource.Param
	for _, p := range after {
		if !has(before, p.Name) {
			added = append(added, p)
		}
	}
	for _, p := range before {
		if i := slices.IndexFunc(after, func(q resource.Param) bool { return q.Name == p.Name }); i >= 0 {
			a.check(target, "The parameter "+p.Name, p.Schema, after[i].Schema)
		} else if len(added) > 0 {
			a.check(target, "The parameter "+added[0].Name+" (was "+p.Name+")", p.Schema, added[0].Schema)
			added = added[1:]
		}
	}
}

func (a *assessment) check(target, what, before, after string) {
	switch {
	case before == "":
	case after == "":
		a.add(PolicyRelaxation, Medium, target, "%s of %s is no longer checked against a schema.", what, target)
	case a.Schemas.Same(before, after):
	case before == after:
		a.add(PolicyRelaxation, Low, target, "The schema %s, which checks %s of %s, changed.", before, lower(what), target)
	default:
		a.add(PolicyRelaxation, Low, target, "%s of %s is checked against %s instead of %s.", what, target, after, before)
	}
}

func lower(what string) string { return "t" + what[1:] }
