package nexflow

import (
	"strings"
	"testing"

	"terfyn/compiler/nexflow/budget"
	"terfyn/compiler/nexflow/manifest"
)

// TestPositionsInText: people are told the line, of the set that is meant, and JSON
// stays as it is.
func TestPositionsInText(t *testing.T) {
	t.Parallel()
	later, earlier := started(t), started(t)
	later.texts["agents.yaml"] = "# one more line\r\n" + strings.ReplaceAll(strings.Replace(later.texts["agents.yaml"], "    role: developer\n", "", 1), "\n", "\r\n")
	earlier.texts["agents.yaml"] = strings.Replace(earlier.texts["agents.yaml"], "    role: developer\n", "", 1)
	r := request(budget.Inspect, later)
	r.Against = earlier
	e := Run(r)
	lineOf := func(m *memory) int {
		before, _, found := strings.Cut(m.texts["agents.yaml"], "- id: ")
		if !found {
			t.Fatalf("the sample has changed:\n%s", m.texts["agents.yaml"])
		}
		return 1 + strings.Count(before, "\n")
	}
	found := map[string]manifest.Position{}
	for _, f := range e.Findings() {
		set := ""
		if strings.HasPrefix(f.Message, earlierSet) {
			set = earlierSet
		}
		found[set] = f.At
	}
	if len(e.Diagnostics) != 2 || found[""].Line != lineOf(later) || found[earlierSet].Line != lineOf(earlier) || found[""].Line == found[earlierSet].Line {
		t.Errorf("the positions are %v, the answer is %s", found, e.JSON())
	}
	if _, errs := e.Text(); strings.Count(string(errs), "\n  line ") != 2 {
		t.Errorf("text is %s", errs)
	}
}

// TestPositionsOfFaultyText: the line of what is no YAML comes from reading it.
func TestPositionsOfFaultyText(t *testing.T) {
	t.Parallel()
	m := started(t)
	lines := strings.Count(m.texts["agents.yaml"], "\n")
	m.texts["agents.yaml"] += "note: Review: the docs\n"
	e := Run(request(budget.Discover, m))
	if f := e.Findings(); len(f) != 1 || f[0].At != (manifest.Position{Line: lines + 1}) || !strings.Contains(f[0].Message, "colon") {
		t.Errorf("found %+v", f)
	}
}
