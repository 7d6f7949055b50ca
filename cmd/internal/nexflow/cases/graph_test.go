package cases

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	graphHeader = []string{"change of", "nodes", "edges", "resolved", "unresolved", "ambiguous"}
	rowID       = regexp.MustCompile(`^[A-Z]+[0-9]+[a-z]?`)
)

// TestSharedGraphs draws the sets of rows that are broken above the schema layer.
func TestSharedGraphs(t *testing.T) {
	t.Parallel()
	holdGraphs(t, sharedSuite(t), sharedText(t))
}

func TestGraphs(t *testing.T) {
	t.Parallel()
	b, err := os.ReadFile(ownTable)
	if err != nil {
		t.Fatal(err)
	}
	holdGraphs(t, ownSuite(t), string(b))
}

// holdGraphs compares the graphs of rows with the table about them.
func holdGraphs(t *testing.T, s *suite, text string) {
	t.Helper()
	tables := readTables(text)
	i := slices.IndexFunc(tables, func(t table) bool { return slices.Equal(t.header, graphHeader) })
	if i < 0 {
		t.Fatal("there is no table of graphs")
	}
	for _, want := range tables[i].rows {
		id := rowID.FindString(want[0])
		at := slices.IndexFunc(s.rows, func(r row) bool { return r.id == id })
		if at < 0 {
			t.Errorf("there is no row %q", want[0])
			continue
		}
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			w := s.prepare(t, s.rows[at])
			args := append([]string{"graph", "--root", w.root}, w.choose...)
			a := ask(t, []string{w.outer}, args...)
			if a.out != ask(t, nil, args...).out {
				t.Error("the second graph differs")
			}
			if got := strings.Join([]string{a.Checks["discovery"], a.Checks["schema"], a.Checks["coreProfile"], a.Checks["semantic"]}, " "); got != "passed passed not-run not-run" {
				t.Errorf("checks are %s", got)
			}
			var d drawn
			result(t, a, &d)
			status := map[string]int{}
			for _, e := range d.Graph.Edges {
				status[e.Status]++
				if (e.Status == "resolved") != (e.To != nil) || (e.Status == "ambiguous") != (len(e.Candidates) > 1) {
					t.Errorf("edge %+v", e)
				}
				if id == "X01" && e.Status == "ambiguous" && len(e.Candidates) != 2 {
					t.Errorf("edge %s has the candidates %v", e.ID, e.Candidates)
				}
			}
			got := fmt.Sprint(d.Graph.NodeCount, d.Graph.EdgeCount, status["resolved"], status["unresolved"], status["ambiguous"])
			if w := strings.Join(want[1:], " "); got != w {
				t.Errorf("%s instead of %s", got, w)
			}
		})
	}
}

// TestSharedV01 asks the other reading commands about sets that are broken early.
func TestSharedV01(t *testing.T) {
	t.Parallel()
	s := sharedSuite(t)
	for _, tc := range []struct {
		row, command string
		exit, count  int
	}{
		{"D14", "discover", 3, 0}, {"D14", "inspect", 3, 0}, {"D14", "graph", 3, 0},
		{"S01", "discover", 0, 17}, {"S01", "inspect", 1, 0}, {"S01", "graph", 1, 0},
	} {
		i := slices.IndexFunc(s.rows, func(r row) bool { return r.id == tc.row })
		w := s.prepare(t, s.rows[i])
		a := ask(t, []string{w.outer}, tc.command, "--root", w.root)
		if a.exit != tc.exit {
			t.Errorf("%s of %s: exit %d instead of %d", tc.command, tc.row, a.exit, tc.exit)
		}
		if tc.exit == 0 {
			var l listing
			if result(t, a, &l); l.DocumentCount != tc.count {
				t.Errorf("%s of %s: %d documents", tc.command, tc.row, l.DocumentCount)
			}
		}
	}
}

func TestSharedV02(t *testing.T) {
	t.Parallel()
	got := inspect(t, copySet(t, sample(t, "M")).root)
	i := got.Inspection
	if i.Mode != "declared-only" || i.ReferencesResolved == nil || *i.ReferencesResolved || i.ReferenceCoverage != "selected-fields" {
		t.Errorf("mode %q, referencesResolved %v, referenceCoverage %q", i.Mode, i.ReferencesResolved, i.ReferenceCoverage)
	}
	if i.Project.ID != "minimal-team" || i.Project.File != "project.yaml" || i.Project.Path != "/project" {
		t.Errorf("project %+v", i.Project)
	}
	sum := 0
	counts := map[string]int{}
	var kinds []string
	for _, s := range i.Summary {
		sum += s.ResourceCount
		counts[s.Kind] = s.ResourceCount
		kinds = append(kinds, s.Kind)
		if s.DocumentCount != 1 {
			t.Errorf("%s has %d documents", s.Kind, s.DocumentCount)
		}
	}
	if len(kinds) != 17 || sum != 44 || !slices.IsSorted(kinds) {
		t.Errorf("%d kinds in the order %v with %d resources", len(kinds), kinds, sum)
	}
	for kind, n := range map[string]int{"ActorSet": 2, "TaskSet": 3, "Workflow": 5, "Project": 2} {
		if counts[kind] != n {
			t.Errorf("%s has %d resources instead of %d", kind, counts[kind], n)
		}
	}
}

// TestStrictMarksWarnings is V06 and V07 of the specification's cases on a set of
// ours.
func TestStrictMarksWarnings(t *testing.T) {
	t.Parallel()
	w := copySet(t, ownSets["R"])
	strict := ask(t, []string{w.outer}, "validate", "--root", w.root, "--strict")
	plain := ask(t, []string{w.outer}, "validate", "--root", w.root)
	if strict.exit != 1 || plain.exit != 0 || len(strict.Diagnostics) != len(plain.Diagnostics) {
		t.Fatalf("exits %d and %d", strict.exit, plain.exit)
	}
	for i, d := range strict.Diagnostics {
		want := ""
		if d.Severity == "warning" {
			want = "error"
		}
		if d.EffectiveSeverity != want || plain.Diagnostics[i].EffectiveSeverity != "" {
			t.Errorf("%s %s: effective %q, without --strict %q", d.Severity, d.Code, d.EffectiveSeverity, plain.Diagnostics[i].EffectiveSeverity)
		}
	}
	if got := ask(t, nil, "validate", "--root", copySet(t, ownSets["D"]).root, "--strict").exit; got != 0 {
		t.Errorf("infos alone give exit %d", got)
	}
}

// TestSharedV06 is the same with the row that the specification names.
func TestSharedV06(t *testing.T) {
	t.Parallel()
	s := sharedSuite(t)
	i := slices.IndexFunc(s.rows, func(r row) bool { return r.id == "L01" })
	w := s.prepare(t, s.rows[i])
	a := ask(t, nil, "validate", "--root", w.root, "--strict")
	found := false
	for _, d := range a.Diagnostics {
		if d.Code == "NF-REF-LEGACY-UNQUALIFIED" {
			found = d.Severity == "warning" && d.EffectiveSeverity == "error"
		}
		if d.Severity == "info" && d.EffectiveSeverity != "" {
			t.Errorf("%s became %s", d.Code, d.EffectiveSeverity)
		}
	}
	if a.exit != 1 || !found {
		t.Errorf("exit %d: %s", a.exit, a.out)
	}
}
