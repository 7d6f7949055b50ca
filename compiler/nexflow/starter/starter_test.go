package starter

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestNameOf(t *testing.T) {
	t.Parallel()
	for id, want := range map[string]string{"data-lab_two": "Data Lab Two", "a": "A", "my-project": "My Project", "x2-3y": "X2 3y", "a_b-c": "A B C"} {
		if got := NameOf(id); got != want {
			t.Errorf("%s: %q, want %q", id, got, want)
		}
	}
}

func TestComposeIsOrderedAndFilled(t *testing.T) {
	t.Parallel()
	files := Compose("data-lab_two", `A "q" \ b: <x> # é`)
	var names []string
	for _, f := range files {
		names = append(names, f.Name)
		if text := string(f.Text); strings.Contains(text, "{") || !strings.Contains(text, "  project: data-lab_two\n") || !strings.HasSuffix(text, "\n") {
			t.Errorf("%s:\n%s", f.Name, text)
		}
	}
	if diff := cmp.Diff([]string{"actors.yaml", "agents.yaml", "project.yaml"}, names); diff != "" {
		t.Error(diff)
	}
	if text := string(files[2].Text); strings.Count(text, `ame: "A \"q\" \\ b: <x> # é"`) != 2 {
		t.Error(text)
	}
}

// TestANameIsNotATemplate: braces in a name stay what they are.
func TestANameIsNotATemplate(t *testing.T) {
	t.Parallel()
	if text := string(Compose("a", "{id} {name}")[2].Text); strings.Count(text, `"{id} {name}"`) != 2 {
		t.Error(text)
	}
}

// TestInvisibleCharactersAreEscaped: YAML would refuse some of them.
func TestInvisibleCharactersAreEscaped(t *testing.T) {
	t.Parallel()
	if got, want := quoted("a\ufffe\u200d\U000e0001é😀"), `"a\ufffe\u200d\U000e0001é😀"`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestPlan(t *testing.T) {
	t.Parallel()
	files := Compose("a", "A")
	for _, c := range []struct {
		found               []Found
		create, keep, clash int
	}{
		{[]Found{Absent, Absent, Absent}, 3, 0, 0},
		{[]Found{Identical, Identical, Identical}, 0, 3, 0},
		{[]Found{Identical, Absent, Identical}, 1, 2, 0},
		{[]Found{Absent, Other, Identical}, 0, 0, 1},
		{[]Found{Other, Other, Other}, 0, 0, 3},
		{[]Found{Absent, Absent, 0}, 0, 0, 1},
	} {
		p := NewPlan(files, c.found)
		if got := [3]int{len(p.Create), len(p.Keep), len(p.Conflicts)}; got != [3]int{c.create, c.keep, c.clash} {
			t.Errorf("%v: %v", c.found, got)
		}
	}
	if p := NewPlan(files, []Found{Absent, Other, Identical}); p.Conflicts[0] != "agents.yaml" {
		t.Errorf("%v", p.Conflicts)
	}
}
