package render

import (
	"fmt"
	"io"
	"strings"

	"terfyn/compiler/effects"
	"terfyn/internal/canon"
	"terfyn/planner"
	"terfyn/planner/authority"
	"terfyn/planner/diff"
	"terfyn/planner/risk"
)

// Plan writes a plan for people.
func Plan(w io.Writer, p planner.Plan, c Palette) {
	pr := planPrinter{w: w, c: c}
	pr.line("Project %s, environment %s", p.Project, p.Environment)
	pr.baseline(p.DeploymentBaseline)
	if p.Empty() {
		pr.line("")
		pr.line("No changes. What is declared is what is applied.")
	} else {
		pr.operations(p)
	}
	pr.capabilities(p.CapabilityDelta)
	pr.effectChanges(p.EffectDelta)
	pr.bounds(p.EffectBound)
	pr.line("")
	pr.line("%s static %s, autonomous %s", c.Strong("Authority:"), pr.state(p.Authority.Static), pr.state(p.Authority.Autonomous))
	pr.approvals(p.Approvals)
	pr.triggers(p.Triggers)
	pr.definitions(p.Definitions)
	pr.risks(p.RiskItems)
	pr.lint(p)
	pr.refusals(p.Refusals)
	pr.line("")
	pr.line("Configuration: %s", p.ResolvedConfigDigest)
	pr.line("Plan: %d to create, %d to change, %d to delete.", p.Summary.Create, p.Summary.Update, p.Summary.Delete)
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

func (p planPrinter) baseline(b planner.Baseline) {
	if b.Version == 0 {
		p.line("Compared with environment %s: nothing is applied yet", b.Environment)
		return
	}
	p.line("Compared with environment %s: version %d, snapshot %s", b.Environment, b.Version, b.Snapshot)
}

func (p planPrinter) operations(plan planner.Plan) {
	p.heading("Changes")
	for _, o := range plan.Operations {
		switch o.Action {
		case planner.Create:
			p.line("  %s %s", p.c.Good("+"), o.Target())
		case planner.Delete:
			p.line("  %s %s", p.c.Bad("-"), o.Target())
		default:
			p.line("  %s %s", p.c.Careful("~"), o.Target())
			p.fields(o.Diff)
		}
	}
}

func (p planPrinter) fields(changes []diff.Change) {
	for _, c := range changes {
		name := c.Path
		if name == "" {
			name = "(whole)"
		}
		switch c.Kind {
		case diff.Added:
			p.line("      + %s: %s", name, short(c.After))
		case diff.Removed:
			p.line("      - %s: %s", name, short(c.Before))
		default:
			p.line("      ~ %s: %s => %s", name, short(c.Before), short(c.After))
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

func (p planPrinter) capabilities(list []authority.CapabilityChange) {
	if len(list) == 0 {
		return
	}
	p.heading("Capabilities")
	for _, change := range list {
		p.line("  Agent/%s", change.Agent)
		for _, name := range change.Added {
			p.line("    %s %s", p.c.Good("+"), name)
		}
		for _, name := range change.Removed {
			p.line("    %s %s", p.c.Bad("-"), name)
		}
	}
}

func (p planPrinter) effectChanges(list []authority.EffectChange) {
	if len(list) == 0 {
		return
	}
	p.heading("Effect changes")
	for _, e := range list {
		p.line("  %s: %s %s (%s)", e.Root, e.Change, e.Label(), e.Reachability)
	}
}

func (p planPrinter) bounds(list []authority.Bound) {
	p.heading("Effect bound")
	for _, b := range list {
		if len(b.Entries) == 0 {
			p.line("  %s: no effects", b.Root)
			continue
		}
		p.line("  %s", b.Root)
		for _, e := range b.Entries {
			p.line("    %s  %s (%s)%s", p.severity(e.Severity), e.Label(), e.Reachability, reason(e))
			if len(e.Witness) > 0 {
				p.line("          by %s", Witness(e.Witness))
			}
		}
	}
}

func reason(e authority.Entry) string {
	if e.Reason == "" {
		return ""
	}
	return ": " + e.Reason
}

// Witness is a path through the graph on one line.
func Witness(hops []effects.Hop) string {
	names := make([]string, len(hops))
	for i, h := range hops {
		names[i] = h.Name
		if h.Kind == effects.HopStep {
			names[i] = h.ID
		}
	}
	return strings.Join(names, " > ")
}

func (p planPrinter) severity(s string) string {
	padded := fmt.Sprintf("%-6s", s)
	switch s {
	case "high":
		return p.c.Bad(padded)
	case "medium":
		return p.c.Careful(padded)
	}
	return padded
}

func (p planPrinter) state(s authority.State) string {
	if s == authority.Widened {
		return p.c.Bad(string(s))
	}
	return string(s)
}

func (p planPrinter) approvals(list []planner.Approval) {
	if len(list) == 0 {
		return
	}
	p.heading("Will stop for a person")
	for _, a := range list {
		by := ""
		if a.Agent != "" {
			by = ", chosen by agent " + a.Agent
		}
		p.line("  %s in workflow %s%s: %s (%s)", a.Capability, a.Workflow, by, a.Source, a.Rule)
	}
}

func (p planPrinter) triggers(list []planner.TriggerChange) {
	if len(list) == 0 {
		return
	}
	p.heading("Triggers")
	for _, t := range list {
		p.line("  %s %s %s of workflow %s", t.Action, t.Kind, t.Key, t.Workflow)
	}
}

func (p planPrinter) definitions(list []planner.DefinitionChange) {
	if len(list) == 0 {
		return
	}
	p.heading("Agent definitions")
	for _, d := range list {
		p.line("  %s: version %s => %s %s", d.Agent, Cell(d.Before), Cell(d.After), d.Summary)
	}
}

func (p planPrinter) risks(items []risk.Item) {
	if len(items) == 0 {
		return
	}
	p.heading("Risk")
	for _, i := range items {
		p.line("  %s  %s: %s", p.severity(string(i.Severity)), i.Category, i.Reason)
		if len(i.Witness) > 0 {
			p.line("          by %s", Witness(i.Witness))
		}
	}
}

func (p planPrinter) lint(plan planner.Plan) {
	if len(plan.PolicyLint) == 0 {
		return
	}
	p.heading("Advice")
	for _, l := range plan.PolicyLint {
		p.line("  %s  Policy/%s: %s", p.severity(l.Severity), l.Policy, l.Message)
	}
}

func (p planPrinter) refusals(list []planner.Refusal) {
	if len(list) == 0 {
		return
	}
	p.heading("Policy refuses to apply this plan")
	for _, r := range list {
		p.line("  %s: %s", r.Target, r.Reason)
	}
}
