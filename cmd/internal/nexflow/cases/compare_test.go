package cases

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// fresh gives the findings of got that base does not have, each as often as it is
// there more often, in the order of got.
func fresh(got, base []finding) []finding {
	left := map[finding]int{}
	for _, f := range base {
		left[f]++
	}
	var out []finding
	for _, f := range got {
		if left[f] > 0 {
			left[f]--
			continue
		}
		out = append(out, f)
	}
	return out
}

// findings gives what rows speak about of an answer's diagnostics.
func (a answer) findings() []finding {
	out := make([]finding, 0, len(a.Diagnostics))
	for _, d := range a.Diagnostics {
		out = append(out, d.finding())
	}
	return out
}

// compare holds new findings against a row. The schema layer may have more records
// of alternatives inside the object that was changed; with a starred expectation
// only the starred ones have to be there.
func compare(r row, got []finding) []string {
	starred := slices.ContainsFunc(r.expect, func(e expectation) bool { return e.star })
	left := slices.Clone(got)
	var out []string
	for _, e := range r.expect {
		for range e.count {
			i := slices.Index(left, e.finding)
			if i >= 0 {
				left = slices.Delete(left, i, i+1)
			} else if e.star || !starred {
				out = append(out, fmt.Sprintf("is missing: %s", e.finding))
			}
		}
	}
	for _, f := range left {
		if !starred || r.failing != "schema" || !r.covers(f) {
			out = append(out, fmt.Sprintf("is too much: %s", f))
		}
	}
	return out
}

// covers reports whether a finding is in the object that the row changes or in one
// that the row itself names.
func (r row) covers(f finding) bool {
	if !strings.HasPrefix(f.code, "NF-SCHEMA-") {
		return false
	}
	var objects []string
	for _, p := range touched(r.change)[f.file] {
		objects = append(objects, p[:strings.LastIndexByte(p, '/')])
	}
	for _, e := range r.expect {
		if e.file == f.file {
			objects = append(objects, e.path)
		}
	}
	return slices.ContainsFunc(objects, func(o string) bool { return f.path == o || strings.HasPrefix(f.path, o+"/") })
}

// statuses is what checks must say when a layer fails, or none does.
func statuses(failing string) map[string]string {
	out := map[string]string{"extensionProfiles": "not-run"}
	status := "passed"
	for _, layer := range []string{"discovery", "schema", "coreProfile", "semantic"} {
		switch {
		case layer == failing:
			out[layer] = "failed"
			status = "not-run"
			if layer == "coreProfile" {
				status = "unavailable"
			}
		default:
			out[layer] = status
		}
	}
	return out
}

func TestFresh(t *testing.T) {
	t.Parallel()
	a, b := finding{code: "A"}, finding{code: "B"}
	if got := fresh([]finding{a, b, a, a}, []finding{a, a, {code: "C"}}); !slices.Equal(got, []finding{b, a}) {
		t.Errorf("got %v", got)
	}
}

func TestCompare(t *testing.T) {
	t.Parallel()
	at := func(code, path string) finding { return finding{severity: "E", code: code, file: "a.yaml", path: path} }
	plain := row{failing: "semantic", expect: []expectation{{finding: at("NF-A", "/x"), count: 2}}}
	open := row{failing: "schema", change: "`a.yaml` `/x/y/z` := `1`", expect: []expectation{
		{finding: at("NF-SCHEMA-A", "/x"), count: 1}, {star: true, finding: at("NF-SCHEMA-B", "/x/y/z"), count: 1},
	}}
	for name, tc := range map[string]struct {
		row    row
		got    []finding
		faults int
	}{
		"exact":                {plain, []finding{at("NF-A", "/x"), at("NF-A", "/x")}, 0},
		"once too little":      {plain, []finding{at("NF-A", "/x")}, 1},
		"other place":          {plain, []finding{at("NF-A", "/x"), at("NF-A", "/y")}, 2},
		"one more":             {plain, []finding{at("NF-A", "/x"), at("NF-A", "/x"), at("NF-B", "/x")}, 1},
		"only the star":        {open, []finding{at("NF-SCHEMA-B", "/x/y/z")}, 0},
		"without the star":     {open, []finding{at("NF-SCHEMA-A", "/x")}, 1},
		"another leaf inside":  {open, []finding{at("NF-SCHEMA-B", "/x/y/z"), at("NF-SCHEMA-C", "/x/y/q")}, 0},
		"another leaf outside": {open, []finding{at("NF-SCHEMA-B", "/x/y/z"), at("NF-SCHEMA-C", "/xx")}, 1},
		"another layer inside": {open, []finding{at("NF-SCHEMA-B", "/x/y/z"), at("NF-REF-X", "/x/y")}, 1},
	} {
		if got := compare(tc.row, tc.got); len(got) != tc.faults {
			t.Errorf("%s: %d faults instead of %d: %v", name, len(got), tc.faults, got)
		}
	}
}

func TestStatuses(t *testing.T) {
	t.Parallel()
	for failing, want := range map[string]string{
		"":            "passed passed passed passed",
		"discovery":   "failed not-run not-run not-run",
		"schema":      "passed failed not-run not-run",
		"coreProfile": "passed passed failed unavailable",
		"semantic":    "passed passed passed failed",
	} {
		s := statuses(failing)
		if got := strings.Join([]string{s["discovery"], s["schema"], s["coreProfile"], s["semantic"]}, " "); got != want {
			t.Errorf("%q: %s instead of %s", failing, got, want)
		}
	}
}
