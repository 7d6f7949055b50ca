package compiler_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"terfyn/compiler"
	"terfyn/compiler/resource"
	"terfyn/planner"
)

// overlaid has an environment that uses every kind of override.
const overlaid = `
tool desk { type http http { baseUrl "https://dev.example" headers { "X-Team" "a" } } operations { get.read { effects { desk.read } } post.write { effects { desk.write } } } }
tool files { type mcp mcp { transport "stdio" command "files" args { "-v" } } }
tool jobs { type temporal temporal { taskQueue "dev" kind activity } operations { start { } } }
agent Clerk { model mock/default constraints { maxTokens 100 temperature 0.5 } grants { tool.desk.get.read } }
policy house {
    execution { maxTotalCostUsd 5 maxIterations 4 }
    approvals { requiredFor { tool.desk.post.write } approvers { ann } minApprovals 1 timeoutSeconds 60 onTimeout reject permissive true }
    effects { permit { desk } }
}
workflow file(doc: any) policy house { x = Clerk(doc) desk.post.write(doc: x) }
environment prod {
    overrides {
        agents { Clerk { model openai/big constraints { temperature 0 timeoutSeconds 30 } } }
        policies { house {
            execution { maxTotalCostUsd 1 maxWallClockSeconds 600 requireStructuredOutput true }
            approvals {
                requiredFor { tool.desk.get.read } requireAllTools true permissive false approvers { ben, group:leads } minApprovals 2
                forbidSubmitter true signed true timeoutSeconds 90 onTimeout escalate inLoop pause
            }
        } }
        tools {
            desk { http { baseUrl "https://prod.example" headers { "X-Team" "b" } } }
            files { mcp { transport "http" url "https://files.example" } }
            jobs { temporal { taskQueue "prod" namespace "ops" } }
        }
    }
    approvers { ann "k1" ben "k2" cleo "k3" group leads { cleo } }
    runtime { address "temporal.example:7233" namespace "ops" taskQueue "prod" state "postgres://db.example/terfyn" }
}
`

// TestBehaviour232EnvironmentsApply: an environment declared in source applies, every
// override of it; requiredFor is united with the base.
func TestBehaviour232EnvironmentsApply(t *testing.T) {
	t.Parallel()
	r, ds := compile(t, map[string]string{"main.agent": overlaid})
	if ds.HasErrors() {
		t.Fatal(ds)
	}
	g, err := resource.Overlay(r.Graph, "prod")
	if err != nil {
		t.Fatal(err)
	}
	yes, no := true, false
	clerk, _ := g.Agent("Clerk")
	house, _ := g.Policy("house")
	desk, _ := g.Tool("desk")
	files, _ := g.Tool("files")
	jobs, _ := g.Tool("jobs")
	prod, _ := g.Environment("prod")
	for _, c := range []struct{ got, want any }{
		{clerk.Model, "openai/big"},
		{clerk.Constraints, resource.Constraints{MaxTokens: 100, TimeoutSeconds: 30, Temperature: "0"}},
		{house.Execution, resource.Execution{MaxTotalCostUSD: "1", MaxWallClockSeconds: 600, MaxIterations: 4, RequireStructuredOutput: &yes}},
		{house.Approvals, resource.Approvals{
			RequiredFor: []string{"tool.desk.get.read", "tool.desk.post.write"}, RequireAllTools: &yes, Permissive: &no,
			Approvers: []string{"ben", "group:leads"}, MinApprovals: 2, ForbidSubmitter: true, Signed: true,
			TimeoutSeconds: 90, OnTimeout: "escalate", InLoop: "pause",
		}},
		{house.Effects.Permit, []string{"desk"}},
		{desk.HTTP, &resource.HTTP{BaseURL: "https://prod.example", Headers: []resource.Header{{Name: "X-Team", Value: "b"}}}},
		{files.MCP, &resource.MCP{Transport: "http", URL: "https://files.example"}},
		{jobs.Temporal, &resource.Temporal{TaskQueue: "prod", Namespace: "ops", Kind: "activity"}},
		{prod.Approvers, map[string]string{"ann": "k1", "ben": "k2", "cleo": "k3"}},
		{prod.Groups, map[string][]string{"leads": {"cleo"}}},
		{prod.Runtime, resource.Runtime{Address: "temporal.example:7233", Namespace: "ops", TaskQueue: "prod", State: "postgres://db.example/terfyn"}},
	} {
		if d := cmp.Diff(c.want, c.got); d != "" {
			t.Errorf("(-want +got):\n%s", d)
		}
	}
}

