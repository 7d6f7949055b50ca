package cases

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"terfyn/compiler/nexflow/code"
)

// ownSets is the letters of the table in testdata.
var ownSets = map[string]string{
	"T": example("starter-team"),
	"D": example("support-desk"),
	"R": example("release-train"),
}

func example(name string) string {
	return filepath.Join("..", "..", "..", "..", "examples", "nexflow", name)
}

// ownFree is the changes of the table in testdata that are written in plain words
// only.
var ownFree = map[string]step{
	"DIS16": func(w *workspace) error {
		return w.appendText("tasks.yaml", "#"+string(bytes.Repeat([]byte{'x'}, 1<<20)))
	},
	"DIS17": func(w *workspace) error { w.choose = manyFiles(129); return nil },
	"DIS22": func(w *workspace) error { return w.appendText("tasks.yaml", aliases(101)) },
	"DIS23": func(w *workspace) error { return w.appendText("tasks.yaml", aliases(100)) },
	"DIS24": func(w *workspace) error { return w.appendText("tasks.yaml", "note: \"\xff\"") },
}

const ownTable = "testdata/cases.md"

func ownSuite(t *testing.T) *suite {
	t.Helper()
	return readSuite(t, ownTable, ownSets, ownFree)
}

func TestEveryRowIsUnderstood(t *testing.T) {
	t.Parallel()
	ownSuite(t).everyRowIsUnderstood(t)
}

func TestEveryChangeApplies(t *testing.T) {
	t.Parallel()
	ownSuite(t).everyChangeApplies(t)
}

func TestRows(t *testing.T) {
	t.Parallel()
	ownSuite(t).run(t)
}

// TestOwnFindings compares all findings of the example sets with the table that
// lists them.
func TestOwnFindings(t *testing.T) {
	t.Parallel()
	s := ownSuite(t)
	listed := ownListed(t)
	for letter := range ownSets {
		want := listed[letter]
		got := s.unchanged(t, letter)
		for _, f := range fresh(got, want) {
			t.Errorf("%s: is too much: %s", letter, f)
		}
		for _, f := range fresh(want, got) {
			t.Errorf("%s: is missing: %s", letter, f)
		}
	}
}

// ownListed reads the table of what the example sets have unchanged.
func ownListed(t *testing.T) map[string][]finding {
	t.Helper()
	b, err := os.ReadFile(ownTable)
	if err != nil {
		t.Fatal(err)
	}
	tables := readTables(string(b))
	i := slices.IndexFunc(tables, func(t table) bool { return slices.Equal(t.header, []string{"set", "findings"}) })
	if i < 0 {
		t.Fatalf("%s lists no findings of unchanged sets", ownTable)
	}
	out := map[string][]finding{}
	for _, cells := range tables[i].rows {
		expect, err := readExpectations(cells[1])
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range expect {
			for range e.count {
				out[cells[0]] = append(out[cells[0]], e.finding)
			}
		}
	}
	return out
}

// TestExamplesValidate holds the examples to what their READMEs say.
func TestExamplesValidate(t *testing.T) {
	t.Parallel()
	for letter, want := range map[string]struct{ exit, strict int }{"T": {0, 0}, "D": {0, 0}, "R": {0, 1}} {
		root, err := filepath.Abs(ownSets[letter])
		if err != nil {
			t.Fatal(err)
		}
		if got := ask(t, []string{root}, "validate", "--root", root).exit; got != want.exit {
			t.Errorf("%s: exit %d instead of %d", root, got, want.exit)
		}
		if got := ask(t, []string{root}, "validate", "--root", root, "--strict").exit; got != want.strict {
			t.Errorf("%s: strict exit %d instead of %d", root, got, want.strict)
		}
	}
}

// withoutRow is the codes that no row can bring out, with the reason.
var withoutRow = map[code.Code]string{
	code.SchemaUnavailable:  "a schema that is part of the build does not load",
	code.CLIInternal:        "a fault of the program, which a manifest set cannot cause",
	code.CLIUsage:           "a fault of the command line, see usage_test.go",
	code.CLIInspectionLimit: "a limit of inspect, see limits_test.go",
	code.CLIInitConflict:    "a conflict of init, see init_test.go",
	code.CLIInitDestination: "a destination of init, see init_test.go",
}

func TestEveryCodeHasARow(t *testing.T) {
	t.Parallel()
	has := map[string]bool{}
	for _, r := range ownSuite(t).rows {
		for _, e := range r.expect {
			has[e.code] = true
		}
	}
	for _, e := range code.All() {
		_, excused := withoutRow[e.Code]
		switch {
		case has[string(e.Code)] && excused:
			t.Errorf("%s has a row and an excuse", e.Code)
		case !has[string(e.Code)] && !excused:
			t.Errorf("%s is in no row of %s", e.Code, ownTable)
		}
		delete(has, string(e.Code))
	}
	for c := range has {
		t.Errorf("%s is in a row of %s, but not in the catalogue", c, ownTable)
	}
}
