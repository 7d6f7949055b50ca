package rules_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"terfyn/compiler/nexflow/refs"
	"terfyn/compiler/nexflow/rules"
)

// slowFlow finds what nexflow.md 7.5 says about the one workflow of a random set,
// with a table of which step comes before which.
type slowFlow struct {
	x      *refs.Index
	steps  []refs.Declaration
	before [][]bool
	found  []string
}

func newSlowFlow(x *refs.Index) *slowFlow {
	f := &slowFlow{x: x, steps: x.All(refs.WorkflowStep)}
	for _, s := range f.steps {
		row := make([]bool, len(f.steps))
		for i, b := range f.steps {
			row[i] = s.Node.Get("dependsOn").Lists(b.ID)
		}
		f.before = append(f.before, row)
	}
	return f
}

// check reads the direct order for the handoffs before it closes the table.
func (f *slowFlow) check() []string {
	direct := f.before
	n := len(f.steps)
	f.before = make([][]bool, n)
	for i := range n {
		f.before[i] = slices.Clone(direct[i])
	}
	for k := range n {
		for i := range n {
			for j := range n {
				f.before[i][j] = f.before[i][j] || f.before[i][k] && f.before[k][j]
			}
		}
	}
	circle := false
	for i := range n {
		circle = circle || f.before[i][i]
	}
	for i, s := range f.steps {
		f.early(i, s)
		for j, b := range f.steps {
			if direct[i][j] && !circle {
				f.handoff(s, b)
			}
		}
	}
	slices.Sort(f.found)
	return f.found
}

func (f *slowFlow) early(i int, s refs.Declaration) {
	for _, id := range s.Node.Get("dependsOn").Texts() {
		if !slices.ContainsFunc(f.steps, func(b refs.Declaration) bool { return b.ID == id }) {
			return
		}
	}
	task, _ := f.x.Find(refs.Task, s.Node.Get("task").Text())
	asked := map[string]bool{}
	for _, need := range task.Node.Get("dependsOn").Texts() {
		runs, waits := false, false
		for j, b := range f.steps {
			if b.Node.Get("task").Is(need) {
				runs = true
				waits = waits || i == j || f.before[i][j]
			}
		}
		if runs && !waits && !asked[need] {
			asked[need] = true
			f.found = append(f.found, "W TERFYN-GRAPH-ORDER-MISMATCH flow "+s.Node.Path()+"/dependsOn")
		}
	}
}

func (f *slowFlow) handoff(s, before refs.Declaration) {
	giver, receiver := f.owner(before), f.owner(s)
	if giver == "" || receiver == "" || giver == receiver {
		return
	}
	for _, h := range f.x.All(refs.Handoff) {
		if h.Node.Get("from").Lists(giver) && h.Node.Get("to").Lists(receiver) {
			return
		}
	}
	f.found = append(f.found, "I TERFYN-HANDOFF-MISSING flow "+s.Node.Path()+"/dependsOn")
}

func (f *slowFlow) owner(s refs.Declaration) string {
	task, _ := f.x.Find(refs.Task, s.Node.Get("task").Text())
	owner := task.Node.Get("owner").Text()
	if _, ok := f.x.Find(refs.Participant, owner); !ok {
		return ""
	}
	return owner
}

// TestOrderAgainstTheSlowWay compares the findings about random sets, and the
// repeated ones as often as they come.
func TestOrderAgainstTheSlowWay(t *testing.T) {
	t.Parallel()
	total := 0
	for seed := range uint64(600) {
		if seed%60 == 0 {
			continue
		}
		x := randomSet(t, seed).Index()
		want := newSlowFlow(x).check()
		got := []string{}
		for _, r := range rules.Check(x) {
			if r.Code == "TERFYN-GRAPH-ORDER-MISMATCH" || r.Code == "TERFYN-HANDOFF-MISSING" {
				got = append(got, noted(r))
			}
		}
		slices.Sort(got)
		if diff := cmp.Diff(append([]string{}, want...), got); diff != "" {
			t.Fatalf("seed %d: findings (-want +got):\n%s", seed, diff)
		}
		total += len(got)
	}
	if total < 500 {
		t.Errorf("only %d findings", total)
	}
}
