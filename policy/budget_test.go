package policy_test

import (
	"slices"
	"strings"
	"testing"

	"terfyn/compiler/resource"
	"terfyn/internal/canon"
	"terfyn/policy"
)

// twoPolicies is a workflow under p and an agent under q.
func twoPolicies(p, q resource.Policy) *resource.Graph {
	p.Name, q.Name = "p", "q"
	g := graph(resource.Tool{Name: "m"}, p)
	g.Policies = append(g.Policies, q)
	g.Agents[0].Policy = "q"
	return g
}

var byAgent = policy.Call{Workflow: "w", Agent: "A", Tool: "m", Operation: "send"}

func TestEveryPolicyMustPauseInLoops(t *testing.T) {
	t.Parallel()
	pause := resource.Policy{Approvals: resource.Approvals{InLoop: "pause"}}
	for _, c := range []struct {
		p, q resource.Policy
		want bool
	}{{pause, pause, true}, {pause, resource.Policy{}, false}, {resource.Policy{}, pause, false}} {
		if got := policy.PausesInLoop(twoPolicies(c.p, c.q), byAgent); got != c.want {
			t.Errorf("%q and %q: %v", c.p.Approvals.InLoop, c.q.Approvals.InLoop, got)
		}
	}
	if policy.PausesInLoop(graph(resource.Tool{Name: "m"}, resource.Policy{}), byAgent) {
		t.Error("no policy pauses")
	}
	missing := twoPolicies(pause, pause)
	missing.Workflows[0].Policy = "gone"
	if policy.PausesInLoop(missing, byAgent) {
		t.Error("a policy that does not exist pauses")
	}
}

func TestRequiresStructure(t *testing.T) {
	t.Parallel()
	g := graph(resource.Tool{Name: "m"}, resource.Policy{Name: "p", Execution: resource.Execution{RequireStructuredOutput: ptr(true)}})
	if !policy.RequiresStructure(g, "w") || policy.RequiresStructure(g, "other") {
		t.Error("requireStructuredOutput holds for the workflows of its policy")
	}
}

func TestShorterExpiryWins(t *testing.T) {
	t.Parallel()
	g := twoPolicies(resource.Policy{Approvals: resource.Approvals{TimeoutSeconds: 9, OnTimeout: "reject"}},
		resource.Policy{Approvals: resource.Approvals{TimeoutSeconds: 5, OnTimeout: "escalate"}})
	if after, then := policy.Expiry(g, byAgent); after.Seconds() != 5 || then != "escalate" {
		t.Errorf("%s %s", after, then)
	}
	if after, _ := policy.Expiry(twoPolicies(resource.Policy{}, resource.Policy{}), byAgent); after != 0 {
		t.Errorf("%s without a timeout", after)
	}
}

func TestAmountsThatAreNone(t *testing.T) {
	t.Parallel()
	if _, err := policy.AddCost("0", "x"); err == nil {
		t.Error("x is added")
	}
	for budget, spent := range map[string]string{"x": "1", "1": "x"} {
		if _, err := (policy.Budget{MaxCostUSD: budget}).OverCost(spent); err == nil {
			t.Errorf("%s over %s is decided", spent, budget)
		}
	}
	if over, err := (policy.Budget{}).OverCost("999"); over || err != nil {
		t.Errorf("no budget: %v, %v", over, err)
	}
	g := graph(resource.Tool{Name: "m"}, resource.Policy{Name: "p", Execution: resource.Execution{MaxTotalCostUSD: "0"}})
	if b := policy.BudgetFor(g, "w"); b.MaxCostUSD != "" {
		t.Errorf("0 is unbounded, got %q", b.MaxCostUSD)
	}
}

func TestVerdictsCombine(t *testing.T) {
	t.Parallel()
	ask := policy.Answer{Verdict: policy.RequireApproval, Reasons: []policy.Reason{{Verdict: policy.RequireApproval, Code: policy.ApprovalRequired, Rule: "asks"}}}
	allow := policy.Answer{Verdict: policy.Allow}
	deny := policy.Answer{Verdict: policy.Deny, Reasons: []policy.Reason{{Verdict: policy.Deny, Code: policy.NotGranted, Rule: "denies"}}}
	for _, c := range []struct {
		a, b policy.Answer
		rule string
		code policy.Code
	}{{allow, ask, "asks", policy.ApprovalRequired}, {ask, deny, "denies", policy.NotGranted}, {allow, allow, "", policy.Permitted}} {
		for _, got := range []policy.Answer{policy.Stricter(c.a, c.b), policy.Stricter(c.b, c.a)} {
			if got.Rule() != c.rule || got.Code() != c.code || len(got.Reasons) != len(c.a.Reasons)+len(c.b.Reasons) {
				t.Errorf("%+v", got)
			}
		}
	}
	words := []string{policy.Allow.String(), policy.RequireApproval.String(), policy.Deny.String(), policy.Verdict(0).String()}
	if !slices.Equal(words, []string{"allow", "require_approval", "deny", "invalid"}) {
		t.Errorf("%v", words)
	}
}

