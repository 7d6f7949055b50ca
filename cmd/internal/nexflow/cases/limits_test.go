package cases

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// small makes a set of one Project, one agent and the given further documents.
func small(t *testing.T, documents map[string]map[string]any) *workspace {
	t.Helper()
	outer := t.TempDir()
	w := &workspace{outer: outer, root: outer}
	hints := map[string]any{"agents": "agents.yaml"}
	write := func(kind, file string, doc map[string]any) {
		doc["specVersion"], doc["kind"], doc["metadata"] = "0.1", kind, map[string]any{"project": "grown"}
		b, err := json.Marshal(doc)
		if err == nil {
			err = os.WriteFile(w.at(file), b, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for kind, doc := range documents {
		hint := map[string]string{"CapabilitySet": "capabilities", "TaskSet": "tasks"}[kind]
		hints[hint] = hint + ".yaml"
		write(kind, hint+".yaml", doc)
	}
	write("AgentSet", "agents.yaml", map[string]any{"agents": []any{map[string]any{
		"id": "one", "displayName": "x", "role": "r", "description": "x", "responsibilities": []any{"x"}, "skills": []any{"s"},
	}}})
	write("Project", "project.yaml", map[string]any{
		"project":   map[string]any{"id": "grown", "displayName": "x", "description": "x"},
		"manifests": hints,
	})
	return w
}

// tasks makes n tasks owned by the one agent, of which the first also depends on the
// next so many.
func tasks(n, dependencies int) map[string]any {
	list := make([]any, n)
	for i := range n {
		list[i] = map[string]any{"id": fmt.Sprintf("t%d", i), "title": "x", "status": "ready", "owner": "one", "acceptanceCriteria": []any{}}
	}
	var on []any
	for i := range dependencies {
		on = append(on, fmt.Sprintf("t%d", i+1))
	}
	if on != nil {
		list[0].(map[string]any)["dependsOn"] = on
	}
	return map[string]any{"tasks": list}
}

func capabilities(n int) map[string]any {
	list := make([]any, n)
	for i := range n {
		list[i] = map[string]any{"id": fmt.Sprintf("c%d", i), "description": "x", "risk": "low"}
	}
	return map[string]any{"capabilities": list}
}

// TestInspectionLimits is V03 of the specification's cases: 1,000 resources and
// 2,000 references are shown, one more is not.
func TestInspectionLimits(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		documents map[string]map[string]any
		fits      bool
	}{
		// A Project and an agent are the other two resources.
		"1,000 resources":  {map[string]map[string]any{"CapabilitySet": capabilities(998)}, true},
		"1,001 resources":  {map[string]map[string]any{"CapabilitySet": capabilities(999)}, false},
		"2,000 references": {map[string]map[string]any{"TaskSet": manyReferences(2000)}, true},
		"2,001 references": {map[string]map[string]any{"TaskSet": manyReferences(2001)}, false},
	} {
		w := small(t, tc.documents)
		for _, command := range []string{"inspect", "graph"} {
			a := ask(t, []string{w.outer}, command, "--root", w.root)
			if tc.fits {
				if a.exit != 0 {
					t.Errorf("%s of %s: exit %d: %.300s", command, name, a.exit, a.out)
				}
				continue
			}
			if a.exit != 1 || len(a.Diagnostics) != 1 || a.Diagnostics[0].Code != "TERFYN-CLI-INSPECTION-LIMIT" || a.Diagnostics[0].File != nil || a.Diagnostics[0].Layer != nil {
				t.Errorf("%s of %s: exit %d with %v", command, name, a.exit, a.findings())
			}
		}
	}
}

// manyReferences makes 900 tasks with n references: an owner each, and dependencies.
func manyReferences(n int) map[string]any {
	doc := tasks(900, 890)
	list := doc["tasks"].([]any)
	var on []any
	for i := range n - 900 - 890 {
		on = append(on, fmt.Sprintf("t%d", i+2))
	}
	list[1].(map[string]any)["dependsOn"] = on
	return doc
}

// TestPlacesSortAsText is V04: /tasks/10 comes before /tasks/2, and nodes are
// numbered in that order.
func TestPlacesSortAsText(t *testing.T) {
	t.Parallel()
	w := small(t, map[string]map[string]any{"TaskSet": tasks(12, 0)})
	var places []string
	for i, n := range draw(t, w.root).Graph.Nodes {
		if n.ID != fmt.Sprintf("n%d", i) {
			t.Errorf("node %d is called %s", i, n.ID)
		}
		if n.Kind == "task" {
			places = append(places, n.Path)
		}
	}
	want := []string{"/tasks/0", "/tasks/1", "/tasks/10", "/tasks/11", "/tasks/2", "/tasks/3", "/tasks/4", "/tasks/5", "/tasks/6", "/tasks/7", "/tasks/8", "/tasks/9"}
	if !slices.Equal(places, want) {
		t.Errorf("the order is %v", places)
	}
}

// TestManyFindings has more findings than are printed.
func TestManyFindings(t *testing.T) {
	t.Parallel()
	broken := capabilities(250)
	for _, c := range broken["capabilities"].([]any) {
		c.(map[string]any)["risk"] = "unheard-of"
	}
	w := small(t, map[string]map[string]any{"CapabilitySet": broken})
	a := ask(t, []string{w.outer}, "validate", "--root", w.root)
	if a.exit != 1 || len(a.Diagnostics) != 200 || !a.Truncated {
		t.Errorf("exit %d, %d findings, truncated %t", a.exit, len(a.Diagnostics), a.Truncated)
	}
	if len(a.Warnings) != 1 || a.Warnings[0].Class != "diagnostics_truncated" || a.Warnings[0].Message == "" {
		t.Errorf("receipts %+v", a.Warnings)
	}
	few := ask(t, nil, "validate", "--root", small(t, map[string]map[string]any{"CapabilitySet": capabilities(3)}).root)
	if few.Truncated || len(few.Warnings) != 0 {
		t.Errorf("a small answer is truncated: %s", few.out)
	}
}

// TestUnknownNamesAreNotRepeated has members with names that must not reach a
// terminal or a log.
func TestUnknownNamesAreNotRepeated(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"escape\x1b[31m", strings.Repeat("long-name", 67), "name\nwith a line"} {
		w := copySet(t, ownSets["D"])
		if err := w.set("project.yaml", "/project/policies/humanOverride/resume/"+name, "x"); err != nil {
			t.Fatal(err)
		}
		a := ask(t, []string{"31m", "long-name", "with a line"}, "validate", "--root", w.root)
		if a.exit != 1 || len(a.Diagnostics) == 0 || text(a.Diagnostics[0].Path) != "/project/policies/humanOverride/resume/<redacted>" {
			t.Errorf("%q: exit %d with %v", name, a.exit, a.findings())
		}
		if plain := call("validate", "--root", w.root); strings.Contains(plain.out+plain.err, name) {
			t.Errorf("%q is printed", name)
		}
	}
}

// TestDocumentLimit chooses as many documents as a call takes; all but one are
// absent, and their number is no fault.
func TestDocumentLimit(t *testing.T) {
	t.Parallel()
	w := copySet(t, ownSets["T"])
	a := ask(t, []string{w.outer}, append([]string{"validate", "--root", w.root}, manyFiles(128)...)...)
	if a.exit != 1 || len(a.Diagnostics) != 127 {
		t.Fatalf("exit %d with %d findings", a.exit, len(a.Diagnostics))
	}
	for _, d := range a.Diagnostics {
		if d.Code != "NF-DISCOVERY-UNSAFE-SOURCE" || d.Details == nil || d.Details.Reason != "unreadable" {
			t.Errorf("got %+v", d)
		}
	}
}
