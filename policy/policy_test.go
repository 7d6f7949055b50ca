package policy_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"terfyn/compiler/resource"
	"terfyn/internal/canon"
	"terfyn/policy"
)

func ptr(b bool) *bool { return &b }

// graph builds a project of one tool, one agent and one workflow under one policy.
func graph(tool resource.Tool, p resource.Policy) *resource.Graph {
	g := resource.Graph{
		Tools:     []resource.Tool{tool},
		Agents:    []resource.Agent{{Name: "A", Grants: []string{"tool." + tool.Name + ".read", "tool." + tool.Name + ".send"}}},
		Workflows: []resource.Workflow{{Name: "w", Policy: p.Name}},
	}
	if p.Name != "" {
		g.Policies = []resource.Policy{p}
	}
	return &g
}

func TestEvaluate(t *testing.T) {
	t.Parallel()
	trusted := resource.Safety{Trusted: ptr(true), SideEffects: ptr(true)}
	closed := []resource.Operation{{Name: "read", Effects: []string{"mail.read"}, ReadOnly: ptr(true)}, {Name: "send", Effects: []string{"mail.send"}}}
	cases := []struct {
		name    string
		tool    resource.Tool
		policy  resource.Policy
		agent   string
		op      string
		want    policy.Verdict
		code    policy.Code
		source  policy.Source
		inRules string
	}{
		{name: "no safety block asks (behaviours 110)", tool: resource.Tool{Name: "m"}, op: "send", want: policy.RequireApproval, code: policy.ApprovalRequired, source: policy.FailClosedDefault},
		{name: "no side effects run unattended", tool: resource.Tool{Name: "m", Safety: resource.Safety{SideEffects: ptr(false)}}, op: "send", want: policy.Allow},
		{name: "trusted runs unattended (112)", tool: resource.Tool{Name: "m", Safety: trusted}, op: "send", want: policy.Allow},
		{name: "trusted but listed asks (112)", tool: resource.Tool{Name: "m", Safety: trusted}, op: "send",
			policy: resource.Policy{Name: "p", Approvals: resource.Approvals{RequiredFor: []string{"tool.m.send"}}}, want: policy.RequireApproval, source: policy.ExplicitRule, inRules: "requiredFor tool.m.send"},
		{name: "requiredFor is exact (118)", tool: resource.Tool{Name: "m", Safety: trusted}, op: "send2",
			policy: resource.Policy{Name: "p", Approvals: resource.Approvals{RequiredFor: []string{"tool.m.send"}}}, want: policy.Allow},
		{name: "requiresApproval always asks", tool: resource.Tool{Name: "m", Safety: resource.Safety{Trusted: ptr(true), RequiresApproval: ptr(true)}}, op: "send", want: policy.RequireApproval, source: policy.SafetyMetadata},
		{name: "closed manifest denies others", tool: resource.Tool{Name: "m", Safety: trusted, OperationsDeclared: true, Operations: closed}, op: "drop", want: policy.Deny, code: policy.OperationNotInManifest},
		{name: "closed and empty denies all (120)", tool: resource.Tool{Name: "m", Safety: trusted, OperationsDeclared: true}, op: "send", want: policy.Deny, code: policy.OperationNotInManifest},
		{name: "open manifest dispatches (121)", tool: resource.Tool{Name: "m", Safety: trusted}, op: "anything", want: policy.Allow},
		{name: "read-only operation of an untrusted tool", tool: resource.Tool{Name: "m", OperationsDeclared: true, Operations: closed}, op: "read", want: policy.Allow},
		{name: "agent without the grant", tool: resource.Tool{Name: "m", Safety: trusted}, agent: "A", op: "other", want: policy.Deny, code: policy.NotGranted},
		{name: "agent with the grant", tool: resource.Tool{Name: "m", Safety: trusted}, agent: "A", op: "send", want: policy.Allow},
		{name: "permitWithApproval wins over permit (125)", tool: resource.Tool{Name: "m", Safety: trusted, OperationsDeclared: true, Operations: closed}, op: "send",
			policy: resource.Policy{Name: "p", Effects: resource.PolicyEffects{Declared: true, Permit: []string{"mail"}, PermitWithApproval: []string{"mail.send"}}}, want: policy.RequireApproval, source: policy.ExplicitRule},
		{name: "dotted prefix covers (124)", tool: resource.Tool{Name: "m", Safety: trusted, OperationsDeclared: true, Operations: closed}, op: "send",
			policy: resource.Policy{Name: "p", Effects: resource.PolicyEffects{Declared: true, Permit: []string{"mail"}}}, want: policy.Allow},
		{name: "an effect nobody permits", tool: resource.Tool{Name: "m", Safety: trusted, OperationsDeclared: true, Operations: closed}, op: "send",
			policy: resource.Policy{Name: "p", Effects: resource.PolicyEffects{Declared: true, Permit: []string{"mai"}}}, want: policy.Deny, code: policy.EffectNotPermitted},
		{name: "forbidUnknownTools (117)", tool: resource.Tool{Name: "m", Safety: resource.Safety{SideEffects: ptr(false)}}, op: "send",
			policy: resource.Policy{Name: "p", ForbidUnknownTools: ptr(true)}, want: policy.Deny, code: policy.UnknownTool},
		{name: "permissive waives derived gates", tool: resource.Tool{Name: "m"}, op: "send",
			policy: resource.Policy{Name: "p", Preset: "permissive"}, want: policy.Allow},
		{name: "strict asks for everything", tool: resource.Tool{Name: "m", Safety: trusted}, op: "send",
			policy: resource.Policy{Name: "p", Preset: "strict"}, want: policy.RequireApproval},
		{name: "a named policy that is missing denies", tool: resource.Tool{Name: "m", Safety: trusted}, op: "send",
			policy: resource.Policy{Name: "p", Preset: "nonsense"}, want: policy.Deny, code: policy.PolicyMissing},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := policy.Evaluate(graph(c.tool, c.policy), policy.Call{Workflow: "w", Agent: c.agent, Tool: "m", Operation: c.op})
			if got.Verdict != c.want {
				t.Fatalf("verdict %v, want %v: %+v", got.Verdict, c.want, got.Reasons)
			}
			if c.code != "" && got.Code() != c.code {
				t.Errorf("code %s, want %s", got.Code(), c.code)
			}
			if c.source != "" && got.Reasons[0].Source != c.source {
				t.Errorf("source %s, want %s", got.Reasons[0].Source, c.source)
			}
			if !strings.Contains(got.Rule(), c.inRules) {
				t.Errorf("rule %q does not name %q", got.Rule(), c.inRules)
			}
		})
	}
}

