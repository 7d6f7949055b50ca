package resource

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestEffectRule(t *testing.T) {
	t.Parallel()
	p := Policy{Effects: PolicyEffects{Permit: []string{"github", "deploy.prod"}, PermitWithApproval: []string{"github.write", "deploy"}}}
	cases := map[string]EffectRule{
		"github": EffectPermitted, "github.read": EffectPermitted, "githubx": EffectForbidden, "githubx.read": EffectForbidden,
		"github.write": EffectNeedsApproval, "github.write.branch": EffectNeedsApproval, "deploy.prod": EffectNeedsApproval, "git": EffectForbidden,
	}
	for effect, want := range cases {
		if got := p.EffectRule(effect); got != want {
			t.Errorf("%s: %d, want %d", effect, got, want)
		}
	}
	if got := (Policy{}).EffectRule("x"); got != EffectForbidden {
		t.Errorf("a policy without lists: %d", got)
	}
}

func TestResolvePolicy(t *testing.T) {
	t.Parallel()
	g := sample()
	g.Policies = append(g.Policies, Policy{Name: "odd", Preset: "loose"}, Policy{Name: "permissive"})
	house, ok := g.ResolvePolicy("house")
	if !ok || *house.Approvals.RequireAllTools || !*house.ForbidUnknownTools {
		t.Errorf("local fields do not layer over strict: %+v", house)
	}
	if p, ok := g.ResolvePolicy("strict"); !ok || !*p.Approvals.RequireAllTools || !*p.ForbidUnknownTools {
		t.Errorf("strict: %+v", p)
	}
	if p, ok := g.ResolvePolicy("shell_safe"); !ok || p.Preset != string(ShellSafe) || p.Approvals.RequireAllTools != nil {
		t.Errorf("shell_safe: %+v", p)
	}
	if p, ok := (Graph{}).ResolvePolicy("permissive"); !ok || !*p.Approvals.Permissive {
		t.Errorf("permissive: %+v", p)
	}
	if p, _ := g.ResolvePolicy("permissive"); p.Approvals.Permissive != nil {
		t.Error("the preset won over a declared policy of its name")
	}
	for _, name := range []string{"odd", "none", ""} {
		if _, ok := g.ResolvePolicy(name); ok {
			t.Errorf("%q resolves", name)
		}
	}
}

func TestGoverningPolicy(t *testing.T) {
	t.Parallel()
	withDefault := Graph{Policies: []Policy{{Name: "default"}}}
	cases := []struct {
		g        Graph
		policy   string
		want     string
		safe, ok bool
	}{
		{Graph{}, "", "", true, true},
		{withDefault, "", "default", false, true},
		{sample(), "", "house", false, true},
		{sample(), "nothing", "nothing", false, true},
		{Graph{}, "strict", "strict", false, true},
		{Graph{}, "none", "", false, false},
		{Graph{Defaults: Defaults{Policy: "none"}}, "", "", false, false},
	}
	for i, c := range cases {
		p, safe, ok := c.g.GoverningPolicy(Workflow{Name: "w", Policy: c.policy})
		if p.Name != c.want || safe != c.safe || ok != c.ok {
			t.Errorf("case %d: %q safe=%v ok=%v", i, p.Name, safe, ok)
		}
	}
}

func TestShownNames(t *testing.T) {
	t.Parallel()
	a := Agent{Name: "A", Grants: []string{"tool.checkout.read_file", "tool.checkout.edit", "tool.tracker.issue.read", "agent.B", "workflow.my-w"}}
	got, err := ShownNames(a)
	want := []Shown{
		{"agent_B", "agent.B"}, {"checkout_edit", "tool.checkout.edit"}, {"checkout_read_file", "tool.checkout.read_file"},
		{"tracker", "tool.tracker.issue.read"}, {"workflow_my-w", "workflow.my-w"},
	}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	long := Agent{Grants: []string{"tool." + strings.Repeat("x", 200) + ".o"}}
	if n := ShownName(long, long.Grants[0]); len(n) != 128 {
		t.Errorf("%d characters", len(n))
	}
}

func TestShownNamesClash(t *testing.T) {
	t.Parallel()
	for _, a := range []Agent{
		{Grants: []string{"tool.a.b_c", "tool.a.b.c"}},
		{Grants: []string{"tool.a_b.c", "tool.a.b", "tool.a.d"}},
		{Grants: []string{"tool.escalate.x"}, MayEscalate: true},
	} {
		if _, err := ShownNames(a); err == nil || !strings.Contains(err.Error(), "shown to the model as") {
			t.Errorf("%v: %v", a.Grants, err)
		}
	}
	if _, err := ShownNames(Agent{Grants: []string{"tool.escalate.x"}}); err != nil {
		t.Errorf("escalate without mayEscalate: %v", err)
	}
}

func TestShellOperation(t *testing.T) {
	t.Parallel()
	if !ShellOperation(Tool{Type: "native"}, "command.run") || ShellOperation(Tool{Type: "mcp"}, "command.run") || ShellOperation(Tool{Type: "native"}, "read_file") {
		t.Error("ShellOperation")
	}
}
