package render

import (
	"terfyn/planner"
	"terfyn/planner/diff"
	"terfyn/planner/risk"
)

func (p planPrinter) programs(list []planner.ProgramChange) {
	if len(list) == 0 {
		return
	}
	p.heading(headPrograms)
	for _, c := range list {
		p.line("  Workflow/%s", c.Workflow)
		p.programLines(c)
	}
}

func (p planPrinter) programLines(c planner.ProgramChange) {
	if c.NotCompared != "" {
		p.line("      not compared: %s", c.NotCompared)
	}
	for _, l := range c.Lines {
		p.line("      %s", p.changed(l))
	}
}

func (p planPrinter) changed(l diff.Line) string {
	text := lineMark(l.Kind) + l.Text
	switch l.Kind {
	case diff.LineAdded:
		return p.c.Good(text)
	case diff.LineRemoved:
		return p.c.Bad(text)
	}
	return text
}

// loops lists the loops of each workflow and below them the calls they repeat.
func (p planPrinter) loops(plan shown) {
	if len(plan.Loops) == 0 {
		return
	}
	p.heading(headLoops)
	calls := plan.LoopCalls
	for i, l := range plan.Loops {
		if i == 0 || l.Workflow != plan.Loops[i-1].Workflow {
			p.line("  Workflow/%s", l.Workflow)
		}
		p.line("    %s", siteText(l.Site, loopText(l)))
		if i+1 < len(plan.Loops) && plan.Loops[i+1].Workflow == l.Workflow {
			continue
		}
		for ; len(calls) > 0 && calls[0].Workflow == l.Workflow; calls = calls[1:] {
			p.line("    %s", siteText(calls[0].Site, loopCallText(calls[0])))
		}
	}
}

func (p planPrinter) turns(list []planner.Turns) {
	if len(list) == 0 {
		return
	}
	p.heading(headTurns)
	for _, t := range list {
		p.line("  Agent/%s: %s", t.Agent, turnsText(t))
	}
}

func (p planPrinter) ceilings(list []planner.CeilingChange) {
	if len(list) == 0 {
		return
	}
	p.heading(headCeilings)
	for _, c := range list {
		p.line("  Policy/%s %s", c.Policy, ceilingText(c))
	}
}

func (p planPrinter) approvals(list []planner.Approval) {
	if len(list) == 0 {
		return
	}
	p.heading(headApprovals)
	for _, a := range list {
		p.line("  %s", approvalText(a))
	}
}

func (p planPrinter) triggers(list []planner.TriggerChange) {
	if len(list) == 0 {
		return
	}
	p.heading(headTriggers)
	for _, t := range list {
		p.line("  %s %s %s of workflow %s", t.Action, t.Kind, t.Key, t.Workflow)
		p.fields(diff.Fields(orObject(t.Before), orObject(t.After)), short)
	}
}

func (p planPrinter) definitions(list []planner.DefinitionChange) {
	if len(list) == 0 {
		return
	}
	p.heading(headDefinitions)
	for _, d := range list {
		p.line("  Agent/%s: %s", d.Agent, definitionText(d))
	}
}

func (p planPrinter) openRuns(r planner.OpenRuns) {
	note := runsNote(r)
	if len(r.Runs) == 0 && note == "" {
		return
	}
	p.heading(headRuns)
	for _, run := range r.Runs {
		p.line("  %s of workflow %s, %s since %s, under snapshot %s", run.RunID, run.Workflow, run.Status, Time(run.StartedAt), run.Snapshot.Short())
	}
	if len(r.Runs) > 0 {
		p.line("  %s", runsStay)
	}
	if note != "" {
		p.line("  %s", note)
	}
}

// risks groups the items by severity.
func (p planPrinter) risks(items []risk.Item) {
	if len(items) == 0 {
		return
	}
	p.heading(headRisk)
	for _, group := range bySeverity(items) {
		p.line("  %s:", p.graded(string(group[0].Severity), string(group[0].Severity)))
		for _, i := range group {
			p.line("    %s: %s", i.Category, riskText(i))
			if len(i.Witness) > 0 {
				p.line("        by %s", Witness(i.Witness))
			}
		}
	}
}

func (p planPrinter) lint(list []planner.Lint) {
	if len(list) == 0 {
		return
	}
	p.heading(headAdvice)
	for _, l := range list {
		p.line("  %s  Policy/%s: %s", p.severity(l.Severity), l.Policy, l.Message)
	}
}

func (p planPrinter) refusals(list []planner.Refusal) {
	if len(list) == 0 {
		return
	}
	p.heading(headRefusals)
	for _, r := range list {
		p.line("  %s: %s", r.Target, r.Reason)
	}
}