func TestUnknownToolIsDenied(t *testing.T) {
	t.Parallel()
	got := policy.Evaluate(&resource.Graph{}, policy.Call{Tool: "ghost", Operation: "x"})
	if got.Verdict != policy.Deny || got.Code() != policy.OperationNotInManifest {
		t.Errorf("got %v %s", got.Verdict, got.Code())
	}
}

func TestBehaviour136AgentPolicyOnlyTightens(t *testing.T) {
	t.Parallel()
	g := graph(resource.Tool{Name: "m", Safety: resource.Safety{Trusted: ptr(true)}}, resource.Policy{Name: "p"})
	g.Policies = append(g.Policies, resource.Policy{Name: "tight", Approvals: resource.Approvals{RequireAllTools: ptr(true)}})
	g.Agents[0].Policy = "tight"
	call := policy.Call{Workflow: "w", Agent: "A", Tool: "m", Operation: "send"}
	if got := policy.Evaluate(g, call); got.Verdict != policy.RequireApproval {
		t.Errorf("agent policy did not tighten: %v", got.Verdict)
	}
	g.Workflows[0].Policy, g.Agents[0].Policy = "tight", "p"
	if got := policy.Evaluate(g, call); got.Verdict != policy.RequireApproval {
		t.Errorf("agent policy loosened the workflow's: %v", got.Verdict)
	}
}

func gate() policy.Gate {
	return policy.Gate{
		ID: "apr-1", Revision: "sha256:r", Allowed: []string{policy.Approve, policy.Reject, policy.Edit}, Submitter: "sam",
		Edits: policy.EditRule{Present: []string{"to", "body"}, Allowed: []string{"body"}},
	}
}

