package compiler_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"terfyn/compiler"
	"terfyn/compiler/build"
	"terfyn/compiler/diag"
	"terfyn/compiler/ir"
	"terfyn/compiler/resource"
)

// brokenGraphs are projects whose source passes check and whose graph breaks a rule.
var brokenGraphs = []struct {
	name, source string
	code         diag.Code
	project      func(p *build.Project)
}{
	{"permit overlap", `policy p { effects { permit { a.b } permitWithApproval { a } } }`, diag.PermitOverlap, func(p *build.Project) {
		p.Policy(resource.Policy{Name: "p", Effects: resource.PolicyEffects{Permit: []string{"a.b"}, PermitWithApproval: []string{"a"}}})
	}},
	{"unknown approver", `policy p { approvals { approvers { ann group:desk } minApprovals 3 } } environment e { approvers { bob "key" } }`,
		diag.UnknownApprover, func(p *build.Project) {
			p.Policy(resource.Policy{Name: "p", Approvals: resource.Approvals{Approvers: []string{"ann", "group:desk"}, MinApprovals: 3}})
			p.Environment(resource.Environment{Name: "e", Approvers: map[string]string{"bob": "key"}})
		}},
	{"silence for approvers", `policy p { approvals { onTimeout approve forbidSubmitter true } }`, diag.SilenceForApprovers, func(p *build.Project) {
		p.Policy(resource.Policy{Name: "p", Approvals: resource.Approvals{OnTimeout: "approve", ForbidSubmitter: true}})
	}},
	{"effects outside the clause", `tool t { type mock operations { a { effects { x.y } } b {} } } workflow w() effects { z } { t.a() t.b() }`,
		diag.EffectNotCovered, func(p *build.Project) {
			p.Tool(resource.Tool{Name: "t", Type: "mock", Operations: []resource.Operation{{Name: "a", Effects: []string{"x.y"}}, {Name: "b"}}})
			p.Workflow(resource.Workflow{Name: "w", Effects: []string{"z"}}, nil, func(b *build.Block) {
				b.Tool("", "t", "a")
				b.Tool("", "t", "b")
			})
		}},
	{"effects outside the policy", `tool t { type mock operations { a { effects { x.y } } } } policy p { effects { permit { z } } } agent A { model mock/default grants { tool.t.a } } workflow w(i: any) policy p { x = A(i) }`,
		diag.EffectNotPermitted, func(p *build.Project) {
			p.Tool(resource.Tool{Name: "t", Type: "mock", Operations: []resource.Operation{{Name: "a", Effects: []string{"x.y"}}}})
			p.Policy(resource.Policy{Name: "p", Effects: resource.PolicyEffects{Permit: []string{"z"}}})
			p.Agent(resource.Agent{Name: "A", Model: "mock/default", Grants: []string{"tool.t.a"}})
			p.Workflow(resource.Workflow{Name: "w", Policy: "p"}, []ir.Param{build.Param("i", "")}, func(b *build.Block) { b.Agent("x", "A", build.Ref("i")) })
		}},
	{"nesting", `limits { maxWorkflowNesting 1 } workflow a(i: any) { x = b(i) } workflow b(i: any) { x = c(i) } workflow c(i: any) { return i }`,
		diag.NestedTooDeep, func(p *build.Project) {
			p.Limits(resource.Limits{MaxWorkflowNesting: 1})
			i := []ir.Param{build.Param("i", "")}
			p.Workflow(resource.Workflow{Name: "a"}, i, func(b *build.Block) { b.Call("x", "b", build.Arg("i", build.Ref("i"))) })
			p.Workflow(resource.Workflow{Name: "b"}, i, func(b *build.Block) { b.Call("x", "c", build.Arg("i", build.Ref("i"))) })
			p.Workflow(resource.Workflow{Name: "c"}, i, func(b *build.Block) { b.Return(build.Ref("i")) })
		}},
	{"literal secret", `tool t { type http http { baseUrl "https://t.example" headers { "Authorization" "Bearer abc" } } operations { items {} } }`,
		diag.NoHTTPMethod, func(p *build.Project) {
			p.Tool(resource.Tool{
				Name: "t", Type: "http", Operations: []resource.Operation{{Name: "items"}},
				HTTP: &resource.HTTP{BaseURL: "https://t.example", Headers: []resource.Header{{Name: "Authorization", Value: "Bearer abc"}}},
			})
		}},
	{"temporal without a queue", `tool t { type temporal temporal { kind activity } operations { a {} } }`, diag.BadTransport, func(p *build.Project) {
		p.Tool(resource.Tool{Name: "t", Type: "temporal", Temporal: &resource.Temporal{Kind: "activity"}, Operations: []resource.Operation{{Name: "a"}}})
	}},
	{"cron", `workflow w() trigger schedule { cron "every day" } { }`, diag.BadTrigger, func(p *build.Project) {
		p.Workflow(resource.Workflow{Name: "w", Triggers: []resource.Trigger{{Kind: "schedule", Cron: "every day"}}}, nil, nil)
	}},
	{"input of a trigger", `workflow w(a: any, n: Digest) trigger event "e" { input { b: 1 n: { headline: "x", more: true } } } { }`, diag.UnknownParameter,
		func(p *build.Project) {
			triggers := []resource.Trigger{{Kind: "event", Event: "e", Input: `{"n": {"more": true, "headline": "x"}, "b": 1}`}}
			p.Workflow(resource.Workflow{Name: "w", Triggers: triggers}, []ir.Param{build.Param("a", ""), build.Param("n", p.Schema("Digest", brokenSchemas["Digest"]))}, nil)
		}},
	{"read-only and destructive", `tool t { type mock operations { a { readOnly true effects { destructive } } } }`, diag.BadOperation, func(p *build.Project) {
		readOnly := true
		p.Tool(resource.Tool{Name: "t", Type: "mock", Operations: []resource.Operation{{Name: "a", ReadOnly: &readOnly, Effects: []string{"destructive"}}}})
	}},
	{"group of strangers", `environment e { approvers { ann "key" group desk { ann bob } } }`, diag.UnknownApprover, func(p *build.Project) {
		p.Environment(resource.Environment{Name: "e", Approvers: map[string]string{"ann": "key"}, Groups: map[string][]string{"desk": {"ann", "bob"}}})
	}},
}

// TestBrokenGraphsSoundAlike is TestBrokenProgramsSoundAlike for rules of the graph.
func TestBrokenGraphsSoundAlike(t *testing.T) {
	t.Parallel()
	for _, c := range brokenGraphs {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, fromSource := compile(t, map[string]string{"main.agent": c.source, "schemas/Digest.json": brokenSchemas["Digest"]})
			said := spoken(fromSource)
			if !strings.Contains(strings.Join(said, "\n"), string(c.code)) {
				t.Fatalf("the source says %q, expected %s", said, c.code)
			}
			p := build.New("demo")
			c.project(p)
			g, programs, schemas := p.Parts()
			_, fromValues := compiler.Build(compiler.Input{Graph: g, Programs: programs, Schemas: schemas}, compiler.Options{})
			if d := cmp.Diff(said, spoken(fromValues)); d != "" {
				t.Fatalf("the doors differ (-source +values):\n%s", d)
			}
		})
	}
}
