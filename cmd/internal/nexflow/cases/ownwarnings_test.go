package cases

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var (
	counted = regexp.MustCompile(`([A-Z]+(?:-[A-Z]+)+)(?: (\d+))?`)
	pointer = regexp.MustCompile("`(/[^`]*)`")
)

// TestSharedOwnFindings compares the warnings and infos of the unchanged sample sets
// with the table of them, which leaves the families off its infos.
func TestSharedOwnFindings(t *testing.T) {
	t.Parallel()
	tables := readTables(sharedText(t))
	i := slices.IndexFunc(tables, func(t table) bool { return slices.Equal(t.header, []string{"set", "warnings", "infos"}) })
	if i < 0 {
		t.Fatal("the case file has no table of own findings")
	}
	for _, row := range tables[i].rows {
		got := map[string]map[string]int{"W": {}, "I": {}, "E": {}}
		var places []string
		for _, f := range ask(t, nil, "validate", "--root", copySet(t, sample(t, row[0])).root).findings() {
			got[f.severity][f.code]++
			if f.severity == "W" {
				places = append(places, f.path)
			}
		}
		for column, severity := range map[int]string{1: "W", 2: "I"} {
			want := map[string]int{}
			for _, m := range counted.FindAllStringSubmatch(row[column], -1) {
				n := 1
				if m[2] != "" {
					n, _ = strconv.Atoi(m[2])
				}
				want[m[1]] += n
			}
			for c, n := range got[severity] {
				if w := want[listedAs(c, want)]; w != n {
					t.Errorf("%s: %s %s: %d instead of %d", row[0], severity, c, n, w)
				}
			}
			if len(want) != len(got[severity]) {
				t.Errorf("%s: %s: %v instead of %v", row[0], severity, got[severity], want)
			}
		}
		for _, m := range pointer.FindAllStringSubmatch(row[1], -1) {
			if !slices.Contains(places, m[1]) {
				t.Errorf("%s: no warning is at %s", row[0], m[1])
			}
		}
	}
}

// listedAs finds the end of a code under which a table lists it.
func listedAs(code string, in map[string]int) string {
	for short := range in {
		if code == short || strings.HasSuffix(code, "-"+short) {
			return short
		}
	}
	return code
}

// activate makes every draft of a set active and every review done, as the case file
// describes it.
func activate(t *testing.T, w *workspace) {
	t.Helper()
	each(t, w, "agent-definitions.yaml", "agentDefinitions", func(d map[string]any) {
		d["status"] = "active"
		d["review"].(map[string]any)["state"] = "approved"
		components := d["components"].(map[string]any)
		if components["extensionRefs"] == nil {
			components["extensionRefs"] = []any{}
		}
		audit := d["audit"].(map[string]any)
		for _, flag := range []string{"recordAgentDefinitionRef", "recordDefinitionVersion", "recordComponentRefs", "recordReviewState", "recordChangeSummary"} {
			audit[flag] = true
		}
	})
	each(t, w, "prompt-sets.yaml", "promptSets", func(p map[string]any) {
		p["status"] = "active"
		p["review"].(map[string]any)["safetyReviewStatus"] = "approved"
	})
	each(t, w, "retrieval-profiles.yaml", "retrievalProfiles", func(r map[string]any) { r["status"] = "active" })
}

// relax makes every retrieval source optional.
func relax(t *testing.T, w *workspace) {
	t.Helper()
	each(t, w, "retrieval-profiles.yaml", "retrievalProfiles", func(r map[string]any) {
		for _, s := range r["sources"].([]any) {
			s.(map[string]any)["required"] = false
		}
	})
}

// each edits the elements of a document's list.
func each(t *testing.T, w *workspace, file, list string, edit func(map[string]any)) {
	t.Helper()
	err := w.edit(file, func(doc any) (any, error) {
		items, err := lookup(doc, "/"+list)
		if err != nil {
			return nil, err
		}
		for _, i := range items.([]any) {
			edit(i.(map[string]any))
		}
		return doc, nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestSharedActivation(t *testing.T) {
	t.Parallel()
	for set, want := range map[string]struct {
		errors  []string // what stops the activated set, with the definition
		relaxed int      // warnings of the relaxed set
	}{
		"S":  {[]string{"TERFYN-POLICY-CAPABILITY-UNAUTHORIZED /agentDefinitions/0", "TERFYN-RETRIEVAL-NARROWED /agentDefinitions/2"}, 0},
		"U":  {[]string{"TERFYN-RETRIEVAL-NARROWED"}, 0},
		"P":  {[]string{"TERFYN-RETRIEVAL-NARROWED", "TERFYN-RETRIEVAL-NARROWED", "TERFYN-RETRIEVAL-NARROWED"}, 2},
		"OS": {[]string{"TERFYN-RETRIEVAL-NARROWED", "TERFYN-RETRIEVAL-NARROWED"}, 0},
	} {
		t.Run(set, func(t *testing.T) {
			t.Parallel()
			w := copySet(t, sample(t, set))
			activate(t, w)
			a := ask(t, nil, "validate", "--root", w.root)
			var errors []finding
			for _, f := range a.findings() {
				if f.severity == "E" {
					errors = append(errors, f)
				}
			}
			if a.exit != 1 || len(errors) != len(want.errors) {
				t.Fatalf("exit %d with the errors %v", a.exit, errors)
			}
			for i, e := range errors {
				c, place, _ := strings.Cut(want.errors[i], " ")
				if e.code != c || !strings.HasPrefix(e.path, place) {
					t.Errorf("error %s instead of %s", e, want.errors[i])
				}
			}
			relax(t, w)
			if set == "S" {
				dropCommand(t, w)
			}
			a = ask(t, nil, "validate", "--root", w.root)
			warnings := slices.DeleteFunc(a.findings(), func(f finding) bool { return f.severity != "W" })
			if a.exit != 0 || len(warnings) != want.relaxed {
				t.Errorf("relaxed: exit %d with %v", a.exit, a.findings())
			}
		})
	}
}

// dropCommand takes execute_command from the first definition.
func dropCommand(t *testing.T, w *workspace) {
	t.Helper()
	err := w.edit("agent-definitions.yaml", func(doc any) (any, error) {
		const list = "/agentDefinitions/0/components/capabilityRefs"
		refs, err := lookup(doc, list)
		if err != nil {
			return nil, err
		}
		kept := slices.DeleteFunc(refs.([]any), func(v any) bool { return v == "execute_command" })
		return change(doc, segments(list), assign(kept))
	})
	if err != nil {
		t.Fatal(err)
	}
}
