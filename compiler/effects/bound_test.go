package effects

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"terfyn/compiler/resource"
)

func op(name string, effects ...string) resource.Operation {
	return resource.Operation{Name: name, Effects: effects}
}

func tool(name string, ops ...resource.Operation) resource.Tool {
	return resource.Tool{Name: name, Type: "mock", OperationsDeclared: true, Operations: ops}
}

func call(kind, name, site string) resource.Reference {
	return resource.Reference{Kind: kind, Name: name, Site: site}
}

// project is the sample of language.md 19.9 with a caller and an open tool.
func project() resource.Graph {
	return resource.Graph{
		Tools: []resource.Tool{
			tool("tracker", op("issue.read", "tracker.read"), op("issue.close", "tracker.write", "destructive")),
			tool("checkout", op("read_file", "workspace.read"), op("edit", "workspace.write")),
			tool("weather", op("get.today", "net.read")),
			tool("sealed"),
			{Name: "open", Type: "mcp"},
		},
		Agents: []resource.Agent{
			{Name: "Fixer", Grants: []string{"tool.checkout.read_file", "tool.checkout.edit", "tool.tracker.issue.read"}},
			{Name: "Lead", Grants: []string{"agent.Fixer", "workflow.close"}},
		},
		Workflows: []resource.Workflow{
			{Name: "fix", Calls: []resource.Reference{call("agent", "Fixer", "report"), call("tool", "tracker.issue.close", "if.then.close"), call("tool", "tracker.issue.read", "look")}},
			{Name: "close", Calls: []resource.Reference{call("tool", "tracker.issue.close", "c")}},
			{Name: "outer", Calls: []resource.Reference{call("workflow", "fix", "inner")}},
			{Name: "lead", Calls: []resource.Reference{call("agent", "Lead", "l")}},
			{Name: "wild", Calls: []resource.Reference{call("tool", "open.any", "o"), call("tool", "checkout.gone", "g"), call("agent", "Nobody", "n"), call("tool", "none.x", "x")}},
		},
	}
}