func TestCheckDecision(t *testing.T) {
	t.Parallel()
	edit := canon.Object(canon.F("body", canon.String("new")))
	good := policy.Decision{ApprovalID: "apr-1", Revision: "sha256:r", Decision: policy.Approve, Actor: "ann"}
	with := func(f func(*policy.Decision)) policy.Decision { d := good; f(&d); return d }
	approvers := policy.Deciders{Names: []string{"ann", "bob"}, ForbidSubmitter: true}
	cases := []struct {
		name     string
		deciders policy.Deciders
		d        policy.Decision
		want     policy.RefusalCode
	}{
		{name: "plain approve", d: good},
		{name: "nobody", d: with(func(d *policy.Decision) { d.Actor = "" }), want: policy.RefusedMalformed},
		{name: "no revision", d: with(func(d *policy.Decision) { d.Revision = "" }), want: policy.RefusedMalformed},
		{name: "stale", d: with(func(d *policy.Decision) { d.Revision = "sha256:old" }), want: policy.RefusedStale},
		{name: "not allowed", d: with(func(d *policy.Decision) { d.Decision = policy.Switch }), want: policy.RefusedNotAllowed},
		{name: "edit", d: with(func(d *policy.Decision) { d.Decision, d.Edit = policy.Edit, edit })},
		{name: "edit of another argument", d: with(func(d *policy.Decision) {
			d.Decision, d.Edit = policy.Edit, canon.Object(canon.F("to", canon.String("x")))
		}), want: policy.RefusedEdit},
		{name: "edit adds an argument", d: with(func(d *policy.Decision) {
			d.Decision, d.Edit = policy.Edit, canon.Object(canon.F("tool", canon.String("mail.send")))
		}), want: policy.RefusedEdit},
		{name: "edit that is no object", d: with(func(d *policy.Decision) { d.Decision, d.Edit = policy.Edit, canon.Bool(false) }), want: policy.RefusedEdit},
		{name: "arguments smuggled into approve", d: with(func(d *policy.Decision) { d.Edit = edit }), want: policy.RefusedEdit},
		{name: "approver", deciders: approvers, d: good},
		{name: "stranger", deciders: approvers, d: with(func(d *policy.Decision) { d.Actor = "eve" }), want: policy.RefusedActor},
		{name: "submitter", deciders: policy.Deciders{Names: []string{"sam"}, ForbidSubmitter: true}, d: with(func(d *policy.Decision) { d.Actor = "sam" }), want: policy.RefusedActor},
		{name: "an empty group admits nobody", deciders: policy.Deciders{Names: []string{}}, d: good, want: policy.RefusedActor},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			g := gate()
			g.Deciders = c.deciders
			r := policy.CheckDecision(g, c.d)
			if (r == nil) != (c.want == "") || (r != nil && r.Code != c.want) {
				t.Errorf("got %v, want %q", r, c.want)
			}
		})
	}
}

func TestEditSizeLimit(t *testing.T) {
	t.Parallel()
	for size, ok := range map[int]bool{policy.MaxEditBytes: true, policy.MaxEditBytes + 1: false} {
		d := policy.Decision{ApprovalID: "apr-1", Revision: "sha256:r", Decision: policy.Edit, Actor: "ann",
			Edit: canon.Object(canon.F("body", canon.String(strings.Repeat("x", size-len(`{"body":""}`)))))}
		if r := policy.CheckDecision(gate(), d); (r == nil) != ok {
			t.Errorf("%d bytes: %v", size, r)
		}
	}
}

func TestRevisionBindsEverything(t *testing.T) {
	t.Parallel()
	args := canon.Object(canon.F("n", canon.Int(1)))
	base := policy.Revision("mail", "send", args, "s", "sha256:x")
	for name, other := range map[string]canon.Digest{
		"tool":      policy.Revision("mail2", "send", args, "s", "sha256:x"),
		"operation": policy.Revision("mail", "draft", args, "s", "sha256:x"),
		"arguments": policy.Revision("mail", "send", args.With("n", canon.Int(2)), "s", "sha256:x"),
		"site":      policy.Revision("mail", "send", args, "t", "sha256:x"),
		"snapshot":  policy.Revision("mail", "send", args, "s", "sha256:y"),
	} {
		if other == base {
			t.Errorf("the %s is not part of the revision", name)
		}
	}
	one, err := canon.Number("1.0")
	if err != nil {
		t.Fatal(err)
	}
	if policy.Revision("mail", "send", canon.Object(canon.F("n", one)), "s", "sha256:x") != base {
		t.Error("1.0 and 1 give two revisions")
	}
}