// TestBehaviour232UnknownTargetsAreErrors: what an environment overrides must exist.
func TestBehaviour232UnknownTargetsAreErrors(t *testing.T) {
	t.Parallel()
	_, ds := compile(t, map[string]string{"main.agent": `environment e { overrides {
		agents { Nobody { } } policies { none { } } tools { nothing { http { baseUrl "https://a.example" } } } } }`})
	for _, want := range []string{`unknown agent "Nobody"`, `unknown policy "none"`, `unknown tool "nothing"`} {
		if !ds.HasErrors() || !strings.Contains(ds.String(), want) {
			t.Errorf("no %q in\n%s", want, ds)
		}
	}
	_, fromValues := compiler.Build(compiler.Input{Graph: resource.Graph{Environments: []resource.Environment{{
		Name: "e", Agents: map[string]resource.AgentOverride{"Nobody": {}}, Policies: map[string]resource.Policy{"none": {}},
		Tools: map[string]resource.ToolOverride{"nothing": {}},
	}}}}, compiler.Options{})
	for _, want := range []string{`the agent "Nobody"`, `the policy "none"`, `the tool "nothing"`} {
		if !strings.Contains(fromValues.String(), "environment/e: environment e names "+want) {
			t.Errorf("no %q in\n%s", want, fromValues)
		}
	}
}

// TestOverridesCannotLoosenUnseen: what an override cannot do is refused, and what
// breaks only together with the base is found.
func TestOverridesCannotLoosenUnseen(t *testing.T) {
	t.Parallel()
	for source, want := range map[string]string{
		`approvals { forbidSubmitter false }`: "forbidSubmitter in an override can only be true",
		`approvals { signed false }`:          "signed in an override can only be true",
		`approvals { onTimeout approve }`:     "silence cannot stand for them",
	} {
		_, ds := compile(t, map[string]string{"main.agent": `policy p { approvals { forbidSubmitter true signed true } }
			environment e { overrides { policies { p { ` + source + ` } } } }`})
		if !ds.HasErrors() || !strings.Contains(ds.String(), want) {
			t.Errorf("%s: no %q in\n%s", source, want, ds)
		}
	}
}

// TestPlansShowWhatOverlaysWiden: the plan is made of what applies in the
// environment, so an environment cannot widen what its plan does not show.
func TestPlansShowWhatOverlaysWiden(t *testing.T) {
	t.Parallel()
	r, _ := compile(t, map[string]string{"main.agent": overlaid})
	deployed, err := resource.Overlay(r.Graph, "prod")
	if err != nil {
		t.Fatal(err)
	}
	looser := r.Graph
	prod, _ := looser.Environment("prod")
	house := prod.Policies["house"]
	house.Approvals.Approvers, house.Approvals.MinApprovals, house.Execution.MaxTotalCostUSD = []string{"ann", "ben", "cleo"}, 1, "50"
	prod.Policies = map[string]resource.Policy{"house": house}
	looser.Environments = []resource.Environment{prod}
	desired, err := resource.Overlay(looser, "prod")
	if err != nil {
		t.Fatal(err)
	}
	plan, err := planner.Compute(planner.In{
		Environment: "prod", Desired: desired, Programs: r.Programs, Applied: planner.Resources(planner.Pin(deployed, r.Programs), nil),
	})
	if err != nil {
		t.Fatal(err)
	}
	shown := ""
	for _, item := range plan.RiskItems {
		shown += string(item.Category) + " " + item.Target + " " + item.Reason + "\n"
	}
	for _, want := range []string{"1 instead of 2", "from 1 to 50 USD", "ann may now decide"} {
		if !strings.Contains(shown, want) {
			t.Errorf("the risks do not name %s:\n%s", want, shown)
		}
	}
}