func TestCompute(t *testing.T) {
	t.Parallel()
	want := `Agent Fixer
  effect tracker.read autonomous: agent Fixer -> AUTONOMOUS tool.tracker.issue.read
  effect workspace.read autonomous: agent Fixer -> AUTONOMOUS tool.checkout.read_file
  effect workspace.write autonomous: agent Fixer -> AUTONOMOUS tool.checkout.edit
  operation tool.checkout.edit autonomous
  operation tool.checkout.read_file autonomous
  operation tool.tracker.issue.read autonomous
  unreachable destructive: tool.tracker.issue.close
  unreachable net.read: tool.weather.get.today
  unreachable tracker.write: tool.tracker.issue.close
Agent Lead
  effect destructive autonomous: agent Lead -> AUTONOMOUS workflow close -> step c -> tool.tracker.issue.close
  effect tracker.read autonomous: agent Lead -> AUTONOMOUS agent Fixer -> AUTONOMOUS tool.tracker.issue.read
  effect tracker.write autonomous: agent Lead -> AUTONOMOUS workflow close -> step c -> tool.tracker.issue.close
  effect workspace.read autonomous: agent Lead -> AUTONOMOUS agent Fixer -> AUTONOMOUS tool.checkout.read_file
  effect workspace.write autonomous: agent Lead -> AUTONOMOUS agent Fixer -> AUTONOMOUS tool.checkout.edit
  operation tool.checkout.edit autonomous
  operation tool.checkout.read_file autonomous
  operation tool.tracker.issue.close autonomous
  operation tool.tracker.issue.read autonomous
  unreachable net.read: tool.weather.get.today
Workflow close
  effect destructive static: workflow close -> step c -> tool.tracker.issue.close
  effect tracker.write static: workflow close -> step c -> tool.tracker.issue.close
  operation tool.tracker.issue.close static
  unreachable net.read: tool.weather.get.today
  unreachable tracker.read: tool.tracker.issue.read
  unreachable workspace.read: tool.checkout.read_file
  unreachable workspace.write: tool.checkout.edit
Workflow fix
  effect destructive static: workflow fix -> step if.then.close -> tool.tracker.issue.close
  effect tracker.read autonomous: workflow fix -> step report -> agent Fixer -> AUTONOMOUS tool.tracker.issue.read
  effect tracker.write static: workflow fix -> step if.then.close -> tool.tracker.issue.close
  effect workspace.read autonomous: workflow fix -> step report -> agent Fixer -> AUTONOMOUS tool.checkout.read_file
  effect workspace.write autonomous: workflow fix -> step report -> agent Fixer -> AUTONOMOUS tool.checkout.edit
  operation tool.checkout.edit autonomous
  operation tool.checkout.read_file autonomous
  operation tool.tracker.issue.close static
  operation tool.tracker.issue.read autonomous
  unreachable net.read: tool.weather.get.today
`
	got := Compute(project()).Dump()
	if diff := cmp.Diff(want, got[:strings.Index(got, "Workflow lead")]); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestNestedWitness(t *testing.T) {
	t.Parallel()
	outer, _ := Compute(project()).Workflow("outer")
	e, ok := outer.Effect("workspace.write")
	want := []Hop{
		{HopWorkflow, "outer", "outer", Static}, {HopStep, "fix", "inner", Static}, {HopWorkflow, "fix", "fix", Static},
		{HopStep, "Fixer", "report", Static}, {HopAgent, "Fixer", "Fixer", Static}, {HopOperation, "tool.checkout.edit", "tool.checkout.edit", Autonomous},
	}
	if diff := cmp.Diff(want, e.Witness); !ok || diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestUnknownIsNeverNone(t *testing.T) {
	t.Parallel()
	wild, _ := Compute(project()).Workflow("wild")
	got := map[string]string{}
	for _, u := range wild.Unknown {
		got[u.Capability] = u.Reason
	}
	want := map[string]string{
		"agent.Nobody": "no such agent", "tool.checkout.gone": "not in the tool's operations",
		"tool.none.x": "no such tool", "tool.open.any": "the tool declares no operations",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	g := resource.Graph{Tools: []resource.Tool{tool("t", op("quiet"))}, Agents: []resource.Agent{{Name: "A", Grants: []string{"tool.t.quiet"}}}}
	a, _ := Compute(g).Agent("A")
	if len(a.Unknown) != 1 || a.Unknown[0].Authority != Autonomous {
		t.Errorf("an operation without effects: %+v", a.Unknown)
	}
	g.Tools[0].Operations[0].NoEffects = true
	if a, _ := Compute(g).Agent("A"); len(a.Unknown) != 0 || len(a.Effects) != 0 || len(a.Operations) != 1 {
		t.Errorf("an operation that declares to have none: %+v", a)
	}
}

func TestCyclesEnd(t *testing.T) {
	t.Parallel()
	g := resource.Graph{
		Tools:  []resource.Tool{tool("t", op("a", "x.one"), op("b", "x.two"))},
		Agents: []resource.Agent{{Name: "A", Grants: []string{"agent.B", "tool.t.a"}}, {Name: "B", Grants: []string{"agent.A", "workflow.w"}}},
		Workflows: []resource.Workflow{
			{Name: "w", Calls: []resource.Reference{call("workflow", "v", "1")}},
			{Name: "v", Calls: []resource.Reference{call("workflow", "w", "1"), call("tool", "t.b", "2")}},
		},
	}
	b, _ := Compute(g).Agent("B")
	if len(b.Effects) != 2 || b.Effects[0].Authority != Autonomous || b.Effects[1].Authority != Autonomous {
		t.Errorf("bound of B: %+v", b.Effects)
	}
	if w, _ := Compute(g).Workflow("w"); len(w.Effects) != 1 || w.Effects[0].Authority != Static {
		t.Errorf("bound of w: %+v", w.Effects)
	}
}

// randomGraph has tools, agents and workflows that call each other at random,
// cycles and gaps included.
func randomGraph(r *rand.Rand) resource.Graph {
	var g resource.Graph
	pick := func(prefix string, n int) string { return fmt.Sprintf("%s%d", prefix, r.IntN(n)) }
	for i := range 3 {
		t := resource.Tool{Name: fmt.Sprintf("t%d", i), OperationsDeclared: r.IntN(4) > 0}
		for j := range r.IntN(4) {
			if t.OperationsDeclared {
				var effects []string
				for range r.IntN(3) {
					effects = append(effects, pick("e", 6))
				}
				t.Operations = append(t.Operations, op(fmt.Sprintf("o%d", j), effects...))
			}
		}
		g.Tools = append(g.Tools, t)
	}
	for i := range 4 {
		a := resource.Agent{Name: fmt.Sprintf("A%d", i)}
		w := resource.Workflow{Name: fmt.Sprintf("w%d", i)}
		for j := range r.IntN(4) {
			a.Grants = append(a.Grants, []string{"tool." + pick("t", 3) + "." + pick("o", 3), "agent." + pick("A", 4), "workflow." + pick("w", 5)}[r.IntN(3)])
			site := fmt.Sprintf("s%d", j)
			w.Calls = append(w.Calls, []resource.Reference{call("tool", pick("t", 4)+"."+pick("o", 3), site), call("agent", pick("A", 5), site), call("workflow", pick("w", 4), site)}[r.IntN(3)])
		}
		g.Agents, g.Workflows = append(g.Agents, a), append(g.Workflows, w)
	}
	return g
}

// event is one operation a simulated run executed.
type event struct {
	capability string
	chosen     bool // an agent's choice lies on the way
}

// simulate runs a root with a random model; it follows calls and grants itself
// and shares nothing with the algorithm under test.
func simulate(g resource.Graph, r *rand.Rand, kind, name string, chosen bool, fuel *int, out *[]event) {
	if *fuel--; *fuel < 0 {
		return
	}
	switch kind {
	case "tool":
		*out = append(*out, event{"tool." + name, chosen})
	case "agent":
		a, _ := g.Agent(name)
		for range min(len(a.Grants), 1+r.IntN(3)) {
			next, rest, _ := strings.Cut(a.Grants[r.IntN(len(a.Grants))], ".")
			simulate(g, r, next, rest, true, fuel, out)
		}
	case "workflow":
		w, _ := g.Workflow(name)
		for _, c := range w.Calls {
			if r.IntN(3) > 0 { // a branch not taken otherwise
				simulate(g, r, c.Kind, c.Name, chosen, fuel, out)
			}
		}
	}
}

func TestExecutedEffectsAreInsideTheBound(t *testing.T) {
	t.Parallel()
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 7))
		g := randomGraph(r)
		bounds := Compute(g)
		for _, w := range bounds.Workflows {
			var events []event
			fuel := 200
			simulate(g, r, "workflow", w.Name, false, &fuel, &events)
			for _, e := range events {
				inside(t, g, w, e)
			}
		}
		for _, a := range bounds.Agents {
			var events []event
			fuel := 200
			simulate(g, r, "agent", a.Name, false, &fuel, &events)
			for _, e := range events {
				inside(t, g, a, e)
			}
		}
	}
}

