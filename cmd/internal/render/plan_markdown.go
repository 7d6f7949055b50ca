package render

import (
	"fmt"
	"io"

	"terfyn/planner"
	"terfyn/planner/authority"
	"terfyn/planner/diff"
)

// PlanMarkdown writes a plan for a pull request: what a reviewer has to decide on
// first, the differences folded up, everything the other outputs have.
func PlanMarkdown(w io.Writer, p planner.Plan) {
	m := planMarkdown{&markdown{w: w}}
	m.line("## Plan for %s, environment %s", code(p.Project), code(p.Environment))
	m.line("")
	m.line("**%s** %s.", totals(p.Summary), plain(comparedWith(p.DeploymentBaseline)))
	m.line("")
	m.table([]string{"authority", "state"}, [][]string{{"static", stateMarkdown(p.Authority.Static)}, {"autonomous", stateMarkdown(p.Authority.Autonomous)}})
	m.refusals(p.Refusals)
	m.risks(p)
	if p.Empty() {
		m.gap()
		m.line("%s", noChanges)
	} else {
		m.changes(p)
	}
	s := shownPlan(p)
	m.reach(s)
	m.bounds(s)
	m.consequences(s)
	m.gap()
	m.line("Evidence: %s<br>", code(string(p.Evidence)))
	m.line("Configuration: %s<br>", code(string(p.ResolvedConfigDigest)))
	m.line("Plan: %s", code(string(p.Digest())))
}

type planMarkdown struct{ *markdown }

func stateMarkdown(s authority.State) string {
	if s == authority.Widened {
		return "**" + string(s) + "**"
	}
	return string(s)
}

// section writes a table under a heading, nothing when there is nothing to show.
func (m planMarkdown) section(name string, heading []string, rows [][]string) {
	if len(rows) > 0 {
		m.heading(3, name)
		m.table(heading, rows)
	}
}

func (m planMarkdown) refusals(list []planner.Refusal) {
	var rows [][]string
	for _, r := range list {
		rows = append(rows, []string{code(r.Target), plain(r.Reason)})
	}
	m.section(headRefusals, []string{"by", "reason"}, rows)
}

func (m planMarkdown) risks(p planner.Plan) {
	if len(p.RiskItems) > 0 {
		m.heading(3, headRisk)
	}
	for _, group := range bySeverity(p.RiskItems) {
		m.gap()
		m.line("**%s**", group[0].Severity)
		m.line("")
		var rows [][]string
		for _, i := range group {
			rows = append(rows, []string{code(string(i.Category)), code(i.Target), plain(i.Reason), code(Witness(i.Witness))})
		}
		m.table([]string{"category", "target", "reason", "path"}, rows)
	}
	var rows [][]string
	for _, l := range p.PolicyLint {
		rows = append(rows, []string{plain(l.Severity), code("Policy/" + l.Policy), plain(l.Message)})
	}
	m.section(headAdvice, []string{"severity", "policy", "advice"}, rows)
}

// changes folds up the differences of each resource and program.
func (m planMarkdown) changes(p planner.Plan) {
	m.heading(3, headChanges)
	for _, o := range p.Operations {
		m.details(summary(fmt.Sprintf("%s %s", o.Action, o.Target())), func() { m.fence("diff", diffLines(o.Diff)) })
	}
	if len(p.Programs) > 0 {
		m.heading(3, headPrograms)
	}
	for _, c := range p.Programs {
		m.details(summary("program of Workflow/"+c.Workflow), func() {
			if c.NotCompared != "" {
				m.line("not compared: %s", plain(c.NotCompared))
				return
			}
			var lines []string
			for _, l := range c.Lines {
				lines = append(lines, lineMark(l.Kind)+l.Text)
			}
			m.fence("diff", lines)
		})
	}
}

// diffLines words field differences as the lines of a diff.
func diffLines(changes []diff.Change) []string {
	var lines []string
	for _, c := range changes {
		if c.Kind != diff.Added {
			lines = append(lines, "- "+fieldName(c)+": "+short(c.Before))
		}
		if c.Kind != diff.Removed {
			lines = append(lines, "+ "+fieldName(c)+": "+short(c.After))
		}
	}
	return lines
}

func (m planMarkdown) reach(p shown) {
	var rows [][]string
	for _, c := range p.CapabilityDelta {
		for _, name := range c.Added {
			rows = append(rows, []string{code("Agent/" + c.Agent), "added", code(name)})
		}
		for _, name := range c.Removed {
			rows = append(rows, []string{code("Agent/" + c.Agent), "removed", code(name)})
		}
	}
	m.section(headCapability, []string{"agent", "change", "capability"}, rows)
	rows = nil
	for _, e := range p.EffectDelta {
		rows = append(rows, []string{code(e.Root), plain(e.Change), code(e.Label()), plain(e.Reachability), code(Witness(e.Witness))})
	}
	m.section(headEffects, []string{"root", "change", "effect", "reached", "path"}, rows)
	m.effectBound(p)
}

func (m planMarkdown) effectBound(p shown) {
	note := p.leftOut()
	if len(p.EffectBound) > 0 || note != "" {
		m.heading(3, headBound)
	}
	if len(p.EffectBound) > 0 {
		m.details("what "+many(len(p.EffectBound), "root", "roots")+" can reach at most", func() {
			var rows [][]string
			for _, b := range p.EffectBound {
				rows = append(rows, boundRows(p, b)...)
			}
			m.table([]string{"root", "severity", "effect", "reached", "path"}, rows)
		})
	}
	if note != "" {
		m.gap()
		m.line("%s", plain(note))
	}
}

func boundRows(p shown, b authority.Bound) [][]string {
	var rows [][]string
	reached, low := apart(b)
	for _, e := range reached {
		rows = append(rows, []string{code(b.Root), plain(e.Severity), code(e.Label()), plain(e.Reachability + reason(e)), code(Witness(e.Witness))})
	}
	if cannot := p.cannotReach(b.Root, low); cannot != "" {
		rows = append(rows, []string{code(b.Root), authority.LowSeverity, plain(cannot), authority.Unreachable, "-"})
	}
	if len(rows) == 0 {
		rows = append(rows, []string{code(b.Root), "-", "no effects", "-", "-"})
	}
	return rows
}
