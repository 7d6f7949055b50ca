package effects

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"terfyn/compiler/resource"
)

// TestWaysAgreeWithTheBound: an operation is in the bound exactly when there is a
// way to it, autonomous when one of them is, and written when one of them is.
func TestWaysAgreeWithTheBound(t *testing.T) {
	t.Parallel()
	for seed := range uint64(200) {
		g := randomGraph(rand.New(rand.NewPCG(seed, 13)))
		all := Ways(g)
		for _, b := range Compute(g).Workflows {
			ways := map[string][]Way{}
			for _, w := range all[b.Name] {
				ways[w.Capability] = append(ways[w.Capability], w)
				follow(t, g, w.Witness)
			}
			if len(ways) != len(b.Operations) {
				t.Fatalf("seed %d: %d operations by ways, %d in the bound", seed, len(ways), len(b.Operations))
			}
			for _, o := range b.Operations {
				by := func(a Authority) bool {
					return slices.ContainsFunc(ways[o.Capability], func(w Way) bool { return w.Authority == a })
				}
				if by(Autonomous) != (o.Authority == Autonomous) || by(Static) != (o.Written != nil) {
					t.Fatalf("seed %d: %s of %s is %s (written: %s), ways %+v", seed, o.Capability, b.Name, o.Authority, Path(o.Written), ways[o.Capability])
				}
				if slices.ContainsFunc(o.Written, func(h Hop) bool { return h.Reachability == Autonomous }) {
					t.Fatalf("seed %d: %s", seed, Path(o.Written))
				}
			}
		}
	}
}

// TestWaysTellContextsApart by caller, by workflow and by the policies between.
func TestWaysTellContextsApart(t *testing.T) {
	t.Parallel()
	g := resource.Graph{
		Tools:  []resource.Tool{tool("mail", op("send", "mail.send"))},
		Agents: []resource.Agent{{Name: "A", Grants: []string{"tool.mail.send", "agent.B"}}, {Name: "B", Grants: []string{"tool.mail.send"}}},
		Workflows: []resource.Workflow{
			{Name: "w", Policy: "p", Calls: []resource.Reference{call("agent", "A", "a"), call("tool", "mail.send", "s"), call("workflow", "strict", "m"), call("workflow", "plain", "n")}},
			{Name: "strict", Policy: "q", Calls: []resource.Reference{call("workflow", "inner", "i")}},
			{Name: "plain", Policy: "p", Calls: []resource.Reference{call("workflow", "inner", "i")}},
			{Name: "inner", Policy: "p", Calls: []resource.Reference{call("tool", "mail.send", "s")}},
		},
	}
	var got []string
	for _, w := range Ways(g)["w"] {
		got = append(got, fmt.Sprintf("%s %s %q %v", w.Workflow, w.Authority, w.Agent, w.Through()))
	}
	slices.Sort(got)
	want := []string{
		`inner static "" [w plain inner]`,
		`w autonomous "A" [w]`, `w autonomous "B" [w]`, `w static "" [w]`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
