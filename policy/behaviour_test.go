package policy_test

import (
	"slices"
	"testing"

	"terfyn/compiler/resource"
	"terfyn/policy"
)

// verdict asks about one operation of tool m under p.
func verdict(tool resource.Tool, p resource.Policy, operation string) policy.Answer {
	g := resource.Normalize(*graph(tool, p))
	return policy.Evaluate(&g, policy.Call{Workflow: "w", Tool: tool.Name, Operation: operation})
}

// Behaviour 110: without a safety block a call stops for approval, when no policy
// says otherwise. TestBehaviour104And110Gates of internal/e2e runs it.
func TestBehaviour110NoSafetyBlock(t *testing.T) {
	t.Parallel()
	got := verdict(resource.Tool{Name: "m"}, resource.Policy{}, "send")
	if got.Verdict != policy.RequireApproval || got.Reasons[0].Source != policy.FailClosedDefault {
		t.Errorf("%+v", got)
	}
}

// Behaviour 112: a trusted tool runs unattended, unless the exact capability is listed.
func TestBehaviour112Trusted(t *testing.T) {
	t.Parallel()
	tool := resource.Tool{Name: "m", Safety: resource.Safety{Trusted: ptr(true), SideEffects: ptr(true)}}
	listed := resource.Policy{Name: "p", Approvals: resource.Approvals{RequiredFor: []string{"tool.m.send"}}}
	if got := verdict(tool, resource.Policy{}, "send"); got.Verdict != policy.Allow {
		t.Errorf("no rule: %+v", got)
	}
	if got := verdict(tool, listed, "send"); got.Verdict != policy.RequireApproval {
		t.Errorf("listed: %+v", got)
	}
}

// Behaviour 113: the effect destructive counts as a side effect; a value the author
// set wins.
func TestBehaviour113Destructive(t *testing.T) {
	t.Parallel()
	operations := []resource.Operation{{Name: "drop", Effects: []string{"destructive"}}}
	for value, want := range map[*bool]policy.Verdict{nil: policy.RequireApproval, ptr(false): policy.Allow} {
		tool := resource.Tool{Name: "m", OperationsDeclared: true, Operations: operations, Safety: resource.Safety{SideEffects: value, RequiresApproval: ptr(false)}}
		if got := verdict(tool, resource.Policy{}, "drop"); got.Verdict != want {
			t.Errorf("sideEffects %v: %+v", value, got)
		}
	}
}

// Behaviour 114: a workflow and project without any policy get the safe built-in
// rules, and nothing is missing.
func TestBehaviour114NoPolicy(t *testing.T) {
	t.Parallel()
	g := graph(resource.Tool{Name: "m", Safety: resource.Safety{Trusted: ptr(true)}}, resource.Policy{})
	if got := policy.Evaluate(g, policy.Call{Workflow: "w", Tool: "m", Operation: "send"}); got.Verdict != policy.Allow || len(got.Reasons) != 0 {
		t.Errorf("%+v", got)
	}
	if d := policy.DecidersFor(g, "local", policy.Call{Workflow: "w"}); !d.Anybody() {
		t.Errorf("%+v", d)
	}
}

// Behaviour 117: forbidUnknownTools denies what nothing permits.
func TestBehaviour117ForbidUnknownTools(t *testing.T) {
	t.Parallel()
	p := resource.Policy{Name: "p", ForbidUnknownTools: ptr(true)}
	got := verdict(resource.Tool{Name: "m", Safety: resource.Safety{SideEffects: ptr(false)}}, p, "send")
	if got.Verdict != policy.Deny || got.Code() != policy.UnknownTool {
		t.Errorf("%+v", got)
	}
	permitted := p
	permitted.Effects.Permit = []string{"mail"}
	tool := resource.Tool{Name: "m", Safety: resource.Safety{SideEffects: ptr(false)}, Operations: []resource.Operation{{Name: "send", Effects: []string{"mail.send"}}}}
	if got := verdict(tool, permitted, "send"); got.Verdict != policy.Allow {
		t.Errorf("a permitted effect: %+v", got)
	}
}

