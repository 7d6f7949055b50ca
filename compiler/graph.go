package compiler

import (
	"maps"

	"terfyn/compiler/diag"
	"terfyn/compiler/effects"
	"terfyn/compiler/native"
	"terfyn/compiler/resource"
	"terfyn/compiler/runnable"
	"terfyn/compiler/source"
	"terfyn/compiler/validate"
)

// The layers that every ingress shares: they know the graph, the programs and a
// Locator, and not where those came from.

// normalize puts the graph into the Result, with the limits of the layers below the
// project, and adds the schemas native operations bring along. Programs and Schemas
// are there already.
func (c *compilation) normalize(raw *resource.Graph) {
	c.result.ProjectLimits = raw.Limits
	raw.Limits = raw.Limits.Over(c.opts.Limits)
	c.result.Graph = resource.Normalize(*raw)
	maps.Copy(c.result.Schemas, native.Captured(c.result.Graph))
}

// rules runs validate and effects. raw is the graph as it was written or built,
// repeats included.
func (c *compilation) rules(raw resource.Graph, find validate.Locator) {
	c.result.Locate = find
	if !c.layer(2, func() diag.List {
		ds := validate.Graph(raw, c.result.Schemas, find, c.compiled...)
		ds.Add(unknownNative(c.result.Graph, find)...)
		ds.Add(runnable.Diagnostics(runnable.Gaps(c.result.Graph, c.result.Programs), find)...)
		return ds
	}) {
		return
	}
	c.layer(3, func() diag.List { return c.effects(find) })
}

func (c *compilation) effects(find validate.Locator) diag.List {
	var ds diag.List
	g := c.result.Graph
	c.result.Bounds = effects.Compute(g)
	for _, w := range g.Workflows {
		bound, ok := c.result.Bounds.Workflow(w.Name)
		if !ok {
			panic("compiler: workflow " + w.Name + " has no effect bound")
		}
		ds.Add(effects.CheckClause(w, bound, clause(find, w.Name, "effects"))...)
		if !c.opts.SkipPolicyBounds {
			ds.Add(effects.CheckPolicy(g, w, bound, clause(find, w.Name, "policy"))...)
		}
	}
	return ds
}

// clause is the place of a clause of a workflow, or of its name.
func clause(find validate.Locator, workflow, word string) source.Span {
	return firstOf(find(resource.KindWorkflow, workflow, word), find(resource.KindWorkflow, workflow, ""))
}
