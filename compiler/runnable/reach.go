package runnable

import (
	"cmp"
	"strings"

	"terfyn/compiler/ir"
	"terfyn/compiler/resource"
)

// Run lists the gaps that a run of one workflow could come to: those of the
// workflow and everything it reaches, of the policies that govern any of it, and of
// project and environment. Advisory ones are left out. g is normalized.
func Run(g resource.Graph, programs []ir.Program, workflow string) []Gap {
	reached := map[key]bool{}
	visit(g, key{Kind: resource.KindWorkflow, Name: workflow}, reached)
	var out []Gap
	for _, gap := range Gaps(g, programs) {
		if strings.HasPrefix(gap.Field, "agents.") {
			continue // of an environment, whose overlay has put it on the agent
		}
		project := gap.Kind == resource.KindProject || gap.Kind == resource.KindEnvironment
		if !gap.Advisory && (project || reached[key{Kind: gap.Kind, Name: gap.Name}]) {
			out = append(out, gap)
		}
	}
	return out
}

// visit marks what k leads to, itself included.
func visit(g resource.Graph, k key, reached map[key]bool) {
	if reached[k] {
		return
	}
	reached[k] = true
	to := func(kind resource.Kind, name string) { visit(g, key{Kind: kind, Name: name}, reached) }
	switch k.Kind {
	case resource.KindWorkflow:
		w, _ := g.Workflow(k.Name)
		to(resource.KindPolicy, cmp.Or(w.Policy, "default"))
		for _, c := range w.Calls {
			switch c.Kind {
			case "agent":
				to(resource.KindAgent, c.Name)
			case "workflow":
				to(resource.KindWorkflow, c.Name)
			case "tool":
				tool, _, _ := strings.Cut(c.Name, ".")
				to(resource.KindTool, tool)
			}
		}
	case resource.KindAgent:
		a, _ := g.Agent(k.Name)
		to(resource.KindPolicy, cmp.Or(a.Policy, "default"))
		for _, c := range a.Grants {
			kind, name, _ := strings.Cut(c, ".")
			switch kind {
			case "tool":
				tool, _, _ := strings.Cut(name, ".")
				to(resource.KindTool, tool)
			case "agent":
				to(resource.KindAgent, name)
			case "workflow":
				to(resource.KindWorkflow, name)
			}
		}
	}
}

// key names a resource.
type key struct {
	Kind resource.Kind
	Name string
}
