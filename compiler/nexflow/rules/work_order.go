package rules

import (
	"terfyn/compiler/nexflow/code"
	"terfyn/compiler/nexflow/digraph"
	"terfyn/compiler/nexflow/manifest"
	"terfyn/compiler/nexflow/refs"
)

// flow is one workflow, in which every step has its own id. Stages only group its
// steps; their order comes from what steps depend on and from the dependencies of
// the workflow, together.
type flow struct {
	steps []step
	byID  map[string]step
	// order has an arc from what comes before to what comes after.
	order *digraph.Graph
}

type step struct {
	id, task string
	node     manifest.Node
}

func newFlow(workflow refs.Declaration) *flow {
	f := &flow{byID: map[string]step{}, order: digraph.New()}
	for _, stage := range workflow.Node.Get("stages").Items() {
		for _, n := range stage.Get("steps").Items() {
			s := step{id: n.Get("id").Text(), task: n.Get("task").Text(), node: n}
			f.steps = append(f.steps, s)
			f.byID[s.id] = s
			f.order.Node(s.id)
		}
	}
	for _, s := range f.steps {
		for _, before := range s.node.Get("dependsOn").Texts() {
			f.order.Arc(before, s.id)
		}
	}
	for _, d := range workflow.Node.Get("dependencies").Items() {
		f.order.Arc(d.Get("from").Text(), d.Get("to").Text())
	}
	return f
}

// cycles finds circles of steps and reports whether there are some.
func (f *flow) cycles(c *checker) bool {
	cycles := f.order.Cycles()
	for _, members := range cycles {
		first := f.byID[members[0]]
		c.report(first.node, finding{
			severity: manifest.Error, code: code.GraphStepCycle,
			message:    "Step " + manifest.Shown(first.id) + " waits for itself, directly or through others, so that none of them can begin.",
			details:    manifest.Details{Members: shownAll(members)},
			suggestion: "Remove the dependency that does not hold.",
		})
	}
	return len(cycles) > 0
}

// resolves reports whether everything that a step itself depends on is declared.
func (f *flow) resolves(s step) bool {
	for _, id := range s.node.Get("dependsOn").Texts() {
		if _, declared := f.byID[id]; !declared {
			return false
		}
	}
	return true
}
