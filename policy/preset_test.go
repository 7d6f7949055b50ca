package policy_test

import (
	"fmt"
	"testing"

	"terfyn/compiler/resource"
	"terfyn/internal/canon"
	"terfyn/policy"
)

// operations are the calls every preset is asked about.
func operations() *resource.Graph {
	no, yes := ptr(false), ptr(true)
	return &resource.Graph{
		Tools: []resource.Tool{
			{Name: "bare", Type: "mock", OperationsDeclared: true, Operations: []resource.Operation{
				{Name: "read", ReadOnly: yes}, {Name: "send", Effects: []string{"mail.send"}}, {Name: "wipe", Effects: []string{"destructive"}},
			}},
			{Name: "calm", Type: "mock", Safety: resource.Safety{SideEffects: no}},
			{Name: "gated", Type: "mock", Safety: resource.Safety{Trusted: yes, RequiresApproval: yes}},
			{Name: "host", Type: "native"},
			{Name: "known", Type: "mock", Safety: resource.Safety{Trusted: yes}},
			{Name: "open", Type: "mock"},
		},
		Workflows: []resource.Workflow{{Name: "w", Policy: "p"}},
	}
}

// tableCalls are the columns of TestPresets.
var tableCalls = []struct{ tool, operation, command string }{
	{"bare", "read", ""}, {"bare", "send", ""}, {"bare", "wipe", ""}, {"calm", "x", ""}, {"known", "x", ""}, {"gated", "x", ""}, {"open", "x", ""},
	{"ghost", "x", ""}, {"bare", "x", ""}, {"host", "command.run", "ls x"}, {"host", "command.run", "rm x"},
}

func TestPresets(t *testing.T) {
	t.Parallel()
	yes, no := ptr(true), ptr(false)
	permits := resource.PolicyEffects{Declared: true, Permit: []string{"mail"}, PermitWithApproval: []string{"destructive"}}
	// Columns: read-only, side effects, destructive, no side effects, trusted,
	// requiresApproval, open and unknown effects; unknown tool, unlisted operation;
	// shell word that reads, shell word that does not. A = runs, ? = asks, - = denied.
	for _, c := range []struct {
		name   string
		policy resource.Policy
		want   string
	}{
		{"no preset", resource.Policy{}, "A??AA?? -- ??"},
		{"strict", resource.Policy{Preset: "strict"}, "----??- -- --"},
		{"strict with permitted effects", resource.Policy{Preset: "strict", Effects: permits}, "-??-??- -- --"},
		{"strict with a listed call", resource.Policy{Preset: "strict", Approvals: resource.Approvals{RequiredFor: []string{"tool.bare.send"}}}, "-?--??- -- --"},
		{"strict that allows unknown tools", resource.Policy{Preset: "strict", ForbidUnknownTools: no}, "??????? -- ??"},
		{"strict without the question", resource.Policy{Preset: "strict", Approvals: resource.Approvals{RequireAllTools: no}}, "----A?- -- --"},
		{"permissive", resource.Policy{Preset: "permissive"}, "AAAAA?A -- AA"},
		{"permissive with a listed call", resource.Policy{Preset: "permissive", Approvals: resource.Approvals{RequiredFor: []string{"tool.bare.send"}}}, "A?AAA?A -- AA"},
		{"permissive with effects", resource.Policy{Preset: "permissive", Effects: permits}, "AA?AA?A -- AA"},
		{"permissive taken back", resource.Policy{Preset: "permissive", Approvals: resource.Approvals{Permissive: no}}, "A??AA?? -- ??"},
		{"shell_safe", resource.Policy{Preset: "shell_safe"}, "A??AA?? -- A?"},
		{"shell_safe that asks for all", resource.Policy{Preset: "shell_safe", Approvals: resource.Approvals{RequireAllTools: yes}}, "??????? -- ??"},
		{"shell_safe that forbids the unknown", resource.Policy{Preset: "shell_safe", ForbidUnknownTools: yes}, "----A?- -- --"},
		{"shell_safe and permissive", resource.Policy{Preset: "shell_safe", Approvals: resource.Approvals{Permissive: yes}}, "AAAAA?A -- A?"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			g := operations()
			c.policy.Name = "p"
			g.Policies = []resource.Policy{c.policy}
			*g = resource.Normalize(*g)
			if got := verdicts(g); got != c.want {
				t.Errorf("decided %q, want %q", got, c.want)
			}
		})
	}
}

