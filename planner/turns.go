package planner

import (
	"cmp"
	"slices"

	"terfyn/compiler/resource"
	"terfyn/internal/ordered"
)

// Turns is how many model turns one step of an agent may take before the closing
// one. An agent that workflows hold to different numbers has a row for each.
type Turns struct {
	Agent     string   `json:"agent"`
	Most      int64    `json:"most"`
	Workflows []string `json:"workflows"` // that reach the agent, sorted; empty when none does
}

// turns lists the bound of every agent: what it asks for, under the ceiling of the
// workflow that reaches it.
func turns(g resource.Graph, u uses) []Turns {
	rows := map[string]map[int64][]string{}
	for _, a := range g.Agents {
		rows[a.Name] = map[int64][]string{}
	}
	for _, w := range g.Workflows {
		p, _, _ := g.GoverningPolicy(w)
		ceiling := cmp.Or(p.Execution.MaxIterations, resource.CeilingMaxIterations)
		for _, name := range u.of(w.Name).agents() {
			if a, ok := u.agents[name]; ok {
				most := min(wanted(a), ceiling)
				rows[name][most] = append(rows[name][most], w.Name)
			}
		}
	}
	out := []Turns{}
	for _, a := range g.Agents {
		if len(rows[a.Name]) == 0 {
			out = append(out, Turns{a.Name, min(wanted(a), resource.CeilingMaxIterations), []string{}})
		}
		for _, most := range ordered.Keys(rows[a.Name]) {
			names := rows[a.Name][most]
			slices.Sort(names)
			out = append(out, Turns{a.Name, most, names})
		}
	}
	return out
}

// wanted is the number of turns an agent asks for.
func wanted(a resource.Agent) int64 {
	return cmp.Or(a.Constraints.MaxIterations, resource.DefaultMaxIterations)
}