func TestPolicyDigestFollowsTheRules(t *testing.T) {
	t.Parallel()
	g := twoPolicies(resource.Policy{}, resource.Policy{})
	before := policy.PolicyDigest(g, byAgent)
	if policy.PolicyDigest(g, byAgent) != before {
		t.Error("the digest is not stable")
	}
	g.Policies[1].Approvals.RequiredFor = []string{"tool.m.send"}
	if policy.PolicyDigest(g, byAgent) == before {
		t.Error("the agent's policy is no part of the digest")
	}
	if policy.PolicyDigest(g, policy.Call{Workflow: "w"}) == policy.PolicyDigest(g, byAgent) {
		t.Error("a call of the workflow has the agent's rules")
	}
}

func TestZeroDecision(t *testing.T) {
	t.Parallel()
	if !(policy.Decision{Actor: "ann"}).IsZero() || (policy.Decision{ApprovalID: "x"}).IsZero() {
		t.Error("a decision is empty when it answers nothing")
	}
	r := policy.CheckDecision(gate(), policy.Decision{ApprovalID: "a\x00b"})
	if r == nil || r.Code != policy.RefusedMalformed || !strings.HasPrefix(r.Error(), "malformed_decision: ") {
		t.Errorf("%v", r)
	}
}

// The arguments that were not edited stay as they were.
func TestApplyEdit(t *testing.T) {
	t.Parallel()
	args := canon.Object(canon.F("body", canon.String("old")), canon.F("to", canon.String("ann")))
	if got := policy.ApplyEdit(args, canon.Object(canon.F("body", canon.String("new")))); got.JSON() != `{"body":"new","to":"ann"}` {
		t.Errorf("%s", got.JSON())
	}
}

// Behaviour 103: allowed edits of two policies intersect. Two lists with nothing in
// common leave nothing to edit, although an empty list leaves everything.
func TestBehaviour103AllowedEditsIntersect(t *testing.T) {
	t.Parallel()
	review := func(allowed ...string) resource.Policy {
		return resource.Policy{Hitl: resource.Hitl{DescriptionPrefix: "Look:", InterruptOn: map[string]resource.Review{
			"m": {AllowedEditArgs: allowed, AllowedDecisions: []string{"approve", "edit"}, Description: "of ${uses}"},
		}}}
	}
	call := byAgent
	call.Arguments = canon.Object(canon.F("a", canon.Int(1)), canon.F("b", canon.Int(2)))
	for _, c := range []struct {
		p, q resource.Policy
		open string
	}{
		{review(), review(), "ab"}, {review("a"), review(), "a"}, {review(), review("b"), "b"},
		{review("a", "b"), review("b"), "b"}, {review("a"), review("b"), ""},
	} {
		g := twoPolicies(c.p, c.q)
		r := policy.ReviewFor(g, call)
		open := ""
		for _, name := range []string{"a", "b"} {
			if r.Edits.Open(name) {
				open += name
			}
		}
		if open != c.open || r.Description != "Look: of tool.m.send of tool.m.send" {
			t.Errorf("open are %q, want %q; %q", open, c.open, r.Description)
		}
		d := policy.Decision{ApprovalID: "x", Revision: "r", Actor: "ann", Decision: policy.Edit, Edit: canon.Object(canon.F("a", canon.Int(3)))}
		refused := policy.CheckDecision(policy.Gate{ID: "x", Revision: "r", Allowed: r.Allowed, Edits: r.Edits}, d)
		if (refused == nil) != strings.Contains(c.open, "a") {
			t.Errorf("an edit of a where %q is open: %v", c.open, refused)
		}
	}
}

// An edit at a statement that answers nothing is refused.
func TestNullIsNoAnswer(t *testing.T) {
	t.Parallel()
	g := gate()
	g.Kind = policy.KindStatement
	for value, ok := range map[string]bool{"null": false, "false": true, "0": true, `""`: true} {
		v, err := canon.Parse([]byte(value))
		if err != nil {
			t.Fatal(err)
		}
		d := policy.Decision{ApprovalID: "apr-1", Revision: "sha256:r", Decision: policy.Edit, Actor: "ann", Edit: canon.Object(canon.F("body", v))}
		if r := policy.CheckDecision(g, d); (r == nil) != ok {
			t.Errorf("%s: %v", value, r)
		}
	}
}
