package soundness

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"terfyn/compiler/effects"
	"terfyn/compiler/resource"
	"terfyn/compiler/runnable"
	"terfyn/internal/canon"
	"terfyn/internal/ordered"
	"terfyn/store"
	"terfyn/workflows/contract"
)

// redWithin is how many seeds may pass before each wrong bound is found out.
const redWithin = 60

// lies are ways to compute a bound from less than what runs: each gives what was
// changed, "" when the project offers nothing to change.
var lies = map[string]func(d dice, g *resource.Graph) string{
	"a grant is left out": func(d dice, g *resource.Graph) string {
		a := pickWith(d, g.Agents, func(a resource.Agent) bool { return len(a.Grants) > 0 })
		if a == nil {
			return ""
		}
		i := d.IntN(len(a.Grants))
		gone := a.Grants[i]
		a.Grants = slices.Delete(slices.Clone(a.Grants), i, i+1)
		return gone
	},
	"a call is left out": func(d dice, g *resource.Graph) string {
		w := pickWith(d, g.Workflows, func(w resource.Workflow) bool { return len(w.Calls) > 0 })
		if w == nil {
			return ""
		}
		i := d.IntN(len(w.Calls))
		gone := w.Calls[i].Name
		w.Calls = slices.Delete(slices.Clone(w.Calls), i, i+1)
		return gone
	},
	"an effect is left out": func(d dice, g *resource.Graph) string {
		t := pickWith(d, g.Tools, func(t resource.Tool) bool {
			return slices.ContainsFunc(t.Operations, func(o resource.Operation) bool { return len(o.Effects) > 1 })
		})
		if t == nil {
			return ""
		}
		t.Operations = slices.Clone(t.Operations)
		o := pickWith(d, t.Operations, func(o resource.Operation) bool { return len(o.Effects) > 1 })
		gone := o.Effects[0]
		o.Effects = slices.Clone(o.Effects[1:])
		return gone
	},
	"a choice is called written": func(d dice, g *resource.Graph) string {
		a := pickWith(d, g.Agents, func(a resource.Agent) bool { return len(a.Grants) > 0 })
		if a == nil {
			return ""
		}
		for i := range g.Workflows {
			w := &g.Workflows[i]
			for _, c := range slices.Clone(w.Calls) {
				for _, grant := range a.Grants {
					if tool, ok := strings.CutPrefix(grant, "tool."); ok && c.Kind == "agent" && c.Name == a.Name {
						w.Calls = append(slices.Clone(w.Calls), resource.Reference{Kind: "tool", Name: tool, Site: c.Site + "-chosen"})
					}
				}
			}
		}
		a.Grants = nil
		return a.Name
	},
	"reconciling is left out": func(_ dice, g *resource.Graph) string {
		gone := ""
		for i := range g.Tools {
			g.Tools[i].Operations = slices.Clone(g.Tools[i].Operations)
			for j := range g.Tools[i].Operations {
				gone += g.Tools[i].Operations[j].Reconcile
				g.Tools[i].Operations[j].Reconcile = ""
			}
		}
		return gone
	},
}

// lost is a project whose only call often ends with an outcome nobody knows.
const lost = `
tool mail {
    type mock
    safety { trusted true }
    operations {
        send { effects { mail.send } reconcile look }
        look { effects { mail.read } readOnly true }
    }
}
workflow w(doc: any) { mail.send(to: doc.s) }
`

// pickWith picks one of those that fit, to be changed in place; nil when none does.
func pickWith[T any](d dice, from []T, fits func(T) bool) *T {
	var at []int
	for i, v := range from {
		if fits(v) {
			at = append(at, i)
		}
	}
	if len(at) == 0 {
		return nil
	}
	return &from[pick(d, at)]
}

// TestWrongBoundsAreFoundOut shows that the check can fail: bounds of projects from
// which something is left out do not cover what the whole project does.
func TestWrongBoundsAreFoundOut(t *testing.T) {
	t.Parallel()
	const rare = "reconciling is left out"
	findOut(t, slices.DeleteFunc(ordered.Keys(lies), func(lie string) bool { return lie == rare }), generate)
	findOut(t, []string{rare}, func(uint64) project { return project{"main.agent": lost} })
}

