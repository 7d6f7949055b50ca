package planner_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"terfyn/compiler/ir"
	"terfyn/compiler/resource"
	"terfyn/internal/canon"
	"terfyn/planner"
	"terfyn/planner/diff"
	"terfyn/planner/loops"
	"terfyn/planner/risk"
	"terfyn/policy"
)

// looping is desk whose workflow asks the agent in a loop.
func looping(limit int) project {
	d := desk()
	d.programs[0].Body = []ir.Node{ir.For{ID: "for", Var: "x", In: text("x"), Body: []ir.Node{
		ir.While{ID: "while", Cond: ir.Test{Expr: ir.Ref{Path: []string{"input", "ok"}}}, Limit: limit, Body: []ir.Node{ir.Agent{ID: "ask", Agent: "writer"}}},
	}}}
	return d
}

func TestLoopsAreBounded(t *testing.T) {
	t.Parallel()
	d := looping(500)
	d.graph.Limits.MaxLoopIterations = 200
	p := plan(t, d, d)
	want := []loops.Loop{
		{Workflow: "answer", Site: "for", Kind: "for", Bound: 200, Total: "200"},
		{Workflow: "answer", Site: "for/while", Kind: "while", Limit: 500, Bound: 200, Total: "40000"},
	}
	if diff := cmp.Diff(want, p.Loops); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]loops.Call{{Workflow: "answer", Site: "for/while/ask", Callee: "agent.writer", AtMost: "40000"}}, p.LoopCalls); diff != "" {
		t.Error(diff)
	}
}

// The bound on turns is the one that runs are held to.
func TestTurnsAreThoseOfThePolicy(t *testing.T) {
	t.Parallel()
	d := desk()
	d.graph.Agents[0].Constraints.MaxIterations = 20
	d.graph.Agents[0].Grants = append(d.graph.Agents[0].Grants, "agent.helper")
	d.graph.Agents = append(d.graph.Agents, resource.Agent{Name: "helper"}, resource.Agent{Name: "idle", Constraints: resource.Constraints{MaxIterations: 99}})
	d.graph.Policies = append(d.graph.Policies, resource.Policy{Name: "short", Execution: resource.Execution{MaxIterations: 5}})
	d.graph.Workflows = append(d.graph.Workflows, resource.Workflow{Name: "brief", Policy: "short", Calls: []resource.Reference{{Kind: "agent", Name: "writer", Site: "a"}}})
	d.programs = append(d.programs, ir.Program{Workflow: "brief"})
	p := plan(t, d, d)
	want := []planner.Turns{
		{Agent: "helper", Most: 5, Workflows: []string{"brief"}}, {Agent: "helper", Most: 8, Workflows: []string{"answer"}},
		{Agent: "idle", Most: 32, Workflows: []string{}},
		{Agent: "writer", Most: 5, Workflows: []string{"brief"}}, {Agent: "writer", Most: 20, Workflows: []string{"answer"}},
	}
	if diff := cmp.Diff(want, p.Turns); diff != "" {
		t.Error(diff)
	}
	g := resource.Normalize(d.graph)
	for _, row := range p.Turns {
		for _, w := range row.Workflows {
			if got := policy.TurnLimit(&g, w, row.Agent); int64(got) != row.Most {
				t.Errorf("%s in %s: runs are held to %d, the plan says %d", row.Agent, w, got, row.Most)
			}
		}
	}
}

