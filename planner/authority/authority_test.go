package authority_test

import (
	"slices"
	"strings"
	"testing"

	"terfyn/compiler/resource"
	"terfyn/planner/authority"
	"terfyn/policy"
)

func flag(b bool) *bool { return &b }

func view(agents []resource.Agent, workflows []resource.Workflow) authority.View {
	g := resource.Normalize(resource.Graph{
		Project: "p", Agents: agents, Workflows: workflows,
		Tools: []resource.Tool{{Name: "t", Type: "mock", OperationsDeclared: true, Operations: []resource.Operation{
			{Name: "a", Effects: []string{"x"}}, {Name: "b", Effects: []string{"x"}}, {Name: "c", Effects: []string{"y"}}, {Name: "dark"},
		}}},
	})
	return authority.ViewOf(g)
}

func agent(grants ...string) []resource.Agent { return []resource.Agent{{Name: "g", Grants: grants}} }

func calls(refs ...resource.Reference) []resource.Workflow {
	return []resource.Workflow{{Name: "w", Calls: refs}}
}

func tool(op string) resource.Reference {
	return resource.Reference{Kind: "tool", Name: "t." + op, Site: op}
}

var callAgent = resource.Reference{Kind: "agent", Name: "g", Site: "ask"}

func TestStates(t *testing.T) {
	t.Parallel()
	const same, wider, narrower = authority.Unchanged, authority.Widened, authority.Narrowed
	for _, test := range []struct {
		name          string
		before, after authority.View
		want          authority.States
	}{
		{"nothing", view(agent("tool.t.a"), nil), view(agent("tool.t.a"), nil), authority.States{Static: same, Autonomous: same}},
		{"grant", view(agent("tool.t.a"), nil), view(agent("tool.t.a", "tool.t.b"), nil), authority.States{Static: same, Autonomous: wider}},
		{"grant taken", view(agent("tool.t.a", "tool.t.b"), nil), view(agent("tool.t.a"), nil), authority.States{Static: same, Autonomous: narrower}},
		{"grant exchanged", view(agent("tool.t.a"), nil), view(agent("tool.t.b"), nil), authority.States{Static: same, Autonomous: wider}},
		{"call", view(nil, calls(tool("a"))), view(nil, calls(tool("a"), tool("b"))), authority.States{Static: wider, Autonomous: same}},
		{"call dropped", view(nil, calls(tool("a"), tool("b"))), view(nil, calls(tool("a"))), authority.States{Static: narrower, Autonomous: same}},
		{"agent called", view(agent("tool.t.a"), calls()), view(agent("tool.t.a"), calls(callAgent)), authority.States{Static: same, Autonomous: wider}},
		{"agent no longer called", view(agent("tool.t.a"), calls(callAgent)), view(agent("tool.t.a"), calls()), authority.States{Static: same, Autonomous: narrower}},
		{"promoted", view(nil, calls(tool("a"))), view(agent("tool.t.a"), calls(tool("a"), callAgent)), authority.States{Static: same, Autonomous: wider}},
		{"demoted", view(agent("tool.t.a"), calls(tool("a"), callAgent)), view(nil, calls(tool("a"))), authority.States{Static: same, Autonomous: narrower}},
		{"delegation to nobody new", view(agent(), nil), view(agent("agent.g"), nil), authority.States{Static: same, Autonomous: wider}},
		{"first apply", authority.View{}, view(agent("tool.t.a"), calls(tool("c"))), authority.States{Static: wider, Autonomous: wider}},
		{"unknown effects", view(agent("tool.t.a"), nil), view(agent("tool.t.a", "tool.t.dark"), nil), authority.States{Static: same, Autonomous: wider}},
	} {
		if got := authority.Compare(test.before, test.after).States; got != test.want {
			t.Errorf("%s: %+v, want %+v", test.name, got, test.want)
		}
	}
}

func TestEffectChanges(t *testing.T) {
	t.Parallel()
	before := view(agent("tool.t.a"), calls(tool("c"), callAgent))
	after := view(agent("tool.t.c", "tool.t.dark"), calls(tool("a"), callAgent))
	var got []string
	for _, c := range authority.Compare(before, after).Effects {
		got = append(got, c.Root+" "+c.Change+" "+c.Label()+" "+c.Reachability)
	}
	want := []string{
		"Agent/g added unknown effects of tool.t.dark autonomous",
		"Agent/g removed x autonomous",
		"Agent/g added y autonomous",
		"Workflow/w added unknown effects of tool.t.dark autonomous",
		"Workflow/w demoted x static",
		"Workflow/w promoted y autonomous",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%q\nwant\n%q", got, want)
	}
}

func TestShownOrdersByGravity(t *testing.T) {
	t.Parallel()
	var got []string
	for _, b := range authority.Shown(view(agent("tool.t.dark"), calls(tool("a"), callAgent)).Bounds) {
		for _, e := range b.Entries {
			got = append(got, b.Root+" "+e.Severity+" "+e.Label())
		}
	}
	want := []string{
		"Agent/g high unknown effects of tool.t.dark", "Agent/g low x", "Agent/g low y",
		"Workflow/w high unknown effects of tool.t.dark", "Workflow/w medium x", "Workflow/w low y",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%q\nwant\n%q", got, want)
	}
}

// An operation inside a nested workflow is also judged by that workflow's policy.
func TestCallsHoldNestedWorkflows(t *testing.T) {
	t.Parallel()
	g := resource.Normalize(resource.Graph{
		Project:  "p",
		Tools:    []resource.Tool{{Name: "t", Type: "mock", Safety: resource.Safety{SideEffects: flag(false)}, OperationsDeclared: true, Operations: []resource.Operation{{Name: "a"}}}},
		Policies: []resource.Policy{{Name: "open"}, {Name: "gated", Approvals: resource.Approvals{RequiredFor: []string{"tool.t.a"}}}},
		Workflows: []resource.Workflow{
			{Name: "outer", Policy: "open", Calls: []resource.Reference{{Kind: "workflow", Name: "inner", Site: "call"}}},
			{Name: "inner", Policy: "gated", Calls: []resource.Reference{{Kind: "tool", Name: "t.a", Site: "do"}}},
		},
	})
	call, ok := authority.ViewOf(g).Calls["outer"].Of("tool.t.a").Lenient()
	if !ok {
		t.Fatal("outer does not reach the operation")
	}
	if got := call.Answer; got.Verdict != policy.RequireApproval || !strings.Contains(got.Rule(), "gated") {
		t.Errorf("%+v", got)
	}
}
