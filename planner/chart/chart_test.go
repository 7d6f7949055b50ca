package chart_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"terfyn/compiler"
	"terfyn/compiler/effects"
	"terfyn/compiler/ir"
	"terfyn/compiler/resource"
	"terfyn/compiler/steps"
	"terfyn/planner/chart"
)

const project = `
tool desk {
    type http
    http { baseUrl "http://127.0.0.1:9" }
    operations {
        get.mail { readOnly true effects { mail.read } }
        post.mail { effects { mail.send destructive } reconcile get.mail }
        get.raw {}
    }
}
policy house { effects { permit { mail.read } permitWithApproval { mail.send destructive } } }
agent Lead { model mock/m grants { agent.Helper workflow.close tool.desk.get.mail } }
agent Helper { model mock/m grants { agent.Lead tool.desk.post.mail } }
workflow close(doc: any) policy house {
    approval ok { description "Close it?" with { doc: doc } }
    for x in doc.items {
        while !x.done limit 3 { desk.post.mail(x: x) }
        parallel for y in x.parts { retry until y.ok limit 2 { desk.post.mail(y: y) } }
    }
}
workflow lead(doc: any) policy house { a = Lead(doc) close(doc) return a }
workflow loose() policy permissive { r = desk.get.raw() return r }
`

