package resource

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

func flag(b bool) *bool { return &b }

// sample is a graph that uses every kind and every presence bit.
func sample() Graph {
	return Graph{
		Project:  "demo",
		Defaults: Defaults{Policy: "house", Model: "mock/gpt-4", Runtime: "local"},
		Limits:   Limits{MaxToolInputBytes: 65536, CheckpointExceedPolicy: Fail},
		Agents: []Agent{
			{Name: "Fixer", Model: "lab/small-1", Instructions: "fix <it> & go", Constraints: Constraints{Temperature: "0", RequireStructuredOutput: flag(false)},
				Grants: []string{"tool.checkout.read_file", "tool.checkout.edit", "agent.Idle"}, FallbackModels: []string{"mock/b", "mock/a"}},
			{Name: "Idle", GrantsPresent: true},
			{Name: "Bare", Policy: "strict"},
		},
		Tools: []Tool{
			{Name: "tracker", Type: "mcp", MCP: &MCP{Transport: "stdio", Command: "tracker", Args: []string{"--z", "--a"}},
				Operations: []Operation{
					{Name: "issue.read", Effects: []string{"tracker.read"}, ReadOnly: flag(true), Schema: "schemas/Ref.json"},
					{Name: "issue.close", Effects: []string{"tracker.write", "destructive"}, Reconcile: "issue.read", Idempotency: "key"},
				}},
			{Name: "checkout", Type: "native", Safety: Safety{Trusted: flag(true), SideEffects: flag(false)}, Workspace: &Workspace{Root: "sandbox"},
				Operations: []Operation{{Name: "edit", Effects: []string{"destructive"}}, {Name: "read_file"}}},
			{Name: "sealed", Type: "mock", OperationsDeclared: true},
			{Name: "open", Type: "http", HTTP: &HTTP{BaseURL: "https://api.example", Headers: []Header{{"X-B", "env:B"}, {"X-A", "env:A"}}}},
		},
		Policies: []Policy{
			{Name: "house", Preset: "strict", Execution: Execution{MaxTotalCostUSD: "2.5"},
				Approvals: Approvals{RequiredFor: []string{"tool.tracker.issue.close", "tool.checkout.edit"}, RequireAllTools: flag(false), Approvers: []string{"group:ops", "ada"}},
				Effects:   PolicyEffects{Permit: []string{"workspace", "tracker.read"}, PermitWithApproval: []string{"destructive"}},
				Hitl:      Hitl{InterruptOn: map[string]Review{"tracker": {AllowedEditTools: []string{"issue.read"}}}, ToolSwitchMap: map[string][]string{"tracker": {"issue.read", "issue.close"}}}},
			{Name: "nothing", Effects: PolicyEffects{Declared: true}, EgressDeclared: true},
		},
		Workflows: []Workflow{
			{Name: "fix", Params: []Param{{Name: "z", Schema: "schemas/Ref.json"}, {Name: "a"}}, Effects: []string{"tracker.write", "destructive"}, ProgramDigest: "sha256:00",
				Steps:    []Step{{ID: "join", Kind: "tool", Uses: "tool.tracker.issue.close", Needs: []string{"b", "a"}}, {ID: "b", Kind: "agent", Uses: "Fixer", Needs: []string{}}, {ID: "a", Kind: "agent", Uses: "Idle", Needs: []string{}}},
				Calls:    []Reference{{"tool", "tracker.issue.close", "join"}, {"agent", "Fixer", "b"}, {"agent", "Idle", "a"}},
				Triggers: []Trigger{{Kind: "schedule", Cron: "0 4 * * *"}, {Kind: "event", Event: "push"}}},
			{Name: "quiet", EffectsBound: true, Policy: "nothing"},
		},
		Environments: []Environment{
			{Name: "prod", Agents: map[string]AgentOverride{"Fixer": {Model: "lab/big-1", Constraints: Constraints{TimeoutSeconds: 240}}},
				Policies:  map[string]Policy{"house": {Execution: Execution{MaxTotalCostUSD: "1"}, Approvals: Approvals{RequiredFor: []string{"tool.open.get", "tool.checkout.edit"}}}},
				Tools:     map[string]ToolOverride{"open": {HTTP: &HTTP{BaseURL: "https://prod.example", Headers: []Header{{"x-a", "env:PROD_A"}}}}},
				Approvers: map[string]string{"ada": "key"}, Groups: map[string][]string{"ops": {"bo", "ada"}}, Runtime: Runtime{Namespace: "prod"}},
			{Name: "dev"},
		},
		Providers: []Provider{{Name: "lab", Type: "openai", BaseURL: "https://models.example/v1", APIKeyFrom: "env:LAB_KEY"}},
	}
}