func TestReviewMerge(t *testing.T) {
	t.Parallel()
	workflow := resource.Policy{Name: "p", Hitl: resource.Hitl{RedactKeys: []string{"token"}, InterruptOn: map[string]resource.Review{
		"m": {AllowedDecisions: []string{"approve", "reject", "edit"}, AllowedEditArgs: []string{"a", "b"}, DeniedEditArgs: []string{"c"}},
	}}}
	agent := resource.Policy{Name: "q", Hitl: resource.Hitl{InterruptOn: map[string]resource.Review{
		"m": {AllowedDecisions: []string{"edit", "approve"}, AllowedEditArgs: []string{"b", "d"}, DeniedEditArgs: []string{"b"}, RedactKeys: []string{"pin"}},
	}}}
	g := graph(resource.Tool{Name: "m"}, workflow)
	g.Policies = append(g.Policies, agent)
	g.Agents[0].Policy = "q"
	r := policy.ReviewFor(g, policy.Call{Workflow: "w", Agent: "A", Tool: "m", Operation: "send"})
	if want := []string{"approve", "edit"}; !slices.Equal(r.Allowed, want) {
		t.Errorf("decisions %v, want the intersection %v", r.Allowed, want)
	}
	if !slices.Equal(r.Edits.Allowed, []string{"b"}) || !slices.Equal(r.Edits.Denied, []string{"c", "b"}) || !slices.Equal(r.RedactKeys, []string{"token", "pin"}) {
		t.Errorf("edits %+v, redactions %v", r.Edits, r.RedactKeys)
	}
	if len(g.Policies[0].Hitl.InterruptOn["m"].DeniedEditArgs) != 1 {
		t.Error("the source changed")
	}
}

func TestApproverGroups(t *testing.T) {
	t.Parallel()
	g := graph(resource.Tool{Name: "m"}, resource.Policy{Name: "p", Approvals: resource.Approvals{Approvers: []string{"ann", "group:release"}, MinApprovals: 2}})
	g.Environments = []resource.Environment{{Name: "prod", Groups: map[string][]string{"release": {"bob", "ann"}}}}
	d := policy.DecidersFor(g, "prod", policy.Call{Workflow: "w"})
	if !slices.Equal(d.Names, []string{"ann", "bob"}) || d.MinApprovals != 2 {
		t.Errorf("got %+v", d)
	}
	if d := policy.DecidersFor(g, "dev", policy.Call{Workflow: "w"}); !slices.Equal(d.Names, []string{"ann"}) {
		t.Errorf("a group of another environment was used: %+v", d)
	}
}

func TestBehaviour134TurnLimit(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ asked, ceiling, want int64 }{
		{0, 0, 8}, {20, 0, 20}, {99, 0, 32}, {64, 128, 64}, {200, 128, 128}, {0, 4, 4}, {10, 6, 6},
	} {
		g := graph(resource.Tool{Name: "m"}, resource.Policy{Name: "p", Execution: resource.Execution{MaxIterations: c.ceiling}})
		g.Agents[0].Constraints.MaxIterations = c.asked
		if got := policy.TurnLimit(g, "w", "A"); int64(got) != c.want {
			t.Errorf("asked %d under %d: %d turns, want %d", c.asked, c.ceiling, got, c.want)
		}
	}
}

func TestCostIsExact(t *testing.T) {
	t.Parallel()
	sum := "0"
	for range 10 {
		var err error
		if sum, err = policy.AddCost(sum, "0.1"); err != nil {
			t.Fatal(err)
		}
	}
	if sum != "1" {
		t.Errorf("ten times 0.1 is %s", sum)
	}
	b := policy.Budget{MaxCostUSD: "0.04"}
	for spent, want := range map[string]bool{"0.04": false, "0.0400000001": true, "": false} {
		if over, err := b.OverCost(spent); err != nil || over != want {
			t.Errorf("%q over 0.04: %v, %v", spent, over, err)
		}
	}
	if _, err := policy.AddCost("1/3", "0"); err == nil {
		t.Error("a fraction passed as an amount")
	}
}

func TestIdsAreStableAndDistinct(t *testing.T) {
	t.Parallel()
	a := policy.ApprovalID("r", "f", "s", policy.KindGate, "sha256:x", 0)
	if a != policy.ApprovalID("r", "f", "s", policy.KindGate, "sha256:x", 0) || a == policy.ApprovalID("r", "f", "s", policy.KindGate, "sha256:x", 1) {
		t.Error("approval ids do not identify a round")
	}
	if policy.OperationID("r", "f", "s") == policy.OperationID("r", "g", "s") {
		t.Error("operation ids of two executions are one")
	}
}