func drawn(t *testing.T, root string) chart.Chart {
	t.Helper()
	r, ds := compiler.Compile(fstest.MapFS{
		"main.agent":   {Data: []byte(project)},
		"mocks/m.yaml": {Data: []byte("conversations:\n  - turns:\n      - output: {}\n")},
	}, compiler.Options{Project: "demo", SkipPolicyBounds: true})
	if ds.HasErrors() {
		t.Fatal(ds.String())
	}
	c, err := chart.Build(r.Graph, r.Programs, r.Bounds, root)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// edge words an edge for comparison.
func edge(e chart.Edge) string {
	s := fmt.Sprintf("%s -%s/%s-> %s", e.From, e.Kind, e.Authority, e.To)
	for _, at := range e.Sites {
		s += " @" + at.Site
		for _, l := range at.Loops {
			s += fmt.Sprintf("[%s %d]", l.Kind, l.Limit)
		}
	}
	for _, g := range e.Gates {
		s += fmt.Sprintf(" !%s:%s", g.Workflow, g.Verdict)
	}
	if e.Cycle {
		s += " cycle"
	}
	return s
}

func TestEdges(t *testing.T) {
	t.Parallel()
	var got []string
	for _, e := range drawn(t, "").Edges {
		got = append(got, edge(e))
	}
	want := []string{
		"agent/Helper -delegate/autonomous-> agent/Lead cycle",
		"agent/Helper -grant/autonomous-> tool.desk.post.mail !lead:require_approval",
		"agent/Lead -delegate/autonomous-> agent/Helper cycle",
		"agent/Lead -grant/autonomous-> tool.desk.get.mail",
		"agent/Lead -delegate/autonomous-> workflow/close",
		"tool.desk.get.mail -effect/static-> effect/mail.read",
		"tool.desk.get.raw -effect/static-> unknown",
		"tool.desk.post.mail -effect/static-> effect/destructive",
		"tool.desk.post.mail -effect/static-> effect/mail.send",
		"tool.desk.post.mail -reconcile/static-> tool.desk.get.mail",
		"workflow/close -ask/static-> approval/close/ok @ok",
		"workflow/close -call/static-> tool.desk.post.mail @for/while/mail[for 0][while 3] @for/for/retry/mail[for 0][parallel_for 8][retry 2] !close:require_approval",
		"workflow/lead -call/static-> agent/Lead @a",
		"workflow/lead -call/static-> workflow/close @close",
		"workflow/loose -call/static-> tool.desk.get.raw @r",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestUnknownEffectsAreExplicit(t *testing.T) {
	t.Parallel()
	n, ok := drawn(t, "").Node("tool.desk.get.raw")
	if !ok || n.Unknown != "the operation declares no effects" {
		t.Errorf("%+v", n)
	}
}

func TestRoot(t *testing.T) {
	t.Parallel()
	c := drawn(t, "workflow/close")
	var ids []string
	for _, n := range c.Nodes {
		ids = append(ids, n.ID)
	}
	want := []string{"workflow/close", "approval/close/ok", "tool.desk.get.mail", "tool.desk.post.mail", "effect/destructive", "effect/mail.read", "effect/mail.send"}
	if diff := cmp.Diff(want, ids); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := len(drawn(t, "agent/Helper").From("agent/Lead")); got != 3 {
		t.Errorf("an agent's chart has %d edges of its delegate", got)
	}
	_, err := chart.Build(resource.Graph{}, nil, effects.Bounds{}, "workflow/none")
	if !errors.Is(err, chart.ErrUnknownRoot) || !strings.Contains(err.Error(), "workflow none") {
		t.Errorf("%v", err)
	}
}

// random makes a project of tools, agents and workflows that lead to each other at
// random, with cycles and missing operations.
func random(r *rand.Rand) (resource.Graph, []ir.Program) {
	g := resource.Graph{Project: "demo"}
	var programs []ir.Program
	pick := func(prefix string, n int) string { return fmt.Sprintf("%s%d", prefix, r.IntN(n)) }
	for i := range 3 {
		t := resource.Tool{Name: fmt.Sprintf("t%d", i), Type: "mock", OperationsDeclared: r.IntN(3) > 0}
		for j := range 3 {
			o := resource.Operation{Name: fmt.Sprintf("o%d", j)}
			for range r.IntN(3) {
				o.Effects = append(o.Effects, pick("e", 5))
			}
			if t.OperationsDeclared {
				t.Operations = append(t.Operations, o)
			}
		}
		g.Tools = append(g.Tools, t)
	}
	for i := range 4 {
		a := resource.Agent{Name: fmt.Sprintf("A%d", i)}
		p := ir.Program{Workflow: fmt.Sprintf("w%d", i)}
		for j := range r.IntN(4) {
			a.Grants = append(a.Grants, []string{"tool." + pick("t", 3) + "." + pick("o", 3), "agent." + pick("A", 4), "workflow." + pick("w", 4)}[r.IntN(3)])
			id := fmt.Sprintf("s%d", j)
			call := []ir.Node{ir.Tool{ID: id, Tool: pick("t", 3), Operation: pick("o", 3)}, ir.Agent{ID: id, Agent: pick("A", 4)}, ir.Workflow{ID: id, Workflow: pick("w", 4)}}[r.IntN(3)]
			if r.IntN(2) == 0 {
				call = ir.Retry{ID: "retry" + id, Until: ir.Test{Expr: ir.Ref{Path: []string{"x"}}}, Limit: 2, Body: []ir.Node{call}}
			}
			p.Body = append(p.Body, call)
		}
		g.Agents = append(g.Agents, a)
		g.Workflows = append(g.Workflows, steps.Project(resource.Workflow{Name: p.Workflow}, p))
		programs = append(programs, p)
	}
	return resource.Normalize(g), programs
}

// TestChartAndBoundAgree: what a chart leads to from a workflow or agent is exactly
// what its bound holds.
func TestChartAndBoundAgree(t *testing.T) {
	t.Parallel()
	for seed := range uint64(300) {
		g, programs := random(rand.New(rand.NewPCG(seed, 1)))
		bounds := effects.Compute(g)
		c, err := chart.Build(g, programs, bounds, "")
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range slices.Concat(bounds.Agents, bounds.Workflows) {
			var want, got []string
			for _, o := range b.Operations {
				want = append(want, o.Capability)
			}
			for _, e := range b.Effects {
				want = append(want, "effect/"+e.Name)
			}
			for id := range c.Reachable(strings.ToLower(string(b.Kind)) + "/" + b.Name) {
				if n, _ := c.Node(id); n.Kind == chart.Operation || n.Kind == chart.Effect {
					got = append(got, id)
				}
			}
			slices.Sort(want)
			slices.Sort(got)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("seed %d, %s %s (-bound +chart):\n%s", seed, b.Kind, b.Name, diff)
			}
		}
	}
}

// TestCyclesAreMarked: an edge is marked exactly when its end leads back to its start.
func TestCyclesAreMarked(t *testing.T) {
	t.Parallel()
	for seed := range uint64(100) {
		g, programs := random(rand.New(rand.NewPCG(seed, 2)))
		c, err := chart.Build(g, programs, effects.Compute(g), "")
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range c.Edges {
			if want := c.Reachable(e.To)[e.From]; e.Cycle != want {
				t.Fatalf("seed %d: %s, want cycle %v", seed, edge(e), want)
			}
		}
	}
}

func TestOrderDoesNotMatter(t *testing.T) {
	t.Parallel()
	g, programs := random(rand.New(rand.NewPCG(7, 7)))
	draw := func() string {
		c, err := chart.Build(resource.Normalize(g), programs, effects.Compute(g), "")
		if err != nil {
			t.Fatal(err)
		}
		return c.JSON().JSON()
	}
	want := draw()
	slices.Reverse(g.Tools)
	slices.Reverse(g.Agents)
	slices.Reverse(g.Workflows)
	slices.Reverse(programs)
	for range 10 {
		if got := draw(); got != want {
			t.Fatalf("\n%s\n%s", want, got)
		}
	}
}
