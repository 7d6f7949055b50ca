package render

import (
	"fmt"
	"strings"
	"testing"

	"terfyn/planner"
	"terfyn/planner/authority"
	"terfyn/planner/loops"
)

// manyRoots is a plan over n workflows that changes the first of them.
func manyRoots(n int) planner.Plan {
	p := planner.Plan{Operations: []planner.Operation{{Action: planner.Update, Kind: "Workflow", Name: "w000"}}}
	for i := range n {
		name := fmt.Sprintf("w%03d", i)
		p.EffectBound = append(p.EffectBound, authority.Bound{Root: "Workflow/" + name, Entries: []authority.Entry{
			{Effect: "mail.send", Reachability: authority.Static, Severity: "medium"},
			{Effect: "disk.wipe", Reachability: authority.Unreachable, Severity: "low"},
		}})
		p.Loops = append(p.Loops, loops.Loop{Workflow: name, Site: "while", Kind: "while", Limit: 3, Bound: 3, Total: "3"})
		p.Approvals = append(p.Approvals, planner.Approval{Capability: "tool.t.send", Workflow: name})
	}
	return p
}

// TestLargePlansShowWhatTheyTouch: up to shownRoots every root is shown; beyond it
// those the plan touches, and a line says what is left out.
func TestLargePlansShowWhatTheyTouch(t *testing.T) {
	t.Parallel()
	for n, wanted := range map[int]int{shownRoots: shownRoots, shownRoots + 1: 1} {
		var table strings.Builder
		Plan(&table, manyRoots(n), Palette{})
		out := table.String()
		last := fmt.Sprintf("w%03d", n-1)
		if got := strings.Count(out, "mail.send"); got != wanted {
			t.Errorf("of %d roots %d are shown, want %d", n, got, wanted)
		}
		if strings.Contains(out, last) != (wanted == n) {
			t.Errorf("%s of %d roots, which does not change:\n%s", last, n, out)
		}
		if !strings.Contains(out, "-o json lists all") || strings.Count(out, "cannot reach: disk.wipe") != 1 {
			t.Errorf("what %d roots cannot reach is not told once:\n%s", n, out)
		}
	}
}