func inside(t *testing.T, g resource.Graph, b Bound, e event) {
	t.Helper()
	o, ok := b.Operation(e.capability)
	if !ok || (e.chosen && o.Authority != Autonomous) {
		t.Fatalf("%s %s executed %s (chosen %v), bound has %+v\n%s", b.Kind, b.Name, e.capability, e.chosen, o, Bounds{Workflows: []Bound{b}}.Dump())
	}
	_, op, _ := g.Operation(e.capability)
	for _, name := range op.Effects {
		if effect, ok := b.Effect(name); !ok || (e.chosen && effect.Authority != Autonomous) {
			t.Fatalf("%s %s had the effect %s outside its bound", b.Kind, b.Name, name)
		}
	}
	unknown := slices.ContainsFunc(b.Unknown, func(u Unknown) bool { return u.Capability == e.capability })
	if len(op.Effects) == 0 && !unknown {
		t.Fatalf("%s %s executed %s, whose effects nobody declared, and the bound does not say so", b.Kind, b.Name, e.capability)
	}
}

// TestWitnessesAreRealPaths keeps the bound from being merely large.
func TestWitnessesAreRealPaths(t *testing.T) {
	t.Parallel()
	for seed := range uint64(200) {
		g := randomGraph(rand.New(rand.NewPCG(seed, 9)))
		b := Compute(g)
		for _, bound := range slices.Concat(b.Agents, b.Workflows) {
			for _, o := range bound.Operations {
				follow(t, g, o.Witness)
				autonomous := slices.ContainsFunc(o.Witness, func(h Hop) bool { return h.Reachability == Autonomous })
				if last := o.Witness[len(o.Witness)-1]; last.Name != o.Capability || autonomous != (o.Authority == Autonomous) {
					t.Fatalf("witness of %s: %s", o.Capability, Path(o.Witness))
				}
			}
		}
	}
}

