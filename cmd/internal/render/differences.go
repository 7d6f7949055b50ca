package render

import (
	"fmt"
	"io"
	"strings"

	"terfyn/planner"
	"terfyn/planner/diff"
)

// NoDifferences is what diff says when there is nothing to say.
const NoDifferences = "No differences"

// Differences writes the changes of resources in full, texts of several lines line
// by line, and those of programs.
func Differences(w io.Writer, ops []planner.Operation, programs []planner.ProgramChange, c Palette) {
	p := planPrinter{w: w, c: c}
	if len(ops) == 0 {
		p.line("%s", NoDifferences)
		return
	}
	for i, o := range ops {
		if i > 0 {
			p.line("")
		}
		p.line("%s", c.Strong(fmt.Sprintf("%s %s", o.Action, o.Target())))
		for _, change := range o.Diff {
			p.difference(change)
		}
		for _, program := range programs {
			if o.Target() == "Workflow/"+program.Workflow {
				p.line("  %s program:", c.Careful("~"))
				p.programLines(program)
			}
		}
	}
}

func (p planPrinter) difference(c diff.Change) {
	before, after, lines := texts(c)
	if !lines {
		for _, l := range sides(c) {
			p.line("  %s", p.changed(l))
		}
		return
	}
	p.line("  %s %s:", p.c.Careful("~"), fieldName(c))
	for _, l := range diff.Lines(before, after) {
		p.line("      %s", p.changed(l))
	}
}

// texts gives both sides of a changed text of several lines.
func texts(c diff.Change) (before, after string, ok bool) {
	before, okBefore := c.Before.AsString()
	after, okAfter := c.After.AsString()
	return before, after, okBefore && okAfter && c.Kind == diff.Changed && (strings.Contains(before, "\n") || strings.Contains(after, "\n"))
}

// sides words a change as the lines it removes and adds.
func sides(c diff.Change) []diff.Line {
	var out []diff.Line
	if c.Kind != diff.Added {
		out = append(out, diff.Line{Kind: diff.LineRemoved, Text: fieldName(c) + ": " + c.Before.JSON()})
	}
	if c.Kind != diff.Removed {
		out = append(out, diff.Line{Kind: diff.LineAdded, Text: fieldName(c) + ": " + c.After.JSON()})
	}
	return out
}

// DifferencesMarkdown is Differences for a pull request.
func DifferencesMarkdown(w io.Writer, ops []planner.Operation, programs []planner.ProgramChange) {
	m := &markdown{w: w}
	if len(ops) == 0 {
		m.line("%s", NoDifferences)
	}
	for _, o := range ops {
		m.details(summary(fmt.Sprintf("%s %s", o.Action, o.Target())), func() {
			m.fence("diff", wholeLines(o, programs))
		})
	}
}

func wholeLines(o planner.Operation, programs []planner.ProgramChange) []string {
	var lines []string
	add := func(list []diff.Line) {
		for _, l := range list {
			lines = append(lines, lineMark(l.Kind)+l.Text)
		}
	}
	for _, c := range o.Diff {
		before, after, multi := texts(c)
		if !multi {
			add(sides(c))
			continue
		}
		lines = append(lines, "  "+fieldName(c)+":")
		add(diff.Lines(before, after))
	}
	for _, p := range programs {
		if o.Target() != "Workflow/"+p.Workflow {
			continue
		}
		lines = append(lines, "  program:")
		if p.NotCompared != "" {
			lines = append(lines, "  not compared: "+p.NotCompared)
		}
		add(p.Lines)
	}
	return lines
}
