package risk

import (
	"slices"
	"strings"

	"terfyn/compiler/resource"
)

// providers reports that a model is reached elsewhere or with another key. A
// declared provider may also take the name of a built-in one, or give it back:
// then the agents that speak to it on both sides are named.
func (a *assessment) providers() {
	for _, p := range a.After.Providers {
		if old, ok := a.Before.Provider(p.Name); ok && old != p {
			target := id(resource.KindModelProvider, p.Name)
			a.add(ModelChange, Medium, target, "Models of %s are reached in another way.", target)
		}
	}
	for _, agent := range a.After.Agents {
		old, ok := a.old.agents[agent.Name]
		if !ok {
			continue
		}
		target, spoken := id(resource.KindAgent, agent.Name), namespaces(old)
		for _, name := range namespaces(agent) {
			if !slices.Contains(spoken, name) {
				continue // the change of model is an item of its own
			}
			was, is := declares(a.Before, name), declares(a.After, name)
			switch {
			case is && !was:
				a.add(ModelChange, Medium, target, "%s reaches models of %s in another way: a declared provider of that name takes the place of the built-in one.", target, name)
			case was && !is:
				a.add(ModelChange, Medium, target, "%s reaches models of %s in another way: the built-in provider takes the place of the declared one.", target, name)
			}
		}
	}
}

// namespaces lists the providers of an agent's models, each once.
func namespaces(agent resource.Agent) []string {
	var names []string
	for _, model := range append([]string{agent.Model}, agent.FallbackModels...) {
		if name, _, _ := strings.Cut(model, "/"); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// declares reports whether a declared provider makes models of name reached in a
// way of its own; one that only repeats its name does not.
func declares(g resource.Graph, name string) bool {
	p, ok := g.Provider(name)
	return ok && p != resource.Provider{Name: name, Type: name}
}