func TestApproversOfTwoPoliciesIntersect(t *testing.T) {
	t.Parallel()
	g := graph(resource.Tool{Name: "m"}, resource.Policy{Name: "p", Approvals: resource.Approvals{Approvers: []string{"ann", "bob"}}})
	g.Policies = append(g.Policies, resource.Policy{Name: "q", Approvals: resource.Approvals{Approvers: []string{"bob", "cat"}, ForbidSubmitter: true}})
	g.Agents[0].Policy = "q"
	d := policy.DecidersFor(g, "local", policy.Call{Workflow: "w", Agent: "A"})
	if !slices.Equal(d.Names, []string{"bob"}) || !d.ForbidSubmitter {
		t.Errorf("got %+v", d)
	}
}

func TestEmptyGroupAdmitsNobody(t *testing.T) {
	t.Parallel()
	g := graph(resource.Tool{Name: "m"}, resource.Policy{Name: "p", Approvals: resource.Approvals{Approvers: []string{"group:nobody"}}})
	d := policy.DecidersFor(g, "local", policy.Call{Workflow: "w"})
	if d.Names == nil || len(d.Names) != 0 || d.Anybody() {
		t.Errorf("got %+v", d)
	}
}

func TestSilenceDoesNotSpeakForApprovers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		approvals resource.Approvals
		want      string
	}{
		{resource.Approvals{TimeoutSeconds: 1, OnTimeout: "approve"}, "approve"},
		{resource.Approvals{TimeoutSeconds: 1, OnTimeout: "approve", MinApprovals: 2}, ""},
		{resource.Approvals{TimeoutSeconds: 1, OnTimeout: "approve", Approvers: []string{"ann"}}, ""},
		{resource.Approvals{TimeoutSeconds: 1, OnTimeout: "escalate", Approvers: []string{"ann"}}, "escalate"},
	} {
		after, then := policy.Expiry(graph(resource.Tool{Name: "m"}, resource.Policy{Name: "p", Approvals: c.approvals}), policy.Call{Workflow: "w"})
		if after != time.Second || then != c.want {
			t.Errorf("%+v: after %s %q, want %q", c.approvals, after, then, c.want)
		}
	}
}

func TestWorkflowTimeoutIsPartOfTheBudget(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		policy, own int64
		want        time.Duration
	}{{0, 0, 0}, {60, 0, time.Minute}, {0, 30, 30 * time.Second}, {60, 30, 30 * time.Second}, {60, 90, time.Minute}} {
		g := graph(resource.Tool{Name: "m"}, resource.Policy{Name: "p", Execution: resource.Execution{MaxWallClockSeconds: c.policy}})
		g.Workflows[0].TimeoutSeconds = c.own
		if got := policy.BudgetFor(g, "w").MaxActive; got != c.want {
			t.Errorf("policy %d, workflow %d: %s, want %s", c.policy, c.own, got, c.want)
		}
	}
}

func TestSwitchIsNotOffered(t *testing.T) {
	t.Parallel()
	g := graph(resource.Tool{Name: "m"}, resource.Policy{Name: "p", Hitl: resource.Hitl{InterruptOn: map[string]resource.Review{"m": {AllowedDecisions: []string{"approve", "switch"}}}}})
	call := policy.Call{Workflow: "w", Tool: "m", Operation: "send"}
	if r := policy.ReviewFor(g, call); !slices.Equal(r.Allowed, []string{"approve"}) {
		t.Errorf("offered %v", r.Allowed)
	}
	g.Policies[0].Hitl.InterruptOn["m"] = resource.Review{AllowedDecisions: []string{"switch"}}
	if r := policy.ReviewFor(g, call); !slices.Equal(r.Allowed, []string{"reject"}) {
		t.Errorf("with nothing left offered %v", r.Allowed)
	}
	d := policy.Decision{ApprovalID: "apr-1", Revision: "sha256:r", Decision: policy.Switch, Actor: "ann"}
	if r := policy.CheckDecision(gate(), d); r == nil || r.Code != policy.RefusedNotAllowed {
		t.Errorf("got %v", r)
	}
}
