package render

import (
	"fmt"
	"strings"

	"terfyn/compiler/effects"
	"terfyn/planner"
	"terfyn/planner/authority"
	"terfyn/planner/diff"
	"terfyn/planner/loops"
	"terfyn/planner/risk"
)

// The headings of a plan, the same on a terminal and in a pull request.
const (
	headChanges     = "Changes"
	headPrograms    = "Programs"
	headCapability  = "Capabilities"
	headEffects     = "Effect changes"
	headBound       = "Effect bound"
	headLoops       = "Loops"
	headTurns       = "Model turns"
	headCeilings    = "Ceilings"
	headApprovals   = "Will stop for a person"
	headTriggers    = "Triggers"
	headDefinitions = "Agent definitions"
	headRuns        = "Open runs of workflows that change"
	headRisk        = "Risk"
	headAdvice      = "Advice"
	headRefusals    = "Policy refuses to apply this plan"
)

const (
	noChanges = "No changes. What is declared is what is applied."
	runsStay  = "They go on under the snapshot they started with; an apply changes nothing for them."
)

func comparedWith(b planner.Baseline) string {
	if b.Version == 0 {
		return fmt.Sprintf("Compared with environment %s: nothing is applied yet", b.Environment)
	}
	return fmt.Sprintf("Compared with environment %s: version %d, snapshot %s", b.Environment, b.Version, b.Snapshot)
}

func totals(s planner.Summary) string {
	return fmt.Sprintf("%d to create, %d to change, %d to delete.", s.Create, s.Update, s.Delete)
}

func fieldName(c diff.Change) string {
	if c.Path == "" {
		return "(whole)"
	}
	return c.Path
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

// loopText says how often the body of a loop runs.
func loopText(l loops.Loop) string {
	text := fmt.Sprintf("at most %d iterations", l.Bound)
	if l.Total.String() != fmt.Sprint(l.Bound) {
		text += fmt.Sprintf(" each time, %s in one run", l.Total)
	}
	if l.Limit > 0 {
		text += fmt.Sprintf(" (limit %d)", l.Limit)
	}
	if last := lastPart(l.Site); strings.HasPrefix(last, l.Kind) {
		return text
	}
	return l.Kind + ", " + text
}

func loopCallText(c loops.Call) string {
	callee := c.Callee
	if callee == loops.Approval {
		callee = "the approval " + lastPart(c.Site)
	}
	return fmt.Sprintf("at most %s iterations of %s", c.AtMost, callee)
}

// siteText is what happens at a call site on one line.
func siteText(site, text string) string { return site + ": " + text }

// lastPart is the name of a call site within the block around it.
func lastPart(site string) string { return site[strings.LastIndexByte(site, '/')+1:] }

func turnsText(t planner.Turns) string {
	by := "no workflow reaches it"
	switch len(t.Workflows) {
	case 0:
	case 1:
		by = "in workflow " + t.Workflows[0]
	default:
		by = "in workflows " + strings.Join(t.Workflows, ", ")
	}
	return fmt.Sprintf("at most %d in one step, %s", t.Most, by)
}

func approvalText(a planner.Approval) string {
	by := ""
	if a.Agent != "" {
		by = ", chosen by agent " + a.Agent
	}
	return fmt.Sprintf("%s in workflow %s%s: %s (%s)", a.Capability, a.Workflow, by, a.Source, a.Rule)
}

func definitionText(d planner.DefinitionChange) string {
	text := fmt.Sprintf("version %s => %s", Cell(d.Before), Cell(d.After))
	if d.Unversioned {
		text = fmt.Sprintf("changed, and its version is still %s", Cell(d.After))
		if d.After == "" {
			text = fmt.Sprintf("changed, and its version %s is gone", Cell(d.Before))
		}
	}
	if d.Replaces != "" {
		text += ", replaces " + d.Replaces
	}
	if d.Summary != "" {
		text += ": " + d.Summary
	}
	return text
}

// riskText is the reason, with the target where the reason does not name it.
func riskText(i risk.Item) string {
	if strings.Contains(i.Reason, i.Target) {
		return i.Reason
	}
	return i.Target + ": " + i.Reason
}

// bySeverity splits sorted items into their severities.
func bySeverity(items []risk.Item) [][]risk.Item {
	var groups [][]risk.Item
	for i, item := range items {
		if i == 0 || item.Severity != items[i-1].Severity {
			groups = append(groups, nil)
		}
		groups[len(groups)-1] = append(groups[len(groups)-1], item)
	}
	return groups
}

func lineMark(k diff.LineKind) string {
	switch k {
	case diff.LineAdded:
		return "+ "
	case diff.LineRemoved:
		return "- "
	case diff.LineGap:
		return "..."
	}
	return "  "
}

func ceilingText(c planner.CeilingChange) string {
	return fmt.Sprintf("%s: %s => %s (%s)", c.Field, Cell(c.Before), Cell(c.After), c.Change)
}

// runsNote says what is left out of the list of open runs, "" when nothing is.
func runsNote(r planner.OpenRuns) string {
	switch {
	case r.NotChecked != "":
		return "not checked: " + r.NotChecked
	case r.More:
		return "There are more open runs than a plan looks at; terfyn runs lists them all."
	}
	return ""
}