func TestCeilingsThatMove(t *testing.T) {
	t.Parallel()
	before := desk()
	before.graph.Policies[0].Execution = resource.Execution{MaxTotalCostUSD: "3.00", MaxWallClockSeconds: 60}
	after := desk()
	after.graph.Policies[0].Execution = resource.Execution{MaxTotalCostUSD: "3.0000000001", MaxIterations: 4}
	p := plan(t, before, after)
	want := []planner.CeilingChange{
		{Policy: "house", Field: "maxTotalCostUsd", Before: "3.00", After: "3.0000000001", Change: "raised"},
		{Policy: "house", Field: "maxWallClockSeconds", Before: "60", Change: "removed"},
		{Policy: "house", Field: "maxIterations", After: "4", Change: "added"},
	}
	if diff := cmp.Diff(want, p.Ceilings); diff != "" {
		t.Error(diff)
	}
	if p := plan(t, after, before); p.Ceilings[0].Change != "lowered" {
		t.Errorf("%+v", p.Ceilings)
	}
	after.graph.Policies[0].Execution = resource.Execution{MaxTotalCostUSD: "3", MaxWallClockSeconds: 60}
	if p := plan(t, before, after); len(p.Ceilings) != 0 {
		t.Errorf("another spelling of an amount moves a ceiling: %+v", p.Ceilings)
	}
}

// The programs of an updated workflow are compared line by line; where the earlier
// one cannot be read the plan says so.
func TestProgramsAreCompared(t *testing.T) {
	t.Parallel()
	before, after := looping(3), looping(300)
	in := planner.In{
		Environment: "local", Desired: after.graph, Programs: after.programs, Schemas: after.schemas, Applied: before.applied(),
		Baseline: planner.Baseline{Environment: "local", Version: 1}, Previous: before.programs,
	}
	p, err := planner.Compute(in)
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Programs) != 1 || p.Programs[0].Workflow != "answer" || p.Programs[0].NotCompared != "" {
		t.Fatalf("%+v", p.Programs)
	}
	var changes []string
	for _, l := range p.Programs[0].Lines {
		if l.Kind == diff.LineAdded || l.Kind == diff.LineRemoved {
			changes = append(changes, string(l.Kind)+" "+strings.TrimSpace(l.Text))
		}
	}
	if diff := cmp.Diff([]string{"removed while: while input.ok limit 3", "added while: while input.ok limit 300"}, changes); diff != "" {
		t.Error(diff)
	}
	item := wantItem(t, p, risk.BudgetRelaxation, risk.Medium, "Workflow/answer")
	if !strings.Contains(item.Reason, "300000 times in one run instead of 3000") {
		t.Error(item.Reason)
	}

	in.Previous, in.PreviousUnreadable = nil, "it is of another release"
	if p, err = planner.Compute(in); err != nil || len(p.Programs) != 1 || p.Programs[0].NotCompared != "it is of another release" || len(p.Programs[0].Lines) != 0 {
		t.Errorf("%v %+v", err, p.Programs)
	}
	if p := plan(t, before, before); len(p.Programs) != 0 {
		t.Errorf("an unchanged program is shown: %+v", p.Programs)
	}
}

