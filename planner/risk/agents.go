package risk

import (
	"reflect"
	"slices"
	"strings"

	"terfyn/compiler/resource"
)

// agents compares every agent that exists on both sides.
func (a *assessment) agents() {
	for _, agent := range a.After.Agents {
		old, ok := a.Before.Agent(agent.Name)
		if !ok {
			continue
		}
		target := id(resource.KindAgent, agent.Name)
		if old.Model != agent.Model {
			a.add(ModelChange, Medium, target, "%s uses model %s instead of %s.", target, agent.Model, old.Model)
		}
		if !slices.Equal(old.FallbackModels, agent.FallbackModels) {
			a.add(ModelChange, Medium, target, "%s falls back to %s instead of %s.", target, orNothing(agent.FallbackModels), orNothing(old.FallbackModels))
		}
		if old.WorkingTree && !agent.WorkingTree {
			a.add(PolicyRelaxation, Medium, target, "%s no longer claims its working tree for itself.", target)
		}
		a.version(target, old, agent)
	}
}

// version reports a definition whose content changed under an unchanged
// version. Agents without a version take no part in it.
func (a *assessment) version(target string, before, after resource.Agent) {
	if after.Version == "" || after.Version != before.Version || sameDefinition(before, after) {
		return
	}
	a.add(DefinitionUnversioned, Medium, target, "%s changed and its version is still %s.", target, after.Version)
}

func orNothing(list []string) string {
	if len(list) == 0 {
		return "nothing"
	}
	return strings.Join(list, ", ")
}

// providers reports that a model is reached elsewhere or with another key.
func (a *assessment) providers() {
	for _, p := range a.After.Providers {
		old, ok := a.Before.Provider(p.Name)
		if !ok || old == p {
			continue
		}
		target := id(resource.KindModelProvider, p.Name)
		a.add(ModelChange, Medium, target, "Models of %s are reached in another way.", target)
	}
}

// triggers reports what may now start runs by itself.
func (a *assessment) triggers() {
	for _, w := range a.After.Workflows {
		old, _ := a.Before.Workflow(w.Name)
		target := id(resource.KindWorkflow, w.Name)
		for _, t := range w.Triggers {
			if slices.ContainsFunc(old.Triggers, func(o resource.Trigger) bool { return o.Kind == t.Kind && o.Event == t.Event && o.Cron == t.Cron }) {
				continue
			}
			if t.Kind == "event" {
				a.add(TriggerAdded, Medium, target, "%s starts by itself on the event %q.", target, t.Event)
			} else {
				a.add(TriggerAdded, Medium, target, "%s starts by itself on the schedule %q.", target, t.Cron)
			}
		}
	}
}

// sameDefinition compares everything but what describes the release itself.
func sameDefinition(a, b resource.Agent) bool {
	a.ChangeSummary, a.Replaces = "", ""
	b.ChangeSummary, b.Replaces = "", ""
	return reflect.DeepEqual(a, b)
}