// findOut runs projects until each of the lies has been found out.
func findOut(t *testing.T, left []string, next func(seed uint64) project) {
	t.Helper()
	for seed := uint64(0); seed < redWithin && len(left) > 0; seed++ {
		r, ds := compile(next(seed))
		if ds.HasErrors() {
			continue
		}
		w := newWorld(t, seed, r, newTally())
		for _, flow := range w.graph.Workflows {
			if len(runnable.Run(w.graph, w.result.Programs, flow.Name)) > 0 {
				continue
			}
			_, e := w.runOnce(flow.Name, 0)
			left = slices.DeleteFunc(left, func(lie string) bool {
				found := w.believe(lie, flow.Name, e)
				if found != "" {
					t.Logf("%s: seed %d, %s", lie, seed, found)
				}
				return found != ""
			})
		}
	}
	for _, lie := range left {
		t.Errorf("%s: no violation was found in %d seeds", lie, redWithin)
	}
}

// triesEach is how many places of a project are left out, one at a time.
const triesEach = 8

// believe checks a run against bounds that lie, and gives the first violation.
func (w *world) believe(lie, flow string, e evidence) string {
	for n := range triesEach {
		if found := w.believeOnce(throw(w.seed, fmt.Sprint(lie, flow, n)), lie, flow, e); found != "" {
			return found
		}
	}
	return ""
}

func (w *world) believeOnce(d dice, lie, flow string, e evidence) string {
	g := w.result.Graph
	g.Agents, g.Workflows, g.Tools = slices.Clone(g.Agents), slices.Clone(g.Workflows), slices.Clone(g.Tools)
	what := lies[lie](d, &g)
	if what == "" {
		return ""
	}
	b, _ := effects.Compute(g).Workflow(flow)
	found := outsideBound(w.graph, b, e.executed())
	if len(found) == 0 {
		return ""
	}
	return what + ": " + found[0]
}

// redGraph is a manifest for the tables below.
func redGraph() resource.Graph {
	readOnly := true
	return resource.Normalize(resource.Graph{
		Tools: []resource.Tool{{Name: "t", Type: "mock", OperationsDeclared: true, Operations: []resource.Operation{
			{Name: "write", Effects: []string{"t.write"}}, {Name: "read", Effects: []string{"t.read"}, ReadOnly: &readOnly},
		}}},
		Agents: []resource.Agent{{Name: "A", Grants: []string{"tool.t.read"}}},
	})
}

// TestOutsideWorldCanFail: each step over the manifest and the grants is reported.
func TestOutsideWorldCanFail(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		x    executed
		want string
	}{
		"granted":     {executed{capability: "tool.t.read", chosen: true, agent: "A"}, ""},
		"written":     {executed{capability: "tool.t.write"}, ""},
		"no tool":     {executed{capability: "tool.x.read"}, "not in the manifest"},
		"not listed":  {executed{capability: "tool.t.drop"}, "closed manifest"},
		"not granted": {executed{capability: "tool.t.write", chosen: true, agent: "A"}, "not granted"},
		"no agent":    {executed{capability: "tool.t.read", chosen: true, agent: "B"}, "not granted"},
	} {
		got := strings.Join(outsideWorld(redGraph(), []executed{c.x}), "\n")
		if (c.want == "") != (got == "") || !strings.Contains(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// TestDisagreementsCanBeSeen: each contradiction between the witnesses is reported.
func TestDisagreementsCanBeSeen(t *testing.T) {
	t.Parallel()
	traced := func(capability, actor string) store.Event {
		return store.Event{Type: string(contract.ToolExecution), ActorType: actor, Data: canon.Object(canon.F("uses", canon.String(capability))).Encode()}
	}
	row := store.Effect{OperationID: "id", Tool: "t", Operation: "write", Attempts: 1}
	write := sent{capability: "tool.t.write", operationID: "id"}
	for name, c := range map[string]struct {
		e    evidence
		want string
	}{
		"all agree":          {evidence{sent: []sent{write}, events: []store.Event{traced("tool.t.write", contract.ActorSystem)}, effects: []store.Effect{row}}, ""},
		"not traced":         {evidence{sent: []sent{write}, effects: []store.Effect{row}}, "trace does not say so"},
		"not in the ledger":  {evidence{sent: []sent{write}, events: []store.Event{traced("tool.t.write", contract.ActorSystem)}}, "ledger does not know"},
		"beside the ledger":  {evidence{sent: []sent{{capability: "tool.t.write"}}, events: []store.Event{traced("tool.t.write", contract.ActorSystem)}}, "outside of the ledger"},
		"only in the ledger": {evidence{effects: []store.Effect{row}}, "did not see it"},
		"hidden choice":      {evidence{sent: []sent{{capability: "tool.t.read", marked: true, direct: true}}, events: []store.Event{traced("tool.t.read", contract.ActorSystem)}}, "no agent chose it"},
	} {
		got := strings.Join(c.e.disagreements(redGraph()), "\n")
		if (c.want == "") != (got == "") || !strings.Contains(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
