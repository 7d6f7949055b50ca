package view

import (
	"strings"

	"terfyn/compiler/nexflow/digraph"
	"terfyn/compiler/nexflow/refs"
)

// Cycle is declarations that wait for each other, or otherwise lead back to
// themselves.
type Cycle struct {
	Kind     refs.Space
	Workflow string   // of steps
	Members  []string // identities in byte order
}

// relationsOf are the relations between things of one kind that must not lead in a
// circle. Steps have the pairs of their workflow's dependencies beside these.
var relationsOf = map[refs.Space][]string{
	refs.Task:         {"depends-on"},
	refs.WorkflowStep: {"depends-on"},
	refs.Actor:        {"operated-by", "represented-by"},
}

// order is an arc between things of one kind, first to later.
type order struct {
	before, after int
	edge          int // the edge it comes from
}

// orders is the arcs of a kind, in the order of the edges. An operator counts as
// before what it operates.
func (g Graph) orders(kind refs.Space) []order {
	var out []order
	for n, e := range g.ends {
		if e.from >= 0 && e.to >= 0 && g.Nodes[e.from].Kind == kind && g.Nodes[e.to].Kind == kind && related(g.Edges[n].Relation, kind) {
			out = append(out, order{before: e.to, after: e.from, edge: n})
		}
	}
	if kind != refs.WorkflowStep {
		return out
	}
	for _, p := range g.pairs() {
		if before, after := g.ends[p.from].to, g.ends[p.to].to; before >= 0 && after >= 0 {
			out = append(out, order{before: before, after: after, edge: p.from})
		}
	}
	return out
}

func related(relation string, kind refs.Space) bool {
	for _, r := range relationsOf[kind] {
		if r == relation {
			return true
		}
	}
	return false
}

// pair is the two edges of one entry of a workflow's dependencies.
type pair struct{ from, to int }

// pairs finds the dependencies of workflows. Edges are sorted by path, so that the
// two ends of an entry are neighbours.
func (g Graph) pairs() []pair {
	var out []pair
	for n := 0; n+1 < len(g.Edges); n++ {
		a, b := g.Edges[n], g.Edges[n+1]
		at, isFrom := strings.CutSuffix(a.Path, "/from")
		if isFrom && strings.HasPrefix(at, "/workflow/dependencies/") && b.File == a.File && b.Path == at+"/to" {
			out = append(out, pair{from: n, to: n + 1})
		}
	}
	return out
}

// findCycles is the circles among tasks, steps and actors.
func (g Graph) findCycles() []Cycle {
	var out []Cycle
	for _, kind := range []refs.Space{refs.Task, refs.WorkflowStep, refs.Actor} {
		in := map[string]*digraph.Graph{} // by workflow
		var scopes []string
		for _, n := range g.Nodes {
			if n.Kind != kind {
				continue
			}
			scope := scopeID(n.Scope)
			if in[scope] == nil {
				in[scope] = digraph.New()
				scopes = append(scopes, scope)
			}
			in[scope].Node(n.Identity)
		}
		for _, o := range g.orders(kind) {
			before, after := g.Nodes[o.before], g.Nodes[o.after]
			in[scopeID(after.Scope)].Arc(before.Identity, after.Identity)
		}
		for _, scope := range scopes {
			for _, members := range in[scope].Cycles() {
				out = append(out, Cycle{Kind: kind, Workflow: scope, Members: members})
			}
		}
	}
	return out
}

// cyclic is the edges that lie on a cycle.
func (g Graph) cyclic() map[int]bool {
	number := map[identity]int{}
	for i, c := range g.cycles {
		for _, m := range c.Members {
			number[identity{kind: c.Kind, id: m, scope: c.Workflow}] = i + 1
		}
	}
	out := map[int]bool{}
	for kind := range relationsOf {
		for _, o := range g.orders(kind) {
			a, b := g.Nodes[o.before], g.Nodes[o.after]
			in := number[identity{kind: kind, id: a.Identity, scope: scopeID(a.Scope)}]
			if in > 0 && in == number[identity{kind: kind, id: b.Identity, scope: scopeID(b.Scope)}] {
				out[o.edge] = true
			}
		}
	}
	return out
}
