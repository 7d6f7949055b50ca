package validate

import (
	"cmp"
	"slices"
	"strings"

	"terfyn/compiler/resource"
)

func (v *validator) workflow(w resource.Workflow) {
	p := place{kind: resource.KindWorkflow, name: w.Name}
	v.name(p)
	v.policyReference(p.in("policy"), w.Policy)
	seen := map[string]bool{}
	for _, param := range w.Params {
		if seen[param.Name] {
			v.duplicateParameter(p.in("params", param.Name), param.Name)
		}
		seen[param.Name] = true
		v.schema(p.in("params", param.Name), param.Schema)
	}
	v.schema(p.in("result"), w.Result)
	for _, e := range w.Effects {
		v.effect(p.in("effects", e), e)
	}
	v.atLeast(p.in("timeoutSeconds"), "timeoutSeconds", w.TimeoutSeconds, 0)
	for _, c := range w.Calls {
		v.call(p.in("calls", c.Site), c)
	}
	for _, t := range w.Triggers {
		v.trigger(p.in("triggers"), t)
	}
	v.steps(p.in("steps"), w.Steps)
}

func (v *validator) call(p place, c resource.Reference) {
	switch c.Kind {
	case "agent":
		if _, ok := v.g.Agent(c.Name); !ok {
			v.noTarget(p, "agent", c.Name)
		}
	case "workflow":
		if _, ok := v.g.Workflow(c.Name); !ok {
			v.noTarget(p, "workflow", c.Name)
		}
	case "tool":
		v.capability(p, "a call", "tool."+strings.TrimPrefix(c.Name, "tool."))
	default:
		v.choice(p, "the kind of a call", cmp.Or(c.Kind, "(none)"), "agent", "tool", "workflow")
	}
}

func (v *validator) trigger(p place, t resource.Trigger) {
	v.choice(p, "the kind of a trigger", cmp.Or(t.Kind, "(none)"), "schedule", "event")
	v.choice(p, "overlap", t.Overlap, "skip", "bufferOne", "allowAll")
	fields := len(strings.Fields(t.Cron))
	switch {
	case t.Kind == "schedule" && t.Cron == "":
		v.scheduleWithoutCron(p)
	case t.Kind == "schedule" && !strings.HasPrefix(t.Cron, "@") && (fields < 5 || fields > 7):
		v.badCron(p, t.Cron, fields)
	case t.Kind == "event" && t.Event == "":
		v.eventWithoutName(p)
	}
}

// steps checks that the projection is a graph: unique ids that stay injective in
// nested paths, needs that exist, no cycle.
func (v *validator) steps(p place, steps []resource.Step) {
	ids := map[string]bool{}
	for _, s := range steps {
		at := p.in(s.ID)
		switch {
		case s.ID == "" || strings.Contains(s.ID, "/"):
			v.badStep(at, "the step id %q is empty or contains /, which joins the ids of nested steps", s.ID)
		case ids[s.ID]:
			v.badStep(at, "the step id %s is used twice", s.ID)
		}
		ids[s.ID] = true
		v.choice(at, "the kind of step "+s.ID, cmp.Or(s.Kind, "(none)"), "agent", "tool", "workflow", "approval")
	}
	next := map[string][]string{}
	for _, s := range steps {
		for _, need := range s.Needs {
			if !ids[need] {
				v.badStep(p.in(s.ID), "step %s needs %q, which is no step", s.ID, need)
			}
		}
		next[s.ID] = append(next[s.ID], s.Needs...)
	}
	for _, s := range steps {
		if cycle := cycleFrom(s.ID, next); cycle != nil && slices.Min(cycle) == s.ID {
			v.badStep(p.in(s.ID), "steps wait for each other: %s", strings.Join(cycle, " -> "))
		}
	}
}

// cycleFrom finds a shortest path from start back to start, ends included; nil
// when there is none.
func cycleFrom(start string, next map[string][]string) []string {
	seen := map[string]bool{}
	for queue := [][]string{{start}}; len(queue) > 0; queue = queue[1:] {
		path := queue[0]
		for _, to := range next[path[len(path)-1]] {
			extended := append(slices.Clone(path), to)
			if to == start {
				return extended
			}
			if !seen[to] {
				seen[to] = true
				queue = append(queue, extended)
			}
		}
	}
	return nil
}

// nesting checks that workflow calls end and are not deeper than the limit.
// Delegation is no part of it: its depth is counted while running.
func (v *validator) nesting() {
	next := map[string][]string{}
	for _, w := range v.g.Workflows {
		for _, c := range w.Calls {
			if c.Kind == "workflow" && !slices.Contains(next[w.Name], c.Name) {
				next[w.Name] = append(next[w.Name], c.Name)
			}
		}
	}
	recursive := false
	for _, w := range v.g.Workflows {
		cycle := cycleFrom(w.Name, next)
		recursive = recursive || cycle != nil
		if cycle != nil && slices.Min(cycle) == w.Name {
			v.recursion(place{kind: resource.KindWorkflow, name: w.Name}, cycle)
		}
	}
	if recursive {
		return // depth has no meaning then
	}
	limit := cmp.Or(v.g.Limits.MaxWorkflowNesting, resource.BuiltinLimits().MaxWorkflowNesting)
	longest := map[string][]string{}
	for _, w := range v.g.Workflows {
		if chain := longestChain(w.Name, next, longest); int64(len(chain)-1) > limit {
			v.nestedTooDeep(place{kind: resource.KindWorkflow, name: w.Name}, chain, limit)
		}
	}
}

func longestChain(from string, next map[string][]string, known map[string][]string) []string {
	if chain, ok := known[from]; ok {
		return chain
	}
	best := []string{}
	for _, to := range next[from] {
		if chain := longestChain(to, next, known); len(chain) > len(best) {
			best = chain
		}
	}
	known[from] = append([]string{from}, best...)
	return known[from]
}