// Open runs are listed exactly when their workflow changes, itself or by what it
// can come to.
func TestOpenRunsThatAnApplyTouches(t *testing.T) {
	t.Parallel()
	base := func() project {
		d := desk()
		d.graph.Agents = append(d.graph.Agents, resource.Agent{Name: "helper", Output: "schemas/Out.json"}, resource.Agent{Name: "apart"})
		d.graph.Agents[0].Grants = append(d.graph.Agents[0].Grants, "agent.helper")
		d.graph.Policies = append(d.graph.Policies, resource.Policy{Name: "free"})
		d.graph.Tools = append(d.graph.Tools, resource.Tool{Name: "other", Type: "mock"})
		d.graph.Workflows = append(d.graph.Workflows, resource.Workflow{Name: "alone", Policy: "free", Calls: []resource.Reference{{Kind: "agent", Name: "apart", Site: "a"}}})
		d.programs = append(d.programs, ir.Program{Workflow: "alone"})
		d.schemas["schemas/Out.json"] = canon.Bool(true)
		return d
	}
	runs := planner.OpenRuns{Runs: []planner.OpenRun{
		{RunID: "run-2", Workflow: "answer", Status: "running", StartedAt: time.Unix(2, 0).UTC()}, {RunID: "run-1", Workflow: "answer", Status: "interrupted"},
		{RunID: "run-3", Workflow: "alone", Status: "running"}, {RunID: "run-4", Workflow: "gone", Status: "running"},
	}}
	for name, test := range map[string]struct {
		edit func(*project)
		want string
	}{
		"nothing":            {func(*project) {}, ""},
		"a program":          {func(d *project) { d.programs[1].Envelope = true }, "run-3"},
		"an agent":           {func(d *project) { d.graph.Agents[0].Instructions = "New." }, "run-1 run-2"},
		"a delegate":         {func(d *project) { d.graph.Agents[1].Instructions = "New." }, "run-1 run-2"},
		"a delegate's shape": {func(d *project) { d.schemas["schemas/Out.json"] = canon.Object() }, "run-1 run-2"},
		"a tool":             {func(d *project) { d.graph.Tools[0].Description = "New." }, "run-1 run-2"},
		"an unused tool":     {func(d *project) { d.graph.Tools[1].Description = "New." }, ""},
		"a policy":           {func(d *project) { d.graph.Policies[1].Execution.MaxIterations = 3 }, "run-3"},
		"the project":        {func(d *project) { d.graph.Limits.MaxLoopIterations = 3 }, "run-3 run-1 run-2 run-4"},
		"a workflow removed": {func(d *project) { d.graph.Workflows = d.graph.Workflows[:1]; d.programs = d.programs[:1] }, "run-3"},
	} {
		after := base()
		test.edit(&after)
		p, err := planner.Compute(planner.In{
			Environment: "local", Desired: after.graph, Programs: after.programs, Schemas: after.schemas, Applied: base().applied(), OpenRuns: runs,
		})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, r := range p.OpenRuns.Runs {
			got = append(got, r.RunID)
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%s: %v, want %s", name, got, test.want)
		}
	}
}

// A definition that changed under its version is named, and refused where policy
// requires versions.
func TestUnversionedDefinition(t *testing.T) {
	t.Parallel()
	versioned := func() project {
		d := desk()
		d.graph.Agents[0].Version = "1"
		return d
	}
	after := versioned()
	after.graph.Agents[0].Instructions = "Write more."
	p := plan(t, versioned(), after)
	if len(p.Definitions) != 1 || !p.Definitions[0].Unversioned || p.Definitions[0].Before != "1" || len(p.Refusals) != 0 {
		t.Errorf("%+v %+v", p.Definitions, p.Refusals)
	}
	wantItem(t, p, risk.DefinitionUnversioned, risk.Medium, "Agent/writer")
	before := versioned()
	before.graph.Policies[0].RequireDefinitionVersions = true
	after.graph.Policies[0].RequireDefinitionVersions = true
	p = plan(t, before, after)
	if len(p.Refusals) != 1 || p.Refusals[0].Category != risk.DefinitionUnversioned {
		t.Errorf("%+v", p.Refusals)
	}
	after.graph.Agents[0].Version, after.graph.Agents[0].Replaces = "2", "1"
	p = plan(t, before, after)
	if len(p.Refusals) != 0 || len(p.Definitions) != 1 || p.Definitions[0].Unversioned || p.Definitions[0].Replaces != "1" {
		t.Errorf("%+v %+v", p.Refusals, p.Definitions)
	}
}

// The input of a trigger may hold what must not be shown.
func TestTriggerInputIsMasked(t *testing.T) {
	t.Parallel()
	p := changed(t, func(d *project) {
		d.graph.Workflows[0].Triggers = []resource.Trigger{{Kind: "event", Event: "in", Input: `{"token":"` + canary + `"}`}}
	})
	if len(p.Triggers) != 1 || strings.Contains(p.JSON().JSON(), canary) || !strings.Contains(p.Triggers[0].After.JSON(), diff.Masked) {
		t.Errorf("%+v", p.Triggers)
	}
}
