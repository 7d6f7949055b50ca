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
	waiting := onCycles(stepIDs(steps), next)
	for _, s := range steps {
		if !waiting[s.ID] {
			continue
		}
		if cycle := cycleFrom(s.ID, next); cycle != nil && slices.Min(cycle) == s.ID {
			v.badStep(p.in(s.ID), "steps wait for each other: %s", strings.Join(cycle, " -> "))
		}
	}
}

// nesting checks that workflow calls end and are not deeper than the limit.
// Delegation is no part of it: its depth is counted while running.
func (v *validator) nesting() {
	next := map[string][]string{}
	for _, w := range v.g.Workflows {
		last := "" // calls are sorted, so repeats are neighbours
		for _, c := range w.Calls {
			if c.Kind == "workflow" && c.Name != last {
				next[w.Name] = append(next[w.Name], c.Name)
				last = c.Name
			}
		}
	}
	recursive := onCycles(nameAll(v.g.Workflows, func(w resource.Workflow) string { return w.Name }), next)
	for _, w := range v.g.Workflows {
		if !recursive[w.Name] {
			continue
		}
		if cycle := cycleFrom(w.Name, next); cycle != nil && slices.Min(cycle) == w.Name {
			v.recursion(place{kind: resource.KindWorkflow, name: w.Name}, cycle)
		}
	}
	if len(recursive) > 0 {
		return // depth has no meaning then
	}
	limit := cmp.Or(v.g.Limits.MaxWorkflowNesting, resource.BuiltinLimits().MaxWorkflowNesting)
	known := map[string]depth{}
	for _, w := range v.g.Workflows {
		if calls := depthOf(w.Name, next, known); int64(calls) > limit {
			v.nestedTooDeep(place{kind: resource.KindWorkflow, name: w.Name}, chainFrom(w.Name, known), calls, limit)
		}
	}
}

func stepIDs(steps []resource.Step) []string {
	return nameAll(steps, func(s resource.Step) string { return s.ID })
}
