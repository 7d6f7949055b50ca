package planner

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"terfyn/compiler/resource"
	"terfyn/internal/canon"
	"terfyn/internal/ordered"
)

const kindWorkflow = resource.KindWorkflow

// OpenRun is a run that is not over.
type OpenRun struct {
	RunID     string       `json:"runId"`
	Workflow  string       `json:"workflow"`
	Status    string       `json:"status"`
	Snapshot  canon.Digest `json:"snapshot"` // what it goes on under
	StartedAt time.Time    `json:"startedAt"`
}

// OpenRuns are the open runs of workflows that an apply would change. Each goes on
// under the snapshot it started with, whatever is applied.
type OpenRuns struct {
	Runs []OpenRun `json:"runs"` // by workflow, then id
	// More: there are more open runs than were looked at.
	More bool `json:"more"`
	// NotChecked says why nobody looked, "" when somebody did.
	NotChecked string `json:"notChecked,omitempty"`
}

// touched keeps the runs of workflows that change, themselves or by anything they
// can come to.
func touched(runs OpenRuns, ops []Operation, before, after resource.Graph) OpenRuns {
	out := OpenRuns{Runs: []OpenRun{}, More: runs.More, NotChecked: runs.NotChecked}
	changed := map[string]bool{}
	for _, o := range ops {
		changed[o.Target()] = true
	}
	sides := []side{{before, usesOf(before)}, {after, usesOf(after)}}
	known := map[string]bool{}
	for _, r := range runs.Runs {
		hit, seen := known[r.Workflow]
		if !seen {
			hit = slices.ContainsFunc(sides, func(s side) bool { return s.touches(r.Workflow, changed) })
			known[r.Workflow] = hit
		}
		if hit {
			out.Runs = append(out.Runs, r)
		}
	}
	slices.SortStableFunc(out.Runs, func(a, b OpenRun) int {
		return cmp.Or(strings.Compare(a.Workflow, b.Workflow), strings.Compare(a.RunID, b.RunID))
	})
	return out
}

// side is one side of a plan.
type side struct {
	graph resource.Graph
	uses  uses
}

// touches reports whether a change of these resources reaches a workflow. Project,
// environments and providers hold for everything.
func (s side) touches(workflow string, changed map[string]bool) bool {
	c := s.uses.of(workflow)
	schemas := s.uses.schemas(c)
	policies := s.policies(c)
	hits := func(kind, name string) bool {
		switch kind {
		case KindSchema:
			return schemas[name]
		case string(resource.KindPolicy):
			return policies[name]
		case string(resource.KindAgent), string(resource.KindTool), string(resource.KindWorkflow):
			return c[strings.ToLower(kind)+"."+name]
		}
		return true
	}
	for _, target := range ordered.Keys(changed) {
		kind, name, _ := strings.Cut(target, "/")
		if hits(kind, name) {
			return true
		}
	}
	return false
}

// policies are those that govern what is in a closure.
func (s side) policies(c closure) map[string]bool {
	names := map[string]bool{}
	for _, w := range s.graph.Workflows {
		if c["workflow."+w.Name] {
			p, _, _ := s.graph.GoverningPolicy(w)
			names[p.Name] = true
		}
	}
	for _, a := range s.graph.Agents {
		if c["agent."+a.Name] {
			names[a.Policy] = true
		}
	}
	return names
}