// shuffled is g with everything reordered whose order is no identity.
func shuffled(g Graph, r *rand.Rand) Graph {
	g = Normalize(g) // a copy to shuffle in
	shuffle(g.Agents, r)
	shuffle(g.Tools, r)
	shuffle(g.Policies, r)
	shuffle(g.Workflows, r)
	shuffle(g.Environments, r)
	shuffle(g.Providers, r)
	for i := range g.Agents {
		shuffle(g.Agents[i].Grants, r)
	}
	for i := range g.Tools {
		shuffle(g.Tools[i].Operations, r)
		for j := range g.Tools[i].Operations {
			shuffle(g.Tools[i].Operations[j].Effects, r)
		}
		if h := g.Tools[i].HTTP; h != nil {
			shuffle(h.Headers, r)
		}
	}
	for i := range g.Policies {
		shuffle(g.Policies[i].Approvals.RequiredFor, r)
		shuffle(g.Policies[i].Approvals.Approvers, r)
		shuffle(g.Policies[i].Effects.Permit, r)
	}
	for i := range g.Workflows {
		shuffle(g.Workflows[i].Steps, r)
		shuffle(g.Workflows[i].Calls, r)
		shuffle(g.Workflows[i].Triggers, r)
		shuffle(g.Workflows[i].Effects, r)
	}
	return g
}

func shuffle[T any](s []T, r *rand.Rand) {
	r.Shuffle(len(s), func(i, j int) { s[i], s[j] = s[j], s[i] })
}

// randomGraph is a graph with random presence bits, sets and names.
func randomGraph(r *rand.Rand) Graph {
	maybe := func() bool { return r.IntN(2) == 0 }
	flagOrNil := func() *bool {
		if maybe() {
			return nil
		}
		return flag(maybe())
	}
	names := func(prefix string) []string {
		var out []string
		for range r.IntN(4) {
			out = append(out, fmt.Sprintf("%s%d", prefix, r.IntN(5)))
		}
		return out
	}
	g := Graph{Project: "p", Defaults: Defaults{Model: "mock/m"}}
	for i := range r.IntN(4) {
		g.Agents = append(g.Agents, Agent{Name: fmt.Sprintf("A%d", i), Grants: names("tool.t.o"), GrantsPresent: maybe(), MayEscalate: maybe(), Constraints: Constraints{RequireStructuredOutput: flagOrNil()}})
		t := Tool{Name: fmt.Sprintf("t%d", i), Type: "mock", OperationsDeclared: maybe(), Safety: Safety{SideEffects: flagOrNil(), Trusted: flagOrNil()}}
		for _, o := range slices.Compact(slices.Sorted(slices.Values(names("o")))) {
			t.Operations = append(t.Operations, Operation{Name: o, Effects: names("e.x"), ReadOnly: flagOrNil()})
		}
		g.Tools = append(g.Tools, t)
		g.Workflows = append(g.Workflows, Workflow{Name: fmt.Sprintf("w%d", i), EffectsBound: maybe(), Effects: names("e"), Steps: []Step{{ID: "s", Kind: "tool", Needs: names("n")}, {ID: "r", Kind: "tool", Needs: []string{}}}})
		g.Policies = append(g.Policies, Policy{Name: fmt.Sprintf("p%d", i), ForbidUnknownTools: flagOrNil(), Effects: PolicyEffects{Declared: maybe(), Permit: names("e")}, EgressDeclared: maybe()})
		g.Environments = append(g.Environments, Environment{Name: fmt.Sprintf("e%d", i), Groups: map[string][]string{"g": names("u")}})
	}
	return g
}
