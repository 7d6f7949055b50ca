package risk

import (
	"terfyn/compiler/effects"
	"terfyn/compiler/ir"
	"terfyn/compiler/resource"
)

// guard says of a workflow which calls with side effects have an approval statement
// before them on every path, and whether the workflow asks on every path of its own.
type guard struct {
	calls map[string]count // by capability
	asks  bool
}

// count is how many call sites come to an operation, each with or without a
// statement before it.
type count struct{ asked, open int }

// guards answers for the programs of one side.
type guards struct {
	graph    *resource.Graph
	bounds   effects.Bounds
	programs map[string]ir.Program
	known    map[string]guard
}

func newGuards(g *resource.Graph, b effects.Bounds, programs map[string]ir.Program) *guards {
	return &guards{graph: g, bounds: b, programs: programs, known: map[string]guard{}}
}

// of walks the program of a workflow once. A workflow that comes back to itself, or
// has no program, asks nobody.
func (g *guards) of(workflow string) guard {
	if done, ok := g.known[workflow]; ok {
		return done
	}
	g.known[workflow] = guard{}
	p, ok := g.programs[workflow]
	if !ok {
		return guard{}
	}
	w := guardWalk{guards: g, calls: map[string]count{}, returned: true}
	end := w.nodes(p.Body, path{})
	done := guard{calls: w.calls, asks: w.returned && (end.over || end.asked)}
	g.known[workflow] = done
	return done
}

type guardWalk struct {
	*guards
	calls    map[string]count
	returned bool // every return so far had a statement before it
}

// path is what holds at a point of a program.
type path struct {
	asked bool // a statement came before on every path
	over  bool // no path comes here: each one returned
}

// nodes walks a block from a point and gives the point after it.
func (w *guardWalk) nodes(nodes []ir.Node, at path) path {
	for _, n := range nodes {
		at = w.node(n, at)
	}
	return at
}

func (w *guardWalk) node(n ir.Node, at path) path {
	switch n := n.(type) {
	case ir.Approval:
		at.asked = true
	case ir.Return:
		w.returned = w.returned && (at.over || at.asked)
		at.over = true
	case ir.Tool:
		w.call(resource.Capability(n.Tool, n.Operation), at.asked)
	case ir.Agent:
		b, _ := w.bounds.Agent(n.Agent)
		w.reaches(b, at.asked)
	case ir.Workflow:
		at.asked = w.nested(n.Workflow, at.asked) || at.asked
	case ir.If:
		return join(w.nodes(n.Then, at), w.nodes(n.Else, at))
	case ir.For:
		w.nodes(n.Body, at) // perhaps in no round
	case ir.While:
		w.nodes(n.Body, at)
	case ir.Retry:
		return w.nodes(n.Body, at)
	case ir.Fork:
		return w.branches(n.Branches, at)
	case ir.Graph:
		return w.tasks(n, at)
	}
	return at
}

// join is where two arms meet.
func join(a, b path) path {
	switch {
	case a.over:
		return path{asked: b.asked, over: b.over}
	case b.over:
		return a
	}
	return path{asked: a.asked && b.asked}
}

// branches all run, so a statement of any of them came before what follows.
func (w *guardWalk) branches(branches [][]ir.Node, at path) path {
	after := at
	for _, b := range branches {
		after.asked = w.nodes(b, at).asked || after.asked
	}
	return after
}

// tasks run after those they need; tasks are in an order that lets them.
func (w *guardWalk) tasks(n ir.Graph, at path) path {
	ends, after := map[string]bool{}, at
	for _, t := range n.Tasks {
		from := at
		for _, need := range t.Needs {
			from.asked = from.asked || ends[need]
		}
		ends[t.Name] = w.nodes(t.Body, from).asked
		after.asked = after.asked || ends[t.Name]
	}
	return after
}

// nested counts what a called workflow does, which may ask by itself, and reports
// whether it asks on every path.
func (w *guardWalk) nested(workflow string, before bool) (asks bool) {
	if _, ok := w.programs[workflow]; !ok {
		b, _ := w.bounds.Workflow(workflow)
		w.reaches(b, before)
		return false
	}
	inner := w.of(workflow)
	for capability, c := range inner.calls { // sums, in any order
		w.add(capability, before || c.open == 0)
	}
	return inner.asks
}

func (w *guardWalk) reaches(b effects.Bound, asked bool) {
	for _, o := range b.Operations {
		w.call(o.Capability, asked)
	}
}

// call counts a call with side effects.
func (w *guardWalk) call(capability string, asked bool) {
	tool, operation, _ := resource.SplitCapability(capability)
	if t, ok := w.graph.Tool(tool); ok && !t.HasSideEffects(operation) {
		return
	}
	w.add(capability, asked)
}

func (w *guardWalk) add(capability string, asked bool) {
	c := w.calls[capability]
	if asked {
		c.asked++
	} else {
		c.open++
	}
	w.calls[capability] = c
}
