package planner_test

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"terfyn/compiler"
	"terfyn/planner"
	"terfyn/planner/authority"
	"terfyn/planner/risk"
)

func compiled(t *testing.T, source string) project {
	t.Helper()
	r, ds := compiler.Compile(fstest.MapFS{"main.agent": {Data: []byte(source)}}, compiler.Options{Project: "p"})
	if ds.HasErrors() {
		t.Fatalf("%s\n%v", source, ds)
	}
	return project{graph: r.Graph, programs: r.Programs}
}

// planSources plans a change of sources as deploying does, with every program before
// at hand.
func planSources(t *testing.T, before, after string) planner.Plan {
	t.Helper()
	was, is := compiled(t, before), compiled(t, after)
	in := planner.In{
		Environment: "local", Desired: is.graph, Programs: is.programs, Applied: was.applied(),
		Baseline: planner.Baseline{Environment: "local", Version: 1},
	}
	digests := map[string]string{}
	for _, p := range is.programs {
		digests[p.Workflow] = string(p.Digest())
	}
	for _, p := range was.programs {
		if digests[p.Workflow] != string(p.Digest()) {
			in.Previous = append(in.Previous, p)
		}
	}
	p, err := planner.Compute(in)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

const (
	toolSend     = "tool t { type mock operations { send { effects { mail.send } } } }\n"
	toolTrusted  = "tool t { type mock safety { trusted true } operations { send { effects { mail.send } } } }\n"
	policyGated  = "policy p { approvals { requiredFor { tool.t.send } } effects { permitWithApproval { mail.send } } }\n"
	policyOpen   = "policy open { approvals { permissive true } effects { permit { mail.send } } }\n"
	policyStrict = "policy p { effects { permit { mail.send } } approvals { permissive true } }\npolicy strict2 { effects { permit { mail.read } } }\n"
	policyPairs  = "policy two { approvals { requiredFor { tool.t.send } minApprovals 2 forbidSubmitter true approvers { ann, bob } } effects { permitWithApproval { mail.send } } }\n" +
		"policy one { approvals { requiredFor { tool.t.send } } effects { permitWithApproval { mail.send } } }\n" +
		"environment local { approvers { ann \"k1\" bob \"k2\" } }\n"
	agentStrict = "agent a { model mock/default policy strict2 grants { tool.t.send } }\n"
	agentGated  = "agent a { model mock/x policy p grants { tool.t.send } }\n"
	agentPlain  = "agent a { model mock/x grants { tool.t.send } }\n"
	ask         = "approval g { redactKeys { \"pw\" } with { a: x, pw: x.pw } } "
)

// What a workflow may do without anybody being asked shows in the plan whatever else
// reaches the same operation.
func TestNothingHidesBehindAnotherPath(t *testing.T) {
	t.Parallel()
	const unchanged, wider, narrower = authority.Unchanged, authority.Widened, authority.Narrowed
	for _, test := range []struct {
		name               string
		shared             string
		before, after      string
		static, autonomous authority.State
		items              []string // category severity: a part of the reason
	}{
		{"a written call beside an agent that is refused", toolSend + policyStrict + agentStrict,
			"workflow w(x: any) policy p { a(x) }", "workflow w(x: any) policy p { a(x) t.send(a: 1) }", wider, unchanged,
			[]string{"approval_removal high: tool.t.send was refused in Workflow/w and now happens unattended"}},
		{"a call out of a workflow that asks", toolSend + policyGated + policyOpen + agentGated + "workflow inner(x: any) policy p { t.send(a: x) }\n",
			"workflow w(x: any) policy open { a(x) inner(x) }", "workflow w(x: any) policy open { a(x) t.send(a: x) }", wider, unchanged,
			[]string{"approval_removal high: tool.t.send no longer stops for approval in Workflow/w"}},
		{"a written call in the place of an agent", toolTrusted + agentPlain,
			"workflow w(x: any) { a(x) }", "workflow w(x: any) { t.send(a: x) }", wider, narrower, nil},
		{"the written call is taken back", toolSend + policyStrict + agentStrict,
			"workflow w(x: any) policy p { a(x) t.send(a: 1) }", "workflow w(x: any) policy p { a(x) }", narrower, unchanged, nil},
		{"refused and now behind approval", toolSend + policyGated + "policy strict2 { effects { permit { mail.read } } }\n" + agentStrict,
			"workflow w(x: any) policy p { a(x) }", "workflow w(x: any) policy p { a(x) t.send(a: 1) }", wider, unchanged,
			[]string{"policy_relaxation medium: tool.t.send was refused in Workflow/w and may now happen behind approval"}},
		{"a statement gone", toolTrusted, "workflow w(x: any) { " + ask + "t.send(a: x) }", "workflow w(x: any) { t.send(a: x) }", unchanged, unchanged,
			[]string{"approval_removal high: Workflow/w asks at fewer approval statements: 0 instead of 1", "approval_removal high: tool.t.send had an approval statement before it"}},
		{"a statement behind its call, with less", toolTrusted, "workflow w(x: any) { " + ask + "t.send(a: x) }", "workflow w(x: any) { t.send(a: x) approval g { with { a: x } } }", unchanged, unchanged,
			[]string{"approval_removal high: tool.t.send had an approval statement before it in Workflow/w", `policy_relaxation medium: The approval g of Workflow/w no longer hides "pw"`,
				`policy_relaxation medium: The approval g of Workflow/w no longer shows "pw"`}},
		{"a statement on one arm", toolTrusted, "workflow w(x: any) { " + ask + "t.send(a: x) }", "workflow w(x: any) { if x.ok { " + ask + "} t.send(a: x) }", unchanged, unchanged,
			[]string{"approval_removal high: tool.t.send had an approval statement before it in Workflow/w"}},
		{"a statement that shows a constant", toolTrusted, "workflow w(x: any) { " + ask + "t.send(a: x) }",
			"workflow w(x: any) { approval g { redactKeys { \"pw\" } with { a: 1, pw: x.pw } } t.send(a: x) }", unchanged, unchanged,
			[]string{`policy_relaxation medium: The approval g of Workflow/w shows a fixed value as "a"`}},
		{"a second call without a statement", toolTrusted, "workflow w(x: any) { " + ask + "t.send(a: x) }", "workflow w(x: any) { t.send(a: x) " + ask + "t.send(a: x) }", unchanged, unchanged,
			[]string{"approval_removal high: tool.t.send had an approval statement before it"}},
		{"an agent before the statement", toolTrusted + agentPlain, "workflow w(x: any) { " + ask + "a(x) }", "workflow w(x: any) { a(x) " + ask + "}", unchanged, unchanged,
			[]string{"approval_removal high: tool.t.send had an approval statement before it"}},
		{"a statement in a called workflow", toolTrusted + "workflow check(x: any) { " + ask + "return { ok: true } }\n",
			"workflow w(x: any) { check(x) t.send(a: x) }", "workflow w(x: any) { t.send(a: x) check(x) }", unchanged, unchanged,
			[]string{"approval_removal high: tool.t.send had an approval statement before it"}},
		{"a statement that stays in front", toolTrusted, "workflow w(x: any) { " + ask + "t.send(a: x) }",
			"workflow w(x: any) { " + ask + "if x.ok { t.send(a: x) } else { t.send(a: 1) } }", unchanged, unchanged, nil},
		{"fewer deciders", toolSend + policyPairs + "workflow inner(x: any) policy two { t.send(a: x) }\n",
			"workflow w(x: any) policy one { inner(x) }", "workflow w(x: any) policy one { t.send(a: x) }", unchanged, unchanged,
			[]string{"approver_relaxation high: Fewer persons decide on tool.t.send in Workflow/w: 1 instead of 2", "approver_relaxation high: Who submits a run",
				"approver_relaxation high: Approvers of tool.t.send in Workflow/w are no longer named"}},
		{"signatures", toolSend + "policy two { approvals { requiredFor { tool.t.send } signed true } effects { permitWithApproval { mail.send } } }\npolicy one { approvals { requiredFor { tool.t.send } } effects { permitWithApproval { mail.send } } }\nworkflow inner(x: any) policy two { t.send(a: x) }\n",
			"workflow w(x: any) policy one { inner(x) }", "workflow w(x: any) policy one { t.send(a: x) }", unchanged, unchanged,
			[]string{"signature_relaxation high: Decisions on tool.t.send in Workflow/w need no signature any more"}},
		{"the workflow that asked is deleted", toolTrusted, "workflow inner(x: any) { " + ask + "t.send(a: x) }\nworkflow w(x: any) { inner(x) }", "workflow w(x: any) { t.send(a: x) }", narrower, unchanged,
			[]string{"approval_removal high: tool.t.send had an approval statement before it in Workflow/w"}},
		{"a gate between, left out", toolSend + policyGated + policyOpen + "workflow inner(x: any) policy open { t.send(a: x) }\nworkflow mid(x: any) policy p { inner(x) }\n",
			"workflow w(x: any) policy open { mid(x) }", "workflow w(x: any) policy open { inner(x) }", wider, unchanged,
			[]string{"approval_removal high: tool.t.send no longer stops for approval in Workflow/w"}},
		{"another way around a gate between", toolSend + policyGated + policyOpen +
			"workflow inner(x: any) policy open { t.send(a: x) }\nworkflow mid1(x: any) policy p { inner(x) }\nworkflow mid2(x: any) policy open { inner(x) }\n",
			"workflow w(x: any) policy open { mid1(x) }", "workflow w(x: any) policy open { mid1(x) mid2(x) }", wider, unchanged,
			[]string{"approval_removal high: tool.t.send no longer stops for approval in Workflow/w"}},
		{"more deciders", toolSend + policyPairs + "workflow inner(x: any) policy two { t.send(a: x) }\n",
			"workflow w(x: any) policy one { t.send(a: x) }", "workflow w(x: any) policy one { inner(x) }", unchanged, unchanged, nil},
	} {
		p := planSources(t, test.shared+test.before, test.shared+test.after)
		if got := (authority.States{Static: test.static, Autonomous: test.autonomous}); p.Authority != got {
			t.Errorf("%s: authority %+v, want %+v", test.name, p.Authority, got)
		}
		items := slices.DeleteFunc(slices.Clone(p.RiskItems), func(i risk.Item) bool { return i.Category == risk.AuthorityWidening })
		if len(items) != len(test.items) {
			t.Errorf("%s: %d items, want %d:\n%+v", test.name, len(items), len(test.items), items)
		}
		for _, want := range test.items {
			if !slices.ContainsFunc(items, func(i risk.Item) bool {
				return strings.HasPrefix(string(i.Category)+" "+string(i.Severity)+": "+i.Reason, want)
			}) {
				t.Errorf("%s: no item %q in %+v", test.name, want, items)
			}
		}
	}
}

// Each context that stops for a person is listed, also where another one does not.
func TestEveryContextThatAsksIsListed(t *testing.T) {
	t.Parallel()
	p := planSources(t, "", toolSend+policyGated+policyOpen+agentGated+
		"workflow inner(x: any) policy p { t.send(a: x) }\nworkflow w(x: any) policy open { a(x) inner(x) t.send(a: x) }")
	var got []string
	for _, a := range p.Approvals {
		got = append(got, a.Capability+" "+a.Workflow+" "+a.Agent)
	}
	want := []string{"tool.t.send inner ", "tool.t.send w ", "tool.t.send w a"}
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
