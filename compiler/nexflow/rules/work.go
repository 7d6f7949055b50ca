package rules

import (
	"terfyn/compiler/nexflow/code"
	"terfyn/compiler/nexflow/digraph"
	"terfyn/compiler/nexflow/manifest"
	"terfyn/compiler/nexflow/refs"
)

// workRules is nexflow.md 7.5: tasks, the order of steps, and how work passes from
// one to the next.
var workRules = []func(*checker){workGraphs, unscheduledTasks, emptyStages, handoffEndpoints, inertExtensions}

// workGraphs checks the order of tasks, and of the steps of every workflow whose
// steps can be told apart.
func workGraphs(c *checker) {
	tasksCyclic := taskCycles(c)
	h := newHandovers(c)
	o := &ordering{c: c, left: c.mostPairs, effort: c.effort()}
	for _, w := range c.firsts(refs.Workflow) {
		if c.index.HasDuplicates(refs.WorkflowStep, w.ID) {
			continue
		}
		f := newFlow(w)
		stepsCyclic := f.cycles(c)
		if !tasksCyclic {
			o.compare(f)
		}
		if !stepsCyclic {
			h.check(f)
		}
	}
}

// taskCycles finds circles of tasks and reports whether there are some.
func taskCycles(c *checker) bool {
	g := digraph.New()
	tasks := c.firsts(refs.Task)
	for _, t := range tasks {
		g.Node(t.ID)
	}
	for _, t := range tasks {
		for _, id := range t.Node.Get("dependsOn").Texts() {
			g.Arc(id, t.ID)
		}
	}
	cycles := g.Cycles()
	for _, members := range cycles {
		first, _ := c.index.Find(refs.Task, members[0])
		c.report(first.Node.Get("dependsOn"), finding{
			severity: manifest.Error, code: code.GraphTaskCycle,
			message:    "Task " + manifest.Shown(first.ID) + " depends on itself, directly or through others, so that none of them can begin.",
			details:    manifest.Details{Members: shownAll(members)},
			suggestion: "Remove the dependency that does not hold.",
		})
	}
	return len(cycles) > 0
}

// unscheduledTasks finds tasks that no step of any workflow runs.
func unscheduledTasks(c *checker) {
	if !c.set.Has(manifest.Workflow) {
		return
	}
	scheduled := map[string]bool{}
	for _, s := range c.index.All(refs.WorkflowStep) {
		scheduled[s.Node.Get("task").Text()] = true
	}
	for _, t := range c.firsts(refs.Task) {
		if scheduled[t.ID] {
			continue
		}
		c.report(t.IDNode, finding{
			severity: manifest.Info, code: code.GraphTaskUnscheduled,
			message:    "No step of a workflow runs task " + manifest.Shown(t.ID) + ", so that it is part of none.",
			suggestion: "Run the task in a step, if it is part of a workflow.",
		})
	}
}

func emptyStages(c *checker) {
	for _, s := range c.index.All(refs.WorkflowStage) {
		steps := s.Node.Get("steps")
		if steps.Len() > 0 {
			continue
		}
		c.report(steps, finding{
			severity: manifest.Warning, code: code.GraphEmptyStage,
			message:    "Stage " + manifest.Shown(s.ID) + " has no steps, so that it does nothing.",
			suggestion: "Remove the stage, or give it the steps that belong there.",
		})
	}
}

// inertExtensions says of every extension that it does nothing.
func inertExtensions(c *checker) {
	for _, e := range c.index.All(refs.Extension) {
		c.report(e.Node.Get("namespace"), finding{
			severity: manifest.Info, code: code.ExtInert,
			message: "Extension " + manifest.Shown(e.ID) + " is a declaration only: it is not loaded and changes nothing.",
		})
	}
}
