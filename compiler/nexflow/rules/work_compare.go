package rules

import (
	"terfyn/compiler/nexflow/code"
	"terfyn/compiler/nexflow/digraph"
	"terfyn/compiler/nexflow/manifest"
	"terfyn/compiler/nexflow/refs"
)

// mostPairs is how many pairs of a step and a task are compared, over all
// workflows. Many steps that run one task with many dependencies could be more
// pairs than there is time for.
const mostPairs = 500_000

// ordering compares the order of steps with that of tasks.
type ordering struct {
	c    *checker
	left int // pairs that may still be compared
	over bool
	// effort counts the pairs too.
	effort *effort
}

// compare finds steps of a workflow that do not wait for any step of a task which
// their own task depends on, although the workflow runs that task.
func (o *ordering) compare(f *flow) {
	if o.over {
		return
	}
	q := newQuestions(f)
	for _, s := range f.steps {
		needs := q.needsOf(o.c, s.task)
		if len(needs) == 0 || !f.resolves(s) {
			continue
		}
		if len(needs) > o.left {
			o.stop(s)
			break
		}
		o.left -= len(needs)
		o.effort.spend(len(needs))
		q.ask(s, needs)
	}
	for i, early := range f.order.Unreached(q.asks) {
		for _, id := range early {
			o.c.reportEarly(f.byID[id], q.asked[i])
		}
	}
}

// stop says that the comparison ends before a step.
func (o *ordering) stop(s step) {
	o.over = true
	o.c.report(s.node.Get("dependsOn"), finding{
		severity: manifest.Warning, code: code.GraphOrderMismatch,
		message:    "Step " + manifest.Shown(s.id) + " and later ones may begin too early" + notCompared,
		suggestion: "Divide the workflow, or let tasks depend only on those directly before them.",
	})
}

// questions is what is to be found out about the steps of one workflow.
type questions struct {
	f      *flow
	runs   map[string][]string // task to the steps that run it
	number map[string]int      // task to its place in tasks
	tasks  []task
	asks   []digraph.Ask
	asked  []string // the task of each of asks
	steps  int
}

// task is what is known about a task that the workflow runs.
type task struct {
	id    string
	needs []int // tasks that it depends on and that the workflow runs
	read  bool  // needs are known
	ask   int   // place in asks, from one; 0 for none
	// done is the last step that does not have to ask about the task: a step directly
	// before it runs the task, or it has asked.
	done int
}

func newQuestions(f *flow) *questions {
	q := &questions{f: f, runs: map[string][]string{}, number: map[string]int{}}
	for _, s := range f.steps {
		if q.runs[s.task] == nil {
			q.number[s.task] = len(q.tasks)
			q.tasks = append(q.tasks, task{id: s.task})
		}
		q.runs[s.task] = append(q.runs[s.task], s.id)
	}
	return q
}

// needsOf is the tasks that a task depends on and that the workflow runs.
func (q *questions) needsOf(c *checker, id string) []int {
	t := &q.tasks[q.number[id]]
	if t.read {
		return t.needs
	}
	t.read = true
	if declared, ok := c.index.Find(refs.Task, id); ok {
		for _, need := range c.resolved(refs.Task, declared.Node.Get("dependsOn")) {
			if n, runs := q.number[need]; runs {
				t.needs = append(t.needs, n)
			}
		}
	}
	return t.needs
}

// ask puts a step's question about each task that it needs and that no step
// directly before it runs.
func (q *questions) ask(s step, needs []int) {
	q.steps++
	for _, before := range q.f.order.Direct(s.id) {
		q.tasks[q.number[q.f.byID[before].task]].done = q.steps
	}
	for _, n := range needs {
		t := &q.tasks[n]
		if t.done == q.steps {
			continue
		}
		t.done = q.steps
		if t.ask == 0 {
			q.asks = append(q.asks, digraph.Ask{From: q.runs[t.id]})
			q.asked = append(q.asked, t.id)
			t.ask = len(q.asks)
		}
		q.asks[t.ask-1].To = append(q.asks[t.ask-1].To, s.id)
	}
}

func (c *checker) reportEarly(s step, need string) {
	c.report(s.node.Get("dependsOn"), finding{
		severity: manifest.Warning, code: code.GraphOrderMismatch,
		message: "Step " + manifest.Shown(s.id) + " runs task " + manifest.Shown(s.task) + ", which depends on task " +
			manifest.Shown(need) + ", but waits for no step that runs it and may begin too early.",
		suggestion: "Let the step depend on a step that runs the other task.",
	})
}
