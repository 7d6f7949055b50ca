package planner_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"terfyn/compiler/ir"
	"terfyn/compiler/resource"
	"terfyn/internal/canon"
)

// randomProject has up to three agents and workflows that call, grant and
// delegate at random, cycles included.
func randomProject(r *rand.Rand) project {
	p := project{graph: resource.Graph{Project: "p", Tools: []resource.Tool{{Name: "t", Type: "mock", OperationsDeclared: true, Operations: []resource.Operation{
		{Name: "a", Effects: []string{"x"}}, {Name: "b", Effects: []string{"x", "y"}}, {Name: "c", Effects: []string{"z"}}, {Name: "d"},
	}}}}}
	ops := []string{"a", "b", "c", "d"}
	for i := range 3 {
		name := fmt.Sprint(i)
		var grants []string
		for range r.IntN(3) {
			grants = append(grants, []string{"tool.t." + ops[r.IntN(4)], "tool.t." + ops[r.IntN(4)], "agent.A" + fmt.Sprint(r.IntN(3)), "workflow.w" + fmt.Sprint(r.IntN(3))}[r.IntN(4)])
		}
		p.graph.Agents = append(p.graph.Agents, resource.Agent{Name: "A" + name, Grants: grants})
		var calls []resource.Reference
		for n := range r.IntN(3) {
			site := fmt.Sprint("s", n)
			calls = append(calls, []resource.Reference{
				{Kind: "tool", Name: "t." + ops[r.IntN(4)], Site: site},
				{Kind: "agent", Name: "A" + fmt.Sprint(r.IntN(3)), Site: site},
				{Kind: "workflow", Name: "w" + fmt.Sprint(r.IntN(3)), Site: site},
			}[r.IntN(3)])
		}
		p.graph.Workflows = append(p.graph.Workflows, resource.Workflow{Name: "w" + name, Calls: calls})
		p.programs = append(p.programs, ir.Program{Workflow: "w" + name})
	}
	return p
}

// reachable walks a project without the planner: root, then how, then what.
func reachable(p project) map[string]bool {
	out := map[string]bool{}
	for _, a := range p.graph.Agents {
		walk(p, "Agent/"+a.Name, "agent", a.Name, false, map[string]bool{}, out)
	}
	for _, w := range p.graph.Workflows {
		walk(p, "Workflow/"+w.Name, "workflow", w.Name, false, map[string]bool{}, out)
	}
	return out
}

func walk(p project, root, kind, name string, autonomous bool, seen, out map[string]bool) {
	key := fmt.Sprint(kind, name, autonomous)
	if seen[key] {
		return
	}
	seen[key] = true
	if kind == "tool" {
		out[fmt.Sprint(root, " reaches ", name)] = true
		if autonomous {
			out[fmt.Sprint(root, " may choose ", name)] = true
		}
		return
	}
	if a, ok := p.graph.Agent(name); ok && kind == "agent" {
		for _, g := range a.Grants {
			if g[:4] == "tool" {
				walk(p, root, "tool", g[5:], true, seen, out)
			} else if g[:5] == "agent" {
				walk(p, root, "agent", g[6:], true, seen, out)
			} else {
				walk(p, root, "workflow", g[9:], true, seen, out)
			}
		}
	}
	if w, ok := p.graph.Workflow(name); ok && kind == "workflow" {
		for _, c := range w.Calls {
			walk(p, root, c.Kind, c.Name, autonomous, seen, out)
		}
	}
}

// Whatever becomes reachable, or selectable, is a widening; and a plan that
// shows none has nothing new to reach.
func TestNothingWidensUnseen(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	widened := 0
	for range 300 {
		before, after := randomProject(r), randomProject(r)
		p := plan(t, before, after)
		old := reachable(before)
		for what := range reachable(after) {
			if !old[what] && !p.Widens() {
				t.Fatalf("%s and the plan shows %+v\nbefore %+v\nafter %+v", what, p.Authority, before.graph, after.graph)
			}
		}
		if p.Widens() {
			widened++
		}
		if p.Empty() && p.Widens() {
			t.Fatalf("nothing to apply and %+v", p.Authority)
		}
	}
	if widened == 0 || widened == 300 {
		t.Errorf("%d of 300 plans widen: the projects are not random enough", widened)
	}
}

// A plan that is applied leaves nothing to plan.
func TestAppliedPlanIsEmpty(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		p := randomProject(r)
		p.schemas = map[string]canon.Value{"schemas/S.json": canon.Int(r.Int64())}
		if again := plan(t, p, p); !again.Empty() || again.Widens() || len(again.EffectDelta)+len(again.CapabilityDelta)+len(again.Triggers) != 0 {
			t.Fatalf("%+v", again)
		}
	}
}
