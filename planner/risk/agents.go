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
		old, ok := a.old.agents[agent.Name]
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
		switch {
		case agent.MayEscalate && !old.MayEscalate:
			a.add(CapabilityDelta, Low, target, "%s may end its step by escalating instead of answering.", target)
		case old.MayEscalate && !agent.MayEscalate:
			a.add(PolicyRelaxation, Medium, target, "%s can no longer escalate what it cannot do and has to answer.", target)
		}
		a.version(target, old, agent)
	}
}

// version reports a definition whose content changed without a new version.
func (a *assessment) version(target string, before, after resource.Agent) {
	switch {
	case !Unversioned(before, after, a.Schemas):
	case after.Version == "":
		a.add(DefinitionUnversioned, Medium, target, "%s declares no version any more; it was %s.", target, before.Version)
	default:
		a.add(DefinitionUnversioned, Medium, target, "%s changed and its version is still %s.", target, after.Version)
	}
}

// Unversioned reports whether a versioned definition became another one without a
// new version; what its schemas say is part of it. Agents that never had a version
// take no part in it.
func Unversioned(before, after resource.Agent, schemas Schemas) bool {
	return before.Version != "" && (after.Version == before.Version || after.Version == "") && !sameDefinition(before, after, schemas)
}

func orNothing(list []string) string {
	if len(list) == 0 {
		return "nothing"
	}
	return strings.Join(list, ", ")
}

// sameDefinition compares everything but what describes the release itself.
func sameDefinition(a, b resource.Agent, schemas Schemas) bool {
	if !schemas.Same(a.Input, b.Input) || !schemas.Same(a.Output, b.Output) {
		return false
	}
	a.ChangeSummary, a.Replaces, a.Input, a.Output = "", "", "", ""
	b.ChangeSummary, b.Replaces, b.Input, b.Output = "", "", "", ""
	return reflect.DeepEqual(a, b)
}