func follow(t *testing.T, g resource.Graph, path []Hop) {
	t.Helper()
	for i := 1; i < len(path); i++ {
		from, to := path[i-1], path[i]
		if to.Kind == HopStep {
			w, _ := g.Workflow(from.Name)
			next := path[i+1]
			if !slices.ContainsFunc(w.Calls, func(c resource.Reference) bool { return c.Site == to.ID && strings.HasSuffix(next.Name, c.Name) }) {
				t.Fatalf("no call at %s: %s", to.ID, Path(path))
			}
			continue
		}
		if from.Kind == HopStep {
			continue
		}
		a, _ := g.Agent(from.Name)
		grant := to.Name
		if to.Kind != HopOperation {
			grant = string(to.Kind) + "." + to.Name
		}
		if !slices.Contains(a.Grants, grant) {
			t.Fatalf("no grant %s: %s", grant, Path(path))
		}
	}
}

func TestOrderDoesNotMatter(t *testing.T) {
	t.Parallel()
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(seed, 11))
		g := randomGraph(r)
		want := Compute(g)
		r.Shuffle(len(g.Tools), func(i, j int) { g.Tools[i], g.Tools[j] = g.Tools[j], g.Tools[i] })
		r.Shuffle(len(g.Agents), func(i, j int) { g.Agents[i], g.Agents[j] = g.Agents[j], g.Agents[i] })
		r.Shuffle(len(g.Workflows), func(i, j int) { g.Workflows[i], g.Workflows[j] = g.Workflows[j], g.Workflows[i] })
		for i := range g.Agents {
			slices.Reverse(g.Agents[i].Grants)
			slices.Reverse(g.Workflows[i].Calls)
		}
		if diff := cmp.Diff(want, Compute(g)); diff != "" {
			t.Fatalf("seed %d (-want +got):\n%s", seed, diff)
		}
	}
}

// TestReconcileIsInTheBound: the engine calls the reconcile operation by itself, so
// its effects belong to everybody who may call the operation it reconciles.
func TestReconcileIsInTheBound(t *testing.T) {
	t.Parallel()
	g := resource.Graph{
		Tools: []resource.Tool{{Name: "mail", OperationsDeclared: true, Operations: []resource.Operation{
			{Name: "send", Effects: []string{"mail.send"}, Reconcile: "lookup"}, {Name: "lookup", Effects: []string{"mail.read"}},
		}}},
		Agents:    []resource.Agent{{Name: "A", Grants: []string{"tool.mail.send"}}},
		Workflows: []resource.Workflow{{Name: "w", Calls: []resource.Reference{{Kind: "tool", Name: "mail.send", Site: "send"}}}},
	}
	bounds := Compute(g)
	for root, want := range map[string]Authority{"w": Static, "A": Autonomous} {
		b, ok := bounds.Workflow(root)
		if root == "A" {
			b, ok = bounds.Agent(root)
		}
		op, reached := b.Operation("tool.mail.lookup")
		if !ok || !reached || op.Authority != want {
			t.Errorf("%s reaches tool.mail.lookup: %v, %s, want %s", root, reached, op.Authority, want)
		}
	}
}
