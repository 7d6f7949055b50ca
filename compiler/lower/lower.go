package lower

import (
	"terfyn/compiler/check"
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
// no errors and nothing that Unsupported reports; otherwise Lower panics.
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
	for _, w := range p.Workflows {
		program, positions := lowerProgram(p, w)
		out.Programs = append(out.Programs, program)
		out.Positions[w.Name.Name] = positions
		out.Graph.Workflows = append(out.Graph.Workflows, workflow(p, w, program))
	}
	return out
}
