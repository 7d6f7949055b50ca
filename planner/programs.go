package planner

import (
	"terfyn/compiler/ir"
	"terfyn/planner/diff"
)

// ProgramChange is what changes in the program of a workflow, line by line of its
// dump. Texts under sensitive names are masked.
type ProgramChange struct {
	Workflow string      `json:"workflow"`
	Lines    []diff.Line `json:"lines"`
	// NotCompared says why the program before cannot be shown; Lines is empty then.
	NotCompared string `json:"notCompared,omitempty"`
}

// programChanges compares the programs of updated workflows; unreadable says why
// there are no programs before, "" when there are.
func programChanges(ops []Operation, before, after []ir.Program, unreadable string) []ProgramChange {
	old, now := byName(before, programName), byName(after, programName)
	out := []ProgramChange{}
	for _, o := range ops {
		if !changesProgram(o) {
			continue
		}
		was, known := old[o.Name]
		switch {
		case known:
			lines := orEmpty(diff.Lines(was.Dump(), now[o.Name].Dump()))
			for i, l := range lines {
				lines[i].Text = diff.MaskLine(l.Text)
			}
			diff.MarkLines(lines)
			out = append(out, ProgramChange{Workflow: o.Name, Lines: lines})
		case unreadable != "":
			out = append(out, ProgramChange{Workflow: o.Name, Lines: []diff.Line{}, NotCompared: unreadable})
		}
	}
	return out
}

func programName(p ir.Program) string { return p.Workflow }

func changesProgram(o Operation) bool {
	if o.Action != Update || o.Kind != string(kindWorkflow) {
		return false
	}
	for _, c := range o.Diff {
		if c.Path == "programDigest" {
			return true
		}
	}
	return false
}
