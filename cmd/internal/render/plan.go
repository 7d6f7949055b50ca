package render

import (
	"fmt"
	"io"
	"strings"

	"terfyn/internal/canon"
	"terfyn/planner"
	"terfyn/planner/diff"
)

// Plan writes a plan for people: in a large project, of what does not change only how
// much there is of it.
func Plan(w io.Writer, p planner.Plan, c Palette) {
	pr, s := planPrinter{w: w, c: c}, shownPlan(p)
	pr.line("Project %s, environment %s", p.Project, p.Environment)
	pr.line("%s", comparedWith(p.DeploymentBaseline))
	if p.Empty() {
		pr.line("")
		pr.line("%s", noChanges)
	} else {
		pr.heading(headChanges)
		pr.operations(p.Operations)
	}
	pr.programs(p.Programs)
	pr.capabilities(p.CapabilityDelta)
	pr.effectChanges(p.EffectDelta)
	pr.bounds(s)
	pr.line("")
	pr.line("%s static %s, autonomous %s", c.Strong("Authority:"), pr.state(p.Authority.Static), pr.state(p.Authority.Autonomous))
	pr.loops(s)
	pr.turns(s.Turns)
	pr.ceilings(p.Ceilings)
	pr.approvals(s.Approvals)
	pr.triggers(p.Triggers)
	pr.definitions(p.Definitions)
	pr.openRuns(p.OpenRuns)
	pr.risks(p.RiskItems)
	pr.lint(p.PolicyLint)
	pr.refusals(p.Refusals)
	pr.line("")
	pr.line("Evidence: %s", p.Evidence)
	pr.line("Configuration: %s", p.ResolvedConfigDigest)
	pr.line("Plan: %s", totals(p.Summary))
}

type planPrinter struct {
	w io.Writer
	c Palette
}

func (p planPrinter) line(format string, args ...any) {
	_, _ = fmt.Fprintf(p.w, format+"\n", args...)
}

func (p planPrinter) heading(text string) {
	p.line("")
	p.line("%s", p.c.Strong(text))
}

func (p planPrinter) operations(list []planner.Operation) {
	for _, o := range list {
		switch o.Action {
		case planner.Create:
			p.line("  %s %s", p.c.Good("+"), o.Target())
		case planner.Delete:
			p.line("  %s %s", p.c.Bad("-"), o.Target())
		default:
			p.line("  %s %s", p.c.Careful("~"), o.Target())
			p.fields(o.Diff, short)
		}
	}
}

// fields writes field differences; value words one side of them.
func (p planPrinter) fields(changes []diff.Change, value func(canon.Value) string) {
	for _, c := range changes {
		switch c.Kind {
		case diff.Added:
			p.line("      + %s: %s", fieldName(c), value(c.After))
		case diff.Removed:
			p.line("      - %s: %s", fieldName(c), value(c.Before))
		default:
			p.line("      ~ %s: %s => %s", fieldName(c), value(c.Before), value(c.After))
		}
	}
}

// shownValue is the longest value of a field difference in bytes; documents hold
// the whole.
const shownValue = 200

func short(v canon.Value) string {
	s := v.JSON()
	if len(s) <= shownValue {
		return s
	}
	return strings.ToValidUTF8(s[:shownValue], "") + "..."
}

// orObject is v, or an object without members where there is nothing.
func orObject(v canon.Value) canon.Value {
	if v.IsNull() {
		return canon.Object()
	}
	return v
}
