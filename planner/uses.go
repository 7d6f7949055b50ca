package planner

import (
	"strings"

	"terfyn/compiler/resource"
	"terfyn/internal/ordered"
)

// uses answers what a workflow can come to: agents, tools and workflows, over
// written calls, grants and delegation.
type uses struct {
	agents    map[string]resource.Agent
	tools     map[string]resource.Tool
	workflows map[string]resource.Workflow
}

func usesOf(g resource.Graph) uses {
	return uses{
		agents:    byName(g.Agents, func(a resource.Agent) string { return a.Name }),
		tools:     byName(g.Tools, func(t resource.Tool) string { return t.Name }),
		workflows: byName(g.Workflows, workflowName),
	}
}

// closure is a set of callees: agent.X, workflow.X and tool.x (whole tools).
type closure map[string]bool

// of walks from one workflow, itself included.
func (u uses) of(workflow string) closure {
	seen := closure{}
	for queue := []string{"workflow." + workflow}; len(queue) > 0; queue = queue[1:] {
		kind, name, _ := strings.Cut(queue[0], ".")
		if kind == "tool" {
			name, _, _ = strings.Cut(name, ".")
		}
		if seen[kind+"."+name] {
			continue
		}
		seen[kind+"."+name] = true
		switch kind {
		case "workflow":
			for _, c := range u.workflows[name].Calls {
				queue = append(queue, c.Kind+"."+c.Name)
			}
		case "agent":
			queue = append(queue, u.agents[name].Grants...)
		}
	}
	return seen
}

// agents lists the agents of a closure by name.
func (c closure) agents() []string {
	var out []string
	for _, callee := range ordered.Keys(c) {
		if name, ok := strings.CutPrefix(callee, "agent."); ok {
			out = append(out, name)
		}
	}
	return out
}

// schemas lists every schema the callees of a closure check values with.
func (u uses) schemas(c closure) map[string]bool {
	paths := map[string]bool{}
	for _, callee := range ordered.Keys(c) {
		kind, name, _ := strings.Cut(callee, ".")
		switch kind {
		case "agent":
			paths[u.agents[name].Input], paths[u.agents[name].Output] = true, true
		case "tool":
			for _, o := range u.tools[name].Operations {
				paths[o.Schema], paths[o.OutputSchema] = true, true
			}
		case "workflow":
			w := u.workflows[name]
			paths[w.Result] = true
			for _, p := range w.Params {
				paths[p.Schema] = true
			}
		}
	}
	return paths
}
