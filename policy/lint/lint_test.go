package lint_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"terfyn/compiler"
	"terfyn/compiler/diag"
	"terfyn/compiler/effects"
	"terfyn/compiler/resource"
	"terfyn/internal/golden"
	"terfyn/policy/lint"
)

func findings(t *testing.T, files map[string][]byte) []lint.Finding {
	t.Helper()
	fsys := fstest.MapFS{}
	for name, b := range files {
		fsys[name] = &fstest.MapFile{Data: b}
	}
	r, ds := compiler.Compile(fsys, compiler.Options{Project: "demo", SkipPolicyBounds: true})
	for _, d := range ds {
		if d.Severity == diag.Error && d.Code != diag.EffectNotCovered {
			t.Fatalf("the project does not compile:\n%s", ds)
		}
	}
	return lint.Policies(lint.In{Graph: r.Graph, Bounds: r.Bounds, Environment: "local", Locate: r.Locate})
}

func TestGolden(t *testing.T) {
	t.Parallel()
	golden.Archives(t, "testdata", func(t *testing.T, in map[string][]byte) map[string]string {
		var b strings.Builder
		for _, f := range findings(t, in) {
			fmt.Fprintf(&b, "%s %s %s\n    %s\n", f.Code, f.Severity, f.At, f.Message)
		}
		return map[string]string{"advice": b.String()}
	})
}

// TestEveryCodeHasAFinding keeps the golden complete.
func TestEveryCodeHasAFinding(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/findings.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range diag.Codes() {
		if strings.HasPrefix(string(c), "TF51") && !strings.Contains(string(text), "\n"+string(c)+" ") {
			t.Errorf("no project in testdata gets the advice %s", c)
		}
	}
}

// Advice about a graph that no source stands behind has no place and stays the same.
func TestWithoutPlaces(t *testing.T) {
	t.Parallel()
	g := resource.Graph{Policies: []resource.Policy{{Name: "idle"}}}
	got := lint.Policies(lint.In{Graph: g, Bounds: effects.Compute(g)})
	if len(got) != 1 || got[0].Code != diag.PolicyUnused || !got[0].At.IsZero() || lint.HasHigh(got) {
		t.Errorf("%+v", got)
	}
	if d := got[0].Diagnostic(); d.Severity != diag.Warning || d.Message() != got[0].Message {
		t.Errorf("%+v", d)
	}
}

func TestOrderOfDeclarationsDoesNotMatter(t *testing.T) {
	t.Parallel()
	yes := true
	g := resource.Graph{
		Tools:     []resource.Tool{{Name: "t", Type: "mock"}, {Name: "u", Type: "mock"}},
		Policies:  []resource.Policy{{Name: "b", Approvals: resource.Approvals{Permissive: &yes}}, {Name: "a", Approvals: resource.Approvals{OnTimeout: "approve"}}},
		Workflows: []resource.Workflow{{Name: "w", Policy: "b", Calls: []resource.Reference{{Kind: "tool", Name: "t.x", Site: "1"}, {Kind: "tool", Name: "u.y", Site: "2"}}}},
	}
	told := func(g resource.Graph) []lint.Finding {
		g = resource.Normalize(g)
		return lint.Policies(lint.In{Graph: g, Bounds: effects.Compute(g)})
	}
	want := told(g)
	slices.Reverse(g.Tools)
	slices.Reverse(g.Policies)
	slices.Reverse(g.Workflows[0].Calls)
	if got := told(g); len(want) != 3 || !slices.Equal(got, want) {
		t.Errorf("\n%+v\n%+v", got, want)
	}
}
