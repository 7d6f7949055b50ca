package planner_test

import (
	"math/rand/v2"
	"testing"

	"terfyn/compiler/ir"
	"terfyn/compiler/resource"
	"terfyn/internal/canon"
	"terfyn/planner"
	"terfyn/planner/diff"
	"terfyn/planner/risk"
)

func flag(b bool) *bool { return &b }

// project is one side of a comparison.
type project struct {
	graph    resource.Graph
	programs []ir.Program
	schemas  map[string]canon.Value
}

func text(s string) ir.Expr { return ir.Literal{Value: canon.String(s)} }

// desk is a project in which an agent may choose from two operations of one
// tool and a workflow calls a third itself.
func desk() project {
	return project{
		graph: resource.Graph{
			Project:  "desk",
			Defaults: resource.Defaults{Policy: "house", Model: "mock/writer"},
			Agents: []resource.Agent{
				{Name: "writer", Instructions: "Write.", Grants: []string{"tool.hub.read"}},
			},
			Tools: []resource.Tool{
				{Name: "hub", Type: "http", HTTP: &resource.HTTP{BaseURL: "https://hub.example", Headers: []resource.Header{{Name: "Authorization", Value: "env:HUB"}}},
					OperationsDeclared: true, Operations: []resource.Operation{
						{Name: "read", ReadOnly: flag(true), Effects: []string{"hub.read"}},
						{Name: "list", ReadOnly: flag(true), Effects: []string{"hub.read"}},
						{Name: "post", Effects: []string{"hub.write"}, Schema: "schemas/Post.json", Idempotency: "key"},
						{Name: "drop", Effects: []string{"destructive"}},
					}},
			},
			Policies: []resource.Policy{{
				Name:      "house",
				Execution: resource.Execution{MaxTotalCostUSD: "3.00"},
				Approvals: resource.Approvals{RequiredFor: []string{"tool.hub.post"}},
				Effects:   resource.PolicyEffects{Declared: true, Permit: []string{"hub.read"}, PermitWithApproval: []string{"hub.write"}},
			}},
			Workflows: []resource.Workflow{{
				Name:  "answer",
				Calls: []resource.Reference{{Kind: "agent", Name: "writer", Site: "draft"}, {Kind: "tool", Name: "hub.read", Site: "fetch"}},
			}},
		},
		programs: []ir.Program{{Workflow: "answer", Body: []ir.Node{
			ir.If{ID: "if", Cond: ir.Test{Expr: ir.Ref{Path: []string{"input", "ok"}}},
				Then: []ir.Node{ir.Let{ID: "a", Name: "a", Expr: text("yes")}},
				Else: []ir.Node{ir.Let{ID: "b", Name: "b", Expr: text("no")}}},
		}}},
		schemas: map[string]canon.Value{"schemas/Post.json": canon.Object(canon.F("type", canon.String("object")))},
	}
}

// applied gives the rows an apply of p would store.
func (p project) applied() []planner.Applied {
	return planner.Resources(resource.Normalize(planner.Pin(p.graph, p.programs)), p.schemas)
}

func plan(t *testing.T, before, after project) planner.Plan {
	t.Helper()
	p, err := planner.Compute(planner.In{
		Environment: "local", Desired: after.graph, Programs: after.programs, Schemas: after.schemas, Applied: before.applied(),
		Baseline: planner.Baseline{Environment: "local", Snapshot: canon.Sum([]byte("before")), Version: 4},
	})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// changed plans the change that edit makes to desk.
func changed(t *testing.T, edit func(*project)) planner.Plan {
	t.Helper()
	after := desk()
	edit(&after)
	return plan(t, desk(), after)
}

func first(t *testing.T) planner.Plan {
	t.Helper()
	d := desk()
	p, err := planner.Compute(planner.In{Environment: "local", Desired: d.graph, Programs: d.programs, Schemas: d.schemas, Baseline: planner.Baseline{Environment: "local"}})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func find(p planner.Plan, c risk.Category) []risk.Item {
	var out []risk.Item
	for _, i := range p.RiskItems {
		if i.Category == c {
			out = append(out, i)
		}
	}
	return out
}

// wantItem checks that there is exactly one item of a category.
func wantItem(t *testing.T, p planner.Plan, c risk.Category, s risk.Severity, target string) risk.Item {
	t.Helper()
	items := find(p, c)
	if len(items) != 1 || items[0].Severity != s || items[0].Target != target {
		t.Fatalf("%s: got %+v, want one %s item of %s", c, items, s, target)
	}
	return items[0]
}

// wantOnly checks that target is updated and nothing else changes.
func wantOnly(t *testing.T, p planner.Plan, target string) []diff.Change {
	t.Helper()
	if len(p.Operations) != 1 || p.Operations[0].Target() != target || p.Operations[0].Action != planner.Update {
		t.Fatalf("operations %+v, want one update of %s", p.Operations, target)
	}
	if p.Summary != (planner.Summary{Update: 1}) {
		t.Errorf("summary %+v", p.Summary)
	}
	return p.Operations[0].Diff
}

func shuffle[T any](list []T) {
	rand.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
}
