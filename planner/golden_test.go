package planner_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"terfyn/compiler/resource"
	"terfyn/internal/canon"
	"terfyn/planner"
)

// goldenPlans are plans whose whole document is kept.
func goldenPlans(t *testing.T) map[string]planner.Plan {
	t.Helper()
	return map[string]planner.Plan{
		"first":  first(t),
		"empty":  plan(t, desk(), desk()),
		"widen":  changed(t, widen),
		"delete": plan(t, desk(), project{graph: resource.Graph{Project: "desk"}}),
	}
}

// widen loosens one thing of every kind.
func widen(d *project) {
	d.graph.Agents[0].Grants = append(d.graph.Agents[0].Grants, "tool.hub.post")
	d.graph.Agents[0].Model = "mock/other"
	d.graph.Policies[0].Execution.MaxTotalCostUSD = "10.00"
	d.graph.Policies[0].Approvals = resource.Approvals{OnTimeout: "approve"}
	d.graph.Tools[0].HTTP.Headers[0].Value = "Bearer literal"
	d.graph.Workflows[0].Triggers = []resource.Trigger{{Kind: "schedule", Cron: "0 6 * * *"}}
	d.schemas["schemas/Post.json"] = canon.Bool(true)
}

func TestGolden(t *testing.T) {
	t.Parallel()
	plans := goldenPlans(t)
	for name, p := range plans {
		var got bytes.Buffer
		if err := json.Indent(&got, p.JSON().Encode(), "", "  "); err != nil {
			t.Fatal(err)
		}
		got.WriteByte('\n')
		path := filepath.Join("testdata", name+".json")
		if os.Getenv("UPDATE_GOLDEN") == "1" {
			if err := os.WriteFile(path, got.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), got.String()); diff != "" {
			t.Errorf("%s (UPDATE_GOLDEN=1 rewrites it):\n%s", path, diff)
		}
	}
	files, err := filepath.Glob("testdata/*.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		name := filepath.Base(f)
		if _, made := plans[name[:len(name)-len(".json")]]; !made {
			t.Errorf("no test makes %s", f)
		}
	}
}

// Equal inputs give equal bytes, whatever order they come in.
func TestPlanIsDeterministic(t *testing.T) {
	t.Parallel()
	want := changed(t, widen)
	for range 50 {
		after := desk()
		widen(&after)
		shuffle(after.graph.Tools[0].Operations)
		shuffle(after.graph.Agents[0].Grants)
		shuffle(after.graph.Workflows[0].Calls)
		applied := desk().applied()
		shuffle(applied)
		p, err := planner.Compute(planner.In{
			Environment: "local", Desired: after.graph, Programs: after.programs, Schemas: after.schemas, Applied: applied,
			Baseline: want.DeploymentBaseline,
		})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want.JSON().JSON(), p.JSON().JSON()); diff != "" {
			t.Fatal(diff)
		}
	}
}

func TestOperationOrder(t *testing.T) {
	t.Parallel()
	p := changed(t, func(d *project) {
		d.graph.Agents = []resource.Agent{{Name: "b"}, {Name: "a"}}
		d.graph.Workflows, d.programs = nil, nil
		d.graph.Project, d.graph.Defaults.Runtime = "desk", "remote"
	})
	var got []string
	for _, o := range p.Operations {
		got = append(got, string(o.Action)+" "+o.Target())
	}
	want := []string{"create Agent/a", "create Agent/b", "update Project/desk", "delete Agent/writer", "delete Workflow/answer"}
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
