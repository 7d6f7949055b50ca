package resource

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestNormalize(t *testing.T) {
	t.Parallel()
	g := Normalize(sample())
	fixer, _ := g.Agent("Fixer")
	if fixer.Model != "lab/small-1" || fixer.Policy != "house" {
		t.Errorf("author's model or default policy lost: %q, %q", fixer.Model, fixer.Policy)
	}
	if diff := cmp.Diff([]string{"agent.Idle", "tool.checkout.edit", "tool.checkout.read_file"}, fixer.Grants); diff != "" {
		t.Errorf("grants (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"mock/b", "mock/a"}, fixer.FallbackModels); diff != "" {
		t.Errorf("the order of fallback models is meaning (-want +got):\n%s", diff)
	}
	if bare, _ := g.Agent("Bare"); bare.Model != "mock/gpt-4" || bare.Policy != "strict" || bare.GrantsPresent {
		t.Errorf("Bare: %+v", bare)
	}
	tracker, _ := g.Tool("tracker")
	if s := tracker.Safety.SideEffects; s == nil || !*s {
		t.Error("destructive does not imply sideEffects")
	}
	if checkout, _ := g.Tool("checkout"); *checkout.Safety.SideEffects {
		t.Error("the author's sideEffects false was overruled")
	}
	if open, _ := g.Tool("open"); open.OperationsDeclared || open.Safety.SideEffects != nil {
		t.Errorf("open tool: %+v", open)
	}
	if diff := cmp.Diff([]string{"--z", "--a"}, tracker.MCP.Args); diff != "" {
		t.Errorf("the order of arguments is meaning (-want +got):\n%s", diff)
	}
	fix, _ := g.Workflow("fix")
	var order []string
	for _, s := range fix.Steps {
		order = append(order, s.ID)
	}
	if diff := cmp.Diff([]string{"a", "b", "join"}, order); diff != "" {
		t.Errorf("steps (-want +got):\n%s", diff)
	}
	if fix.Params[0].Name != "z" {
		t.Error("parameters were reordered")
	}
}

func TestNormalizeLeavesItsInputAlone(t *testing.T) {
	t.Parallel()
	g := sample()
	Normalize(g)
	if _, err := Overlay(g, "prod"); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(sample(), g); diff != "" {
		t.Errorf("input changed (-want +got):\n%s", diff)
	}
}

func TestNormalizeSteps(t *testing.T) {
	t.Parallel()
	chain := []Step{{ID: "z"}, {ID: "a"}}
	if got := normalizeSteps(chain); got[0].ID != "z" {
		t.Error("an implicit chain was reordered")
	}
	cycle := []Step{{ID: "b", Needs: []string{"a"}}, {ID: "a", Needs: []string{"b"}}, {ID: "c", Needs: []string{}}}
	if got := normalizeSteps(cycle); len(got) != 3 || got[0].ID != "c" {
		t.Errorf("cycle: %+v", got)
	}
}

func TestEncodingIgnoresOrder(t *testing.T) {
	t.Parallel()
	want := Encode(sample())
	for seed := range uint64(50) {
		g := shuffled(sample(), rand.New(rand.NewPCG(seed, 1)))
		if got := Encode(g); !bytes.Equal(got, want) {
			t.Fatalf("seed %d:\n%s\n%s", seed, got, want)
		}
		if diff := cmp.Diff(hashes(sample()), hashes(g)); diff != "" {
			t.Fatalf("seed %d: hashes (-want +got):\n%s", seed, diff)
		}
	}
}

func hashes(g Graph) []string {
	var out []string
	for _, r := range Resources(g) {
		out = append(out, string(r.Kind)+" "+r.Name+" "+string(r.Hash))
	}
	return out
}

func TestDecodeInvertsEncode(t *testing.T) {
	t.Parallel()
	check := func(g Graph) {
		t.Helper()
		b := Encode(g)
		got, err := Decode(b)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(Normalize(g), got); diff != "" {
			t.Fatalf("(-want +got):\n%s", diff)
		}
		if again := Encode(got); !bytes.Equal(again, b) {
			t.Fatalf("encoding again differs:\n%s\n%s", b, again)
		}
	}
	check(sample())
	check(Graph{})
	for seed := range uint64(200) {
		check(randomGraph(rand.New(rand.NewPCG(seed, 2))))
	}
}

func TestPresenceSurvives(t *testing.T) {
	t.Parallel()
	g, err := Decode(Encode(sample()))
	if err != nil {
		t.Fatal(err)
	}
	sealed, _ := g.Tool("sealed")
	open, _ := g.Tool("open")
	if !sealed.OperationsDeclared || open.OperationsDeclared {
		t.Error("a closed empty manifest and an absent one are confused")
	}
	if _, _, ok := g.Operation("tool.sealed.anything"); ok {
		t.Error("sealed offers an operation")
	}
	if _, _, ok := g.Operation("tool.open.anything"); !ok {
		t.Error("open offers nothing")
	}
	idle, _ := g.Agent("Idle")
	quiet, _ := g.Workflow("quiet")
	nothing, _ := g.Policy("nothing")
	if !idle.GrantsPresent || !quiet.EffectsBound || !nothing.Effects.Declared || !nothing.EgressDeclared {
		t.Error("an empty block was lost")
	}
	fix, _ := g.Workflow("fix")
	if fix.Steps[0].Needs == nil {
		t.Error("explicit empty needs became absent")
	}
}

func TestDecodeRefuses(t *testing.T) {
	t.Parallel()
	for _, doc := range []string{`{"project":"x"}`, `{"formatVersion":2,"project":"x"}`, `{"formatVersion":"1"}`, `{"formatVersion":1.5}`} {
		if _, err := Decode([]byte(doc)); !errors.Is(err, ErrFormat) {
			t.Errorf("%s: %v, want ErrFormat", doc, err)
		}
	}
	for _, doc := range []string{``, `[]x`, `{"formatVersion":1,"project":"x","shadow":1}`, `{"formatVersion":1,"agents":[{"name":"a","power":true}]}`} {
		if _, err := Decode([]byte(doc)); err == nil {
			t.Errorf("%s was read", doc)
		}
	}
}

func TestResources(t *testing.T) {
	t.Parallel()
	var names []string
	for _, r := range Resources(sample()) {
		names = append(names, string(r.Kind)+"/"+r.Name)
	}
	want := []string{
		"Agent/Bare", "Agent/Fixer", "Agent/Idle", "Environment/dev", "Environment/prod", "ModelProvider/lab",
		"Policy/house", "Policy/nothing", "Project/demo", "Tool/checkout", "Tool/open", "Tool/sealed", "Tool/tracker", "Workflow/fix", "Workflow/quiet",
	}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestHashesFollowContent(t *testing.T) {
	t.Parallel()
	changes := map[string]func(*Graph){
		"Workflow fix": func(g *Graph) { g.Workflows[0].ProgramDigest = "sha256:11" },
		"Tool sealed":  func(g *Graph) { g.Tools[2].OperationsDeclared = false },
		"Agent Idle":   func(g *Graph) { g.Agents[1].GrantsPresent = false },
		"Project demo": func(g *Graph) { g.Limits.MaxStateBytes = 7 },
		"Policy house": func(g *Graph) { g.Policies[0].Approvals.RequireAllTools = nil },
	}
	for want, change := range changes {
		g := sample()
		change(&g)
		base := hashes(sample())
		var changed []string
		for i, h := range hashes(g) {
			if h != base[i] {
				changed = append(changed, h[:strings.LastIndexByte(h, ' ')])
			}
		}
		if !slices.Equal(changed, []string{want}) {
			t.Errorf("changing %s changed the hashes of %v", want, changed)
		}
	}
}