// Behaviour 118: requiredFor is an exact match.
func TestBehaviour118ExactMatch(t *testing.T) {
	t.Parallel()
	tool := resource.Tool{Name: "git", Safety: resource.Safety{Trusted: ptr(true)}}
	p := resource.Policy{Name: "p", Approvals: resource.Approvals{RequiredFor: []string{"tool.git.push_branch"}}}
	for operation, want := range map[string]policy.Verdict{"push_branch": policy.RequireApproval, "push_branch2": policy.Allow, "push": policy.Allow, "push_branch.x": policy.Allow} {
		if got := verdict(tool, p, operation); got.Verdict != want {
			t.Errorf("%s: %+v", operation, got)
		}
	}
}

// Behaviours 120 and 121: an empty operations block lets nothing through, also after
// it was written and read; a missing one lets any operation through.
func TestBehaviour120And121Manifest(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		declared bool
		want     policy.Verdict
	}{{true, policy.Deny}, {false, policy.Allow}} {
		tool := resource.Tool{Name: "m", OperationsDeclared: c.declared, Safety: resource.Safety{Trusted: ptr(true)}}
		g, err := resource.Decode(resource.Encode(*graph(tool, resource.Policy{})))
		if err != nil {
			t.Fatal(err)
		}
		if got := policy.Evaluate(&g, policy.Call{Workflow: "w", Tool: "m", Operation: "anything"}); got.Verdict != c.want {
			t.Errorf("declared %v: %+v", c.declared, got)
		}
	}
}

// Behaviours 124 and 125: a permitted effect covers those below it by dotted prefix
// and no others; a name in both lists needs approval.
func TestBehaviour124And125Effects(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		permit, withApproval []string
		effect               string
		want                 policy.Verdict
	}{
		{[]string{"github"}, nil, "github.read", policy.Allow},
		{[]string{"github"}, nil, "github", policy.Allow},
		{[]string{"github"}, nil, "githubx.read", policy.Deny},
		{[]string{"github.read"}, nil, "github", policy.Deny},
		{[]string{"github.write"}, []string{"github.write"}, "github.write", policy.RequireApproval},
		{[]string{"github"}, []string{"github.write"}, "github.write", policy.RequireApproval},
		{[]string{"github.write"}, []string{"github"}, "github.write", policy.RequireApproval},
	} {
		tool := resource.Tool{Name: "m", Safety: resource.Safety{Trusted: ptr(true)}, Operations: []resource.Operation{{Name: "x", Effects: []string{c.effect}}}}
		p := resource.Policy{Name: "p", Effects: resource.PolicyEffects{Declared: true, Permit: c.permit, PermitWithApproval: c.withApproval}}
		if got := verdict(tool, p, "x"); got.Verdict != c.want {
			t.Errorf("permit %v, with approval %v, %s: %+v", c.permit, c.withApproval, c.effect, got)
		}
	}
}

// Behaviour 104: interruptOn alone stops nothing; it says how a call that stops is
// shown. TestBehaviour104And110Gates of internal/e2e runs it.
func TestBehaviour104InterruptOnDoesNotGate(t *testing.T) {
	t.Parallel()
	tool := resource.Tool{Name: "m", Safety: resource.Safety{Trusted: ptr(true)}}
	p := resource.Policy{Name: "p", Hitl: resource.Hitl{InterruptOn: map[string]resource.Review{"m": {AllowedDecisions: []string{"approve"}}}}}
	if got := verdict(tool, p, "send"); got.Verdict != policy.Allow {
		t.Errorf("%+v", got)
	}
	p.Approvals.RequiredFor = []string{"tool.m.send"}
	g := graph(tool, p)
	if r := policy.ReviewFor(g, policy.Call{Workflow: "w", Tool: "m", Operation: "send"}); !slices.Equal(r.Allowed, []string{"approve"}) {
		t.Errorf("%+v", r)
	}
}
