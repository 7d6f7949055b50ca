package render

import (
	"fmt"

	"terfyn/internal/canon"
	"terfyn/planner"
)

// bounds writes how often things happen, and what moves of their ceilings.
func (m planMarkdown) bounds(p shown) {
	if len(p.Loops) > 0 {
		m.heading(3, headLoops)
		m.details("the bounds of "+many(len(p.Loops), "loop", "loops"), func() { m.loops(p) })
	}
	if len(p.Turns) > 0 {
		m.heading(3, headTurns)
		m.details("the bounds of "+many(len(p.Turns), "agent step", "agent steps"), func() {
			var rows [][]string
			for _, t := range p.Turns {
				rows = append(rows, []string{code("Agent/" + t.Agent), plain(turnsText(t))})
			}
			m.table([]string{"agent", "turns"}, rows)
		})
	}
	var rows [][]string
	for _, c := range p.Ceilings {
		rows = append(rows, []string{code("Policy/" + c.Policy), code(c.Field), code(c.Before), code(c.After), plain(c.Change)})
	}
	m.section(headCeilings, []string{"policy", "ceiling", "before", "after", "change"}, rows)
}

func (m planMarkdown) loops(p shown) {
	var rows [][]string
	for _, l := range p.Loops {
		rows = append(rows, []string{code("Workflow/" + l.Workflow), code(l.Site), plain(loopText(l))})
	}
	for _, c := range p.LoopCalls {
		rows = append(rows, []string{code("Workflow/" + c.Workflow), code(c.Site), plain(loopCallText(c))})
	}
	m.table([]string{"workflow", "call site", "bound"}, rows)
}

// consequences writes what happens beside the resources themselves.
func (m planMarkdown) consequences(p shown) {
	var rows [][]string
	for _, a := range p.Approvals {
		rows = append(rows, []string{code(a.Capability), code(a.Workflow), code(a.Agent), code(a.Source), plain(a.Rule)})
	}
	m.section(headApprovals, []string{"operation", "workflow", "chosen by agent", "source", "rule"}, rows)
	rows = nil
	for _, t := range p.Triggers {
		rows = append(rows, []string{plain(string(t.Action)), code(t.Workflow), code(t.Kind + " " + t.Key), code(side(t.Before)), code(side(t.After))})
	}
	m.section(headTriggers, []string{"change", "workflow", "trigger", "before", "after"}, rows)
	rows = nil
	for _, d := range p.Definitions {
		rows = append(rows, []string{code("Agent/" + d.Agent), plain(definitionText(d))})
	}
	m.section(headDefinitions, []string{"agent", "definition"}, rows)
	m.openRuns(p.OpenRuns)
}

func (m planMarkdown) openRuns(r planner.OpenRuns) {
	var rows [][]string
	for _, run := range r.Runs {
		rows = append(rows, []string{code(run.RunID), code(run.Workflow), plain(run.Status), plain(Time(run.StartedAt)), code(run.Snapshot.Short())})
	}
	m.section(headRuns, []string{"run", "workflow", "status", "since", "snapshot"}, rows)
	note := runsNote(r)
	if len(rows) == 0 && note != "" {
		m.heading(3, headRuns)
	}
	if len(rows) > 0 {
		m.gap()
		m.line("%s", runsStay)
	}
	if note != "" {
		m.gap()
		m.line("%s", plain(note))
	}
}

// side is one side of a change for a cell, nothing where it does not exist.
func side(v canon.Value) string {
	if v.IsNull() {
		return ""
	}
	return short(v)
}

// many counts things in words.
func many(n int, one, more string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, more)
}
