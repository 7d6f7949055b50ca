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
	needs map[string][]string // task to what needsOf found
}

type step struct {
	id, task string
	node     manifest.Node
}

func newFlow(workflow refs.Declaration) *flow {
	f := &flow{byID: map[string]step{}, order: digraph.New(), needs: map[string][]string{}}
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

// compareWithTasks finds steps that do not wait for any step of a task which their
// own task depends on, although the workflow runs that task.
//
// questions is how many pairs of a step and a task may still be asked about: many
// steps that run one task with many dependencies are more pairs than anybody
// reads findings about.
func (f *flow) compareWithTasks(c *checker, questions *int) {
	runs := map[string][]string{} // task to the steps that run it
	for _, s := range f.steps {
		runs[s.task] = append(runs[s.task], s.id)
	}
	var needs []string // tasks that are asked about, by number of their question
	var asks []digraph.Ask
	number := map[string]int{}
	for _, s := range f.steps {
		if *questions <= 0 {
			break
		}
		for _, need := range f.openNeeds(c, s, runs) {
			*questions--
			i, known := number[need]
			if !known {
				i = len(asks)
				number[need] = i
				needs = append(needs, need)
				asks = append(asks, digraph.Ask{From: runs[need]})
			}
			asks[i].To = append(asks[i].To, s.id)
		}
	}
	for i, early := range f.order.Unreached(asks) {
		for _, id := range early {
			f.reportEarly(c, f.byID[id], needs[i])
		}
	}
}

// openNeeds is the needs of the task of a step that no step directly before this
// one runs.
func (f *flow) openNeeds(c *checker, s step, runs map[string][]string) []string {
	needs := f.needsOf(c, s.task, runs)
	if len(needs) == 0 || !f.resolves(s) {
		return nil
	}
	done := map[string]bool{}
	for _, before := range f.order.Direct(s.id) {
		done[f.byID[before].task] = true
	}
	var out []string
	for _, need := range needs {
		if !done[need] {
			done[need] = true
			out = append(out, need)
		}
	}
	return out
}

// needsOf is the tasks that a task depends on and that the workflow runs.
func (f *flow) needsOf(c *checker, task string, runs map[string][]string) []string {
	if needs, known := f.needs[task]; known {
		return needs
	}
	var out []string
	if t, declared := c.index.Find(refs.Task, task); declared {
		for _, need := range c.resolved(refs.Task, t.Node.Get("dependsOn")) {
			if len(runs[need]) > 0 {
				out = append(out, need)
			}
		}
	}
	f.needs[task] = out
	return out
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

func (f *flow) reportEarly(c *checker, s step, need string) {
	c.report(s.node.Get("dependsOn"), finding{
		severity: manifest.Warning, code: code.GraphOrderMismatch,
		message: "Step " + manifest.Shown(s.id) + " runs task " + manifest.Shown(s.task) + ", which depends on task " +
			manifest.Shown(need) + ", but waits for no step that runs it and may begin too early.",
		suggestion: "Let the step depend on a step that runs the other task.",
	})
}
