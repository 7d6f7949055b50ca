package effects

import (
	"strings"
	"testing"

	"terfyn/compiler/diag"
	"terfyn/compiler/resource"
	"terfyn/compiler/source"
)

var place = source.Span{File: "main.agent", Start: source.Pos{Line: 3, Col: 5}, End: source.Pos{Line: 3, Col: 9}}

// expect checks that a list holds exactly the wanted complaints, each given as
// code and text fragments.
func expect(t *testing.T, got diag.List, want ...[]string) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d diagnostics, want %d:\n%s", len(got), len(want), got)
	}
	for i, fragments := range want {
		text := diag.Plain(got[i])
		for _, f := range fragments {
			if !strings.Contains(text, f) {
				t.Errorf("diagnostic %d lacks %q: %s", i, f, text)
			}
		}
		if got[i].At != place {
			t.Errorf("diagnostic %d is at %s", i, got[i].At)
		}
	}
}

func clause(t *testing.T, name string, declared bool, effects ...string) diag.List {
	t.Helper()
	g := project()
	w, _ := g.Workflow(name)
	w.EffectsBound, w.Effects = declared, effects
	b, ok := Compute(g).Workflow(name)
	if !ok {
		t.Fatalf("no bound of %s", name)
	}
	return CheckClause(w, b, place)
}

func TestCheckClause(t *testing.T) {
	t.Parallel()
	expect(t, clause(t, "fix", false))
	expect(t, clause(t, "fix", true, "tracker", "workspace", "destructive"))
	expect(t, clause(t, "fix", true, "tracker.read", "tracker.write", "workspace.read", "destructive"),
		[]string{"TF3001", "main.agent:3:5", "workspace.write", "AUTONOMOUS", "step report", "agent Fixer"})
	expect(t, clause(t, "fix", true, "tracker", "workspace"),
		[]string{"TF3001", "destructive", "step if.then.close"})
	expect(t, clause(t, "close", true, "tracker.write", "destructive", "net.read"),
		[]string{"TF3003", "warning:", "net.read"})
	expect(t, clause(t, "close", true), []string{"TF3001", "destructive"}, []string{"TF3001", "tracker.write"})
	expect(t, clause(t, "close", true, "track", "destructive"), []string{"TF3001", "tracker.write"}, []string{"TF3003", "track"})
}

func TestStaticWitnessIsNotCalledAutonomous(t *testing.T) {
	t.Parallel()
	if text := clause(t, "close", true).String(); strings.Contains(text, "AUTONOMOUS") {
		t.Error(text)
	}
}

func TestNoClauseCoversTheUnknown(t *testing.T) {
	t.Parallel()
	expect(t, clause(t, "wild", true),
		[]string{"TF3002", "agent.Nobody"}, []string{"TF3002", "tool.checkout.gone"}, []string{"TF3002", "tool.none.x"}, []string{"TF3002", "tool.open.any"})
}

func policy(t *testing.T, name string, p resource.Policy, change func(*resource.Graph)) diag.List {
	t.Helper()
	g := project()
	p.Name = "house"
	g.Policies = []resource.Policy{p}
	for i := range g.Workflows {
		g.Workflows[i].Policy = "house"
	}
	if change != nil {
		change(&g)
	}
	w, _ := g.Workflow(name)
	b, _ := Compute(g).Workflow(name)
	return CheckPolicy(g, w, b, place)
}

func permits(unattended, approved []string) resource.Policy {
	return resource.Policy{Effects: resource.PolicyEffects{Permit: unattended, PermitWithApproval: approved}}
}

func TestCheckPolicy(t *testing.T) {
	t.Parallel()
	expect(t, policy(t, "fix", permits([]string{"tracker", "workspace"}, []string{"destructive"}), nil))
	expect(t, policy(t, "fix", permits([]string{"tracker", "workspace.read"}, []string{"destructive"}), nil),
		[]string{"TF3004", "policy house", "workspace.write", "AUTONOMOUS"})
	expect(t, policy(t, "close", permits([]string{"trackerx"}, nil), nil),
		[]string{"TF3004", "destructive"}, []string{"TF3004", "tracker.write"})
	expect(t, policy(t, "close", resource.Policy{}, nil),
		[]string{"TF3004", "policy house lists no effects", "destructive"}, []string{"TF3004", "tracker.write"})
	expect(t, policy(t, "wild", permits([]string{"tracker"}, nil), nil),
		[]string{"TF3005", "agent.Nobody"}, []string{"TF3005"}, []string{"TF3005"}, []string{"TF3005", "tool.open.any"})
}

func TestCheckPolicyIsSkipped(t *testing.T) {
	t.Parallel()
	expect(t, policy(t, "close", resource.Policy{}, func(g *resource.Graph) {
		for i := range g.Tools {
			g.Tools[i].Operations = nil
		}
	}))
	expect(t, policy(t, "close", resource.Policy{}, func(g *resource.Graph) {
		g.Policies, g.Workflows[1].Policy = nil, ""
	}))
}