// verdicts asks about every call of the table.
func verdicts(g *resource.Graph) string {
	out := ""
	for i, c := range tableCalls {
		if i == 7 || i == 9 {
			out += " "
		}
		call := policy.Call{Workflow: "w", Tool: c.tool, Operation: c.operation}
		if c.command != "" {
			call.Arguments = canon.Object(canon.F("command", canon.String(c.command)))
		}
		out += map[policy.Verdict]string{policy.Allow: "A", policy.RequireApproval: "?", policy.Deny: "-"}[policy.Evaluate(g, call).Verdict]
	}
	return out
}

// A preset can be named without a declaration, and a declared policy of its name
// wins over it.
func TestPresetByName(t *testing.T) {
	t.Parallel()
	g := operations()
	g.Workflows[0].Policy = "permissive"
	if got := verdicts(g); got != "AAAAA?A -- AA" {
		t.Errorf("the preset alone decided %q", got)
	}
	g.Policies = []resource.Policy{{Name: "permissive", Preset: "strict"}}
	if got := verdicts(g); got != "----??- -- --" {
		t.Errorf("the declared policy decided %q", got)
	}
}

// Behaviour 116: a command that reads runs unattended, whether or not its tool is
// trusted; a meta character or another word asks.
func TestBehaviour116ShellSafe(t *testing.T) {
	t.Parallel()
	cases := map[string]policy.Verdict{
		"ls x": policy.Allow, "ls": policy.Allow, "cat a/b.txt": policy.Allow, "ls -la sub": policy.Allow, `echo "two words"`: policy.Allow,
		"ls; rm x": policy.RequireApproval, "frobnicate": policy.RequireApproval, "": policy.RequireApproval, "LS x": policy.RequireApproval, "ｌs x": policy.RequireApproval,
		"cat /etc/passwd": policy.RequireApproval, `cat "/etc/passwd"`: policy.RequireApproval, "cat ../x": policy.RequireApproval, `cat a/"."./x`: policy.RequireApproval,
		"cat ~/x": policy.RequireApproval, `cat \/x`: policy.RequireApproval, "date -f/x": policy.RequireApproval, "wc --files0-from=/x": policy.RequireApproval,
		"/bin/ls": policy.RequireApproval,
	}
	for _, meta := range []string{";", "|", "&", "$", "`", "\n"} {
		cases["ls x"+meta+"y"] = policy.RequireApproval
	}
	for _, trusted := range []*bool{nil, ptr(true)} {
		g := graph(resource.Tool{Name: "m", Type: "native", Safety: resource.Safety{Trusted: trusted}}, resource.Policy{Name: "p", Preset: "shell_safe"})
		for command, want := range cases {
			got := policy.Evaluate(g, policy.Call{Workflow: "w", Tool: "m", Operation: "command.run", Arguments: canon.Object(canon.F("command", canon.String(command)))})
			if got.Verdict != want {
				t.Errorf("%q with trusted %v: %v, want %v", command, trusted != nil, got.Verdict, want)
			}
		}
	}
}

// An agent's own policy without the preset keeps the gate of a command.
func TestShellSafeNeedsEveryPolicy(t *testing.T) {
	t.Parallel()
	g := graph(resource.Tool{Name: "m", Type: "native"}, resource.Policy{Name: "p", Preset: "shell_safe"})
	g.Policies = append(g.Policies, resource.Policy{Name: "q"})
	g.Agents[0].Grants = []string{"tool.m.command.run"}
	call := policy.Call{Workflow: "w", Agent: "A", Tool: "m", Operation: "command.run", Arguments: canon.Object(canon.F("command", canon.String("ls")))}
	for own, want := range map[string]policy.Verdict{"": policy.Allow, "q": policy.RequireApproval, "permissive": policy.Allow} {
		g.Agents[0].Policy = own
		if got := policy.Evaluate(g, call); got.Verdict != want {
			t.Errorf("agent policy %q: %v, want %v", own, got.Verdict, want)
		}
	}
}

func ExampleEvaluate() {
	g := operations()
	answer := policy.Evaluate(g, policy.Call{Tool: "bare", Operation: "send"})
	fmt.Println(answer.Verdict, answer.Rule())
	// Output: require_approval tool bare: an untrusted tool with side effects needs approval
}
