package lower

import (
	"terfyn/compiler/check"
	"terfyn/compiler/internal/cores"
	"terfyn/compiler/ir"
	"terfyn/compiler/resource"
	"terfyn/compiler/source"
)

// Result is a lowered project.
type Result struct {
	Graph    resource.Graph
	Programs []ir.Program // sorted by workflow
	// Positions gives the place of every node by workflow and static call site:
	// the segments from the body down, with then or else after an if and no index
	// after a loop (if/then/x, while/x). It is for diagnostics and enters no digest.
	Positions map[string]map[string]source.Span
}

// Lower turns a checked project into graph and programs. The project must have
// no errors; otherwise Lower panics.
func Lower(name string, p *check.Project) Result {
	out := Result{
		Graph: resource.Graph{
			Project:  name,
			Defaults: defaults(p.Defaults),
		},
		Positions: map[string]map[string]source.Span{},
	}
	if p.Limits != nil {
		out.Graph.Limits = limits(p.Limits.Limits)
	}
	for _, a := range p.Agents {
		out.Graph.Agents = append(out.Graph.Agents, agent(p, a))
	}
	for _, t := range p.Tools {
		out.Graph.Tools = append(out.Graph.Tools, tool(t))
	}
	for _, d := range p.Policies {
		out.Graph.Policies = append(out.Graph.Policies, policy(d))
	}
	for _, d := range p.Providers {
		out.Graph.Providers = append(out.Graph.Providers, provider(d))
	}
	for _, d := range p.Environments {
		out.Graph.Environments = append(out.Graph.Environments, environment(d))
	}
	out.workflows(p)
	return out
}

// workflows lowers every workflow apart from the others, on all processors.
func (r *Result) workflows(p *check.Project) {
	n := len(p.Workflows)
	if n == 0 {
		return
	}
	r.Programs = make([]ir.Program, n)
	r.Graph.Workflows = make([]resource.Workflow, n)
	positions := make([]map[string]source.Span, n)
	cores.Each(n, func(i int) {
		r.Programs[i], positions[i] = lowerProgram(p, p.Workflows[i])
		r.Graph.Workflows[i] = workflow(p.Workflows[i], r.Programs[i])
	})
	for i, w := range p.Workflows {
		r.Positions[w.Name.Name] = positions[i]
	}
}
