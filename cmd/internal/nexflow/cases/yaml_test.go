package cases

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// TestHintOrderDecidesNothing writes the hints of a Project in another order.
func TestHintOrderDecidesNothing(t *testing.T) {
	t.Parallel()
	w := copySet(t, ownSets["R"])
	before := ask(t, nil, "validate", "--root", w.root)
	err := w.edit("project.yaml", func(doc any) (any, error) { // maps are written in the order of their keys
		list, err := lookup(doc, "/manifests/workflows")
		if err != nil {
			return nil, err
		}
		slices.Reverse(list.([]any))
		return doc, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if a := ask(t, nil, "validate", "--root", w.root); a.out != before.out {
		t.Errorf("got\n%s instead of\n%s", a.out, before.out)
	}
}

// TestTwoFaultsAreTwoFindings has an error in each of two files, in two layers.
func TestTwoFaultsAreTwoFindings(t *testing.T) {
	t.Parallel()
	w := copySet(t, ownSets["T"])
	for _, file := range []string{"agents.yaml", "tasks.yaml"} {
		if err := w.appendText(file, "x: .nan"); err != nil {
			t.Fatal(err)
		}
	}
	a := ask(t, nil, "validate", "--root", w.root)
	if got := a.findings(); len(got) != 2 || got[0].file != "agents.yaml" || got[1].file != "tasks.yaml" {
		t.Errorf("got %v", got)
	}
}

// TestEndingsInCapitals is that .YML is an ending as good as .yaml.
func TestEndingsInCapitals(t *testing.T) {
	t.Parallel()
	w := copySet(t, ownSets["T"])
	if err := os.Rename(w.at("tasks.yaml"), w.at("tasks.YML")); err != nil {
		t.Fatal(err)
	}
	if err := w.set("project.yaml", "/manifests/tasks", "tasks.YML"); err != nil {
		t.Fatal(err)
	}
	if a := ask(t, nil, "validate", "--root", w.root); a.exit != 0 || len(a.Diagnostics) != 0 {
		t.Errorf("exit %d with %v", a.exit, a.findings())
	}
}

// TestScalars writes scalars as YAML 1.2 reads them. Each replaces the topK of a
// retrieval profile, which is an integer of at least 1.
func TestScalars(t *testing.T) {
	t.Parallel()
	for scalar, code := range map[string]string{
		"010": "", "0o10": "", "0x1F": "", "8": "", "+8": "",
		"0": "NF-SCHEMA-CONSTRAINT", "0o0": "NF-SCHEMA-CONSTRAINT", "-1": "NF-SCHEMA-CONSTRAINT",
		"1_000": "NF-SCHEMA-TYPE", "yes": "NF-SCHEMA-TYPE", "true": "NF-SCHEMA-TYPE", `"8"`: "NF-SCHEMA-TYPE",
		"0b11": "NF-SCHEMA-TYPE", "1:30": "NF-SCHEMA-TYPE", "~": "NF-SCHEMA-TYPE", "8.5": "NF-SCHEMA-TYPE", "2026-06-01": "NF-SCHEMA-TYPE",
	} {
		t.Run(scalar, func(t *testing.T) {
			t.Parallel()
			var want []string
			if code != "" {
				want = []string{code}
			}
			if got := schemaCodes(t, "retrieval-profiles.yaml", "      topK: 5", "      topK: "+scalar); !slices.Equal(got, want) {
				t.Errorf("got %v instead of %v", got, want)
			}
		})
	}
}

// TestWordsThatAreNoBooleans has words that older YAML takes for booleans.
func TestWordsThatAreNoBooleans(t *testing.T) {
	t.Parallel()
	for word, code := range map[string]string{"yes": "NF-SCHEMA-TYPE", "on": "NF-SCHEMA-TYPE", "True": "", "TRUE": "", "tRUE": "NF-SCHEMA-TYPE"} {
		var want []string
		if code != "" {
			want = []string{code}
		}
		if got := schemaCodes(t, "project.yaml", "    requireReview: true", "    requireReview: "+word); !slices.Equal(got, want) {
			t.Errorf("%s: got %v instead of %v", word, got, want)
		}
	}
}

// TestDatesWithoutQuotes has a date as a plain scalar, which is a string.
func TestDatesWithoutQuotes(t *testing.T) {
	t.Parallel()
	if got := schemaCodes(t, "context.yaml", `      lastReviewed: "2026-05-01"`, "      lastReviewed: 2026-05-01"); got != nil {
		t.Errorf("got %v", got)
	}
	if got := schemaCodes(t, "context.yaml", `      lastReviewed: "2026-05-01"`, "      lastReviewed: 2026-05-41"); !slices.Equal(got, []string{"NF-SCHEMA-FORMAT"}) {
		t.Errorf("got %v", got)
	}
}

// TestNoMergeKeys is that << is a key like others: what the merge would bring is
// not there.
func TestNoMergeKeys(t *testing.T) {
	t.Parallel()
	if got := schemaCodes(t, "capabilities.yaml", "  - id: refund", "  - <<: *a\n    id: refund",
		"x-shared: &a {description: x, risk: low}\n"); !slices.Equal(got, []string{"NF-SCHEMA-REQUIRED", "NF-SCHEMA-REQUIRED"}) {
		t.Errorf("got %v", got)
	}
}

// schemaCodes replaces a line of a document of the support desk and gives the codes
// that come out of the schema layer. A line that is not there is added, behind what
// before says.
func schemaCodes(t *testing.T, file, line, with string, before ...string) []string {
	t.Helper()
	w := copySet(t, ownSets["D"])
	b, err := os.ReadFile(w.at(file))
	if err != nil {
		t.Fatal(err)
	}
	text := string(b)
	if len(before) == 0 {
		text = replaceOnce(t, text, line+"\n", with+"\n")
	} else {
		text = before[0] + text + with + "\n"
	}
	if err := os.WriteFile(w.at(file), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, d := range ask(t, []string{w.outer}, "validate", "--root", w.root, "--layer", "schema").Diagnostics {
		out = append(out, d.Code)
	}
	return out
}

func replaceOnce(t *testing.T, text, old, new string) string {
	t.Helper()
	before, after, found := strings.Cut(text, old)
	if !found {
		t.Fatalf("no line is %q", old)
	}
	return before + new + after
}
