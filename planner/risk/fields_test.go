package risk_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"terfyn/compiler/resource"
	"terfyn/internal/ordered"
	"terfyn/planner/risk"
)

// meaning is what a field of the resource graph means to a reviewer: a change that
// weakens it gives an item of a category, or there is a reason why none does.
type meaning struct {
	category risk.Category
	weaken   func(*resource.Graph)
	none     string
}

// rich is wide with every further field set that can be weakened.
func rich() resource.Graph {
	g := wide()
	g.Defaults.Model, g.Defaults.Runtime = "mock/a", "near"
	g.Limits.MaxToolInputBytes, g.Limits.MaxToolOutputBytes, g.Limits.MaxCheckpointBytes, g.Limits.MaxStateBytes = 10, 10, 10, 10
	g.Limits.CheckpointExceedPolicy = resource.Fail
	t := &g.Tools[0]
	t.Limits = resource.Limits{
		MaxToolInputBytes: 5, MaxToolOutputBytes: 5, MaxCheckpointBytes: 5, MaxStateBytes: 5,
		ToolInputExceedPolicy: resource.Fail, ToolOutputExceedPolicy: resource.Fail, CheckpointExceedPolicy: resource.Fail,
	}
	t.HTTP.Headers = []resource.Header{{Name: "X", Value: "env:X"}}
	t.Workspace = &resource.Workspace{Root: "desk", TestCommand: "test"}
	t.Operations[0].TimeoutSeconds, t.Operations[0].MaxInputBytes, t.Operations[0].MaxOutputBytes = 3, 4, 4
	g.Tools = append(g.Tools,
		resource.Tool{Name: "m", Type: "mcp", MCP: &resource.MCP{Transport: "stdio", Command: "serve", Args: []string{"now"}, URL: "https://m.example", Headers: []resource.Header{{Name: "X", Value: "env:X"}}}},
		resource.Tool{Name: "q", Type: "temporal", Temporal: &resource.Temporal{TaskQueue: "q", Namespace: "n", Endpoint: "e", Kind: "activity"}},
	)
	p := &g.Policies[0]
	p.Approvals.TimeoutSeconds = 60
	w := &g.Workflows[0]
	w.Triggers[0].Timezone, w.Triggers[0].Input = "Europe/Berlin", `{"a":1}`
	g.Environments[0].Runtime = resource.Runtime{Address: "a:1", Namespace: "n", TaskQueue: "q", State: "s"}
	g.Providers[0].APIKeyFrom, g.Providers[0].WorkspaceIDFrom = "env:KEY", "env:SPACE"
	return g
}

// TestEveryFieldHasAMeaning fails for a field that nobody judged, and for one whose
// weakening is silent.
func TestEveryFieldHasAMeaning(t *testing.T) {
	t.Parallel()
	if items := assess(rich(), rich()); len(items) != 0 {
		t.Fatalf("no change gives %+v", items)
	}
	judged := meanings()
	seen := map[string]bool{}
	for _, path := range fieldsOf(reflect.TypeFor[resource.Graph](), "", judged) {
		seen[path] = true
		m, ok := judged[path]
		switch {
		case !ok:
			t.Errorf("%s: say in meanings which risk its weakening is, or why it is none", path)
		case m.none != "":
		default:
			after := rich()
			m.weaken(&after)
			items := assess(rich(), after)
			if !slices.ContainsFunc(items, func(i risk.Item) bool { return i.Category == m.category }) {
				t.Errorf("%s: no %s in %+v", path, m.category, items)
			}
		}
	}
	for _, path := range ordered.Keys(judged) {
		if !seen[path] {
			t.Errorf("%s: there is no such field", path)
		}
	}
}

// fieldsOf lists the paths of all exported fields below a type that hold no further
// resource type, and of those that are judged as a whole.
func fieldsOf(of reflect.Type, prefix string, judged map[string]meaning) []string {
	var out []string
	for i := range of.NumField() {
		f := of.Field(i)
		path, inner := prefix+f.Name, f.Type
		for slices.Contains([]reflect.Kind{reflect.Pointer, reflect.Slice, reflect.Map}, inner.Kind()) {
			inner = inner.Elem()
		}
		if _, whole := judged[path]; inner.Kind() == reflect.Struct && !whole {
			out = append(out, fieldsOf(inner, path+".", judged)...)
		} else {
			out = append(out, path)
		}
	}
	return out
}

func TestFieldsAreListed(t *testing.T) {
	t.Parallel()
	type leaf struct{ A, B string }
	type tree struct {
		One   leaf
		Many  []leaf
		Named map[string]*leaf
		Text  string
	}
	got := strings.Join(fieldsOf(reflect.TypeFor[tree](), "", map[string]meaning{"Named": {}}), " ")
	if want := "One.A One.B Many.A Many.B Named Text"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
