package refs_test

import (
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"terfyn/compiler/nexflow/manifest"
	"terfyn/compiler/nexflow/refs"
	"terfyn/internal/sharedtest"
)

var (
	ticked   = regexp.MustCompile("`([^`]+)`")
	kindName = regexp.MustCompile(`\b[A-Z][A-Za-z]*(?:Set|Project|Workflow)\b|\bProject\b|\bWorkflow\b`)
)

// specification is the text of the specification between two headings, by lines.
func specification(t *testing.T, from, to string) []string {
	t.Helper()
	b, err := os.ReadFile(sharedtest.Path(t, "spec", "nexflow.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(b), "\n"+from)
	text, _, ends := strings.Cut(rest, "\n"+to)
	if !found || !ends {
		t.Fatalf("the specification has no part from %q to %q", from, to)
	}
	return strings.Split(text, "\n")
}

// cells is the columns of a row of a table of n columns, nil for other lines.
func cells(line string, n int) []string {
	parts := strings.Split(strings.Trim(line, "| "), "|")
	if !strings.HasPrefix(line, "|") || len(parts) != n || strings.Contains(line, "---") {
		return nil
	}
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	return parts
}

// Every row of the table of references in the specification is in the table, with
// its priority and its target, and the other way round.
func TestTableEqualsTheSpecification(t *testing.T) {
	t.Parallel()
	left := map[string]refs.Row{}
	for _, r := range refs.Table() {
		left[string(r.From)+r.Pointer] = r
	}
	for _, line := range specification(t, "### 6.2", "## 7.") {
		row := cells(line, 3)
		if row == nil || row[0] == "P" {
			continue
		}
		priority, err := strconv.Atoi(row[0])
		if err != nil {
			t.Fatalf("priority of %q: %v", line, err)
		}
		for _, item := range items(t, row[1], row[2]) {
			got := item.row
			if got.Priority != priority {
				t.Errorf("%s%s has priority %d, the specification %d", got.From, got.Pointer, got.Priority, priority)
			}
			if want := target(item.to); want != described(got) {
				t.Errorf("%s%s refers to %s, the specification says %q", got.From, got.Pointer, described(got), item.to)
			}
			if want := condition(row[1] + item.to); want != got.When {
				t.Errorf("%s%s holds %q, the specification says %q", got.From, got.Pointer, got.When, want)
			}
			delete(left, string(got.From)+got.Pointer)
		}
	}
	for at := range left {
		t.Errorf("%s is in the table, and not in the specification", at)
	}
}

// condition is what a field and its target in the specification say about when a field refers.
func condition(line string) refs.Condition {
	for words, c := range map[string]refs.Condition{
		"(only with ActorSet)": refs.WithActorSet, "of its `kind`": refs.OwnKind, "of the same workflow": refs.SameWorkflow,
		"shape of an event type": refs.EventShaped, "scope/id": refs.ScopeOfTarget,
		"authorities/*/id": refs.NeedsActorSet, // section 5
	} {
		if strings.Contains(line, words) {
			return c
		}
	}
	return refs.Always
}

type item struct {
	row refs.Row
	to  string
}

// items are the rows that one line of the specification means: kinds, their
// pointers and targets. Pointers are shortened there; what is left out stands in
// the pointer before, or is where the kind has its declarations.
func items(t *testing.T, from, to string) []item {
	t.Helper()
	var out []item
	var texts []string
	for _, part := range strings.Split(from, ";") {
		part, _, _ = strings.Cut(part, " when ")
		head, _, _ := strings.Cut(part, "`")
		kinds := kindName.FindAllString(head, -1)
		for _, kind := range kinds {
			base := ""
			for _, m := range ticked.FindAllStringSubmatch(part, -1) {
				row, ok := lookup(manifest.Kind(kind), base, m[1])
				if !ok {
					t.Errorf("the table has no %s %s", kind, m[1])
					continue
				}
				base = row.Pointer
				if !slices.Contains(texts, m[1]) {
					texts = append(texts, m[1])
				}
				out = append(out, item{row: row, to: m[1]})
			}
		}
	}
	targets := expand(to)
	for i := range out {
		n := slices.Index(texts, out[i].to)
		switch {
		case len(targets) == 1:
			n = 0
		case len(targets) != len(texts):
			t.Fatalf("%q has %d targets for %d fields", from, len(targets), len(texts))
		}
		out[i].to = targets[n]
	}
	return out
}

// lookup finds the row of a shortened pointer.
func lookup(kind manifest.Kind, base, pointer string) (refs.Row, bool) {
	tail := "/" + strings.TrimPrefix(strings.TrimPrefix(pointer, "…"), "/")
	if strings.HasPrefix(pointer, "…") {
		base = ""
	}
	prefixes := []string{""}
	for at := strings.LastIndex(base, "/"); at > 0; at = strings.LastIndex(base[:at], "/") {
		prefixes = append(prefixes, base[:at])
	}
	if base == "" {
		info, _ := kind.Info()
		prefixes = append(prefixes, "/"+info.List+"/*", "/workflow/stages/*/steps/*", "/project/policies")
	}
	for _, prefix := range prefixes {
		for _, r := range refs.Table() {
			if r.From == kind && r.Pointer == prefix+tail {
				return r, true
			}
		}
	}
	return refs.Row{}, false
}

// expand splits a list of targets, in which "provider ×3" stands for three.
func expand(to string) []string {
	switch {
	case strings.Contains(to, "namespace of its"), strings.Contains(to, "same kind"), strings.Contains(to, "7.1"):
		return []string{to}
	}
	to, _, _ = strings.Cut(to, ";")
	var out []string
	for _, word := range strings.Split(to, ",") {
		word, times, repeated := strings.Cut(strings.TrimSpace(word), " ×")
		n := 1
		if repeated {
			n, _ = strconv.Atoi(times)
		}
		out = append(out, slices.Repeat([]string{word}, n)...)
	}
	return out
}

// target is how the specification names a target, in the words of described.
func target(to string) string {
	switch {
	case strings.HasPrefix(to, "step of the same workflow"):
		return "workflow-step"
	case strings.HasPrefix(to, "actor, and human"):
		return "actor"
	}
	return to
}

func described(r refs.Row) string {
	switch {
	case r.When == refs.OwnKind:
		return "the namespace of its `kind`"
	case strings.HasSuffix(r.Pointer, "/replaces") && r.To.Kind() == r.From:
		return "the same kind"
	}
	return string(r.To)
}

// The selected references are those of the table of inspect, in both directions.
func TestSelectedEqualsTheSpecification(t *testing.T) {
	t.Parallel()
	left := map[string]bool{}
	for _, r := range refs.Table() {
		if r.Selected {
			left[r.Pointer] = true
		}
	}
	for _, line := range specification(t, "### 10.4", "### 10.5") {
		row := cells(line, 2)
		if row == nil || row[0] == "of" {
			continue
		}
		base, known := bases[row[0]]
		if !known {
			t.Fatalf("nothing is known about %q", row[0])
		}
		for _, field := range fields(row[1]) {
			pointer := base + "/" + field
			if !left[pointer] {
				t.Errorf("%s is selected in the specification, and not in the table", pointer)
			}
			delete(left, pointer)
		}
	}
	for pointer := range left {
		t.Errorf("%s is selected in the table, and not in the specification", pointer)
	}
}

var bases = map[string]string{
	"project": "/project", "actor": "/actors/*", "agent-definition": "/agentDefinitions/*", "task": "/tasks/*",
	"workflow": "/workflow", "workflow-step": "/workflow/stages/*/steps/*", "handoff": "/handoffs/*", "permission": "/permissions/*",
	"context-source": "/contextSources/*", "memory-scope": "/memoryScopes/*", "model-profile": "/modelProfiles/*",
	"prompt-set": "/promptSets/*", "retrieval-profile": "/retrievalProfiles/*", "extension": "/extensions/*",
}

// fields is the fields that a cell lists, below the declaration.
func fields(cell string) []string {
	var out []string
	for _, m := range ticked.FindAllStringSubmatch(cell, -1) {
		switch field := m[1]; {
		case field == "components":
			for _, r := range refs.Table() {
				if below, ok := strings.CutPrefix(r.Pointer, "/agentDefinitions/*/components/"); ok {
					out = append(out, "components/"+below)
				}
			}
		case strings.HasPrefix(field, "/"):
			out = append(out, "dependencies/*"+field)
		default:
			out = append(out, field)
		}
	}
	return out
}
