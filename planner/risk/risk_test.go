package risk_test

import (
	"slices"
	"strings"
	"testing"

	"terfyn/compiler/resource"
	"terfyn/internal/canon"
	"terfyn/planner/authority"
	"terfyn/planner/risk"
)

func flag(b bool) *bool { return &b }

// base is a project whose every rule can be loosened.
func base() resource.Graph {
	return resource.Graph{
		Project:  "p",
		Defaults: resource.Defaults{Policy: "house"},
		Agents: []resource.Agent{{
			Name: "a", Model: "mock/a", FallbackModels: []string{"mock/b"}, Version: "1", WorkingTree: true,
			Grants: []string{"tool.t.send"}, Policy: "house",
		}},
		Tools: []resource.Tool{{
			Name: "t", Type: "http", HTTP: &resource.HTTP{BaseURL: "https://t.example"}, Exclusive: "desk",
			Safety:             resource.Safety{RequiresApproval: flag(true), SideEffects: flag(true)},
			OperationsDeclared: true,
			Operations: []resource.Operation{
				{Name: "send", Schema: "schemas/S.json", Effects: []string{"mail.send"}, Idempotency: "key", Reconcile: "find"},
				{Name: "find", ReadOnly: flag(true)},
			},
		}},
		Policies: []resource.Policy{
			{
				Name: "house", Preset: "strict", EgressDeclared: true, AllowHosts: []string{"t.example"},
				RequireEvidence: true, RequireDefinitionVersions: true,
				Execution: resource.Execution{MaxTotalCostUSD: "1.50", MaxWallClockSeconds: 60, MaxIterations: 8, RequireStructuredOutput: flag(true)},
				Approvals: resource.Approvals{RequiredFor: []string{"tool.t.send"}, Approvers: []string{"ann"}, MinApprovals: 2, ForbidSubmitter: true, Signed: true},
				Effects:   resource.PolicyEffects{Declared: true, Permit: []string{"mail.read"}, PermitWithApproval: []string{"mail.send"}},
				Hitl:      resource.Hitl{RedactKeys: []string{"token"}},
			},
			{Name: "loose", Preset: "permissive"},
		},
		Workflows:    []resource.Workflow{{Name: "w", Calls: []resource.Reference{{Kind: "agent", Name: "a", Site: "ask"}}}},
		Environments: []resource.Environment{{Name: "prod", Approvers: map[string]string{"ann": "key-1"}, Groups: map[string][]string{"ops": {"ann"}}, Runtime: resource.Runtime{Namespace: "n"}}},
		Providers:    []resource.Provider{{Name: "own", Type: "openai", BaseURL: "https://m.example"}},
	}
}

func assess(before, after resource.Graph, schemas ...string) []risk.Item {
	before, after = resource.Normalize(before), resource.Normalize(after)
	b, a := authority.ViewOf(before), authority.ViewOf(after)
	docs := risk.Schemas{Before: map[string]canon.Digest{}, After: map[string]canon.Digest{}}
	for _, path := range schemas {
		docs.Before[path], docs.After[path] = canon.Sum([]byte("before")), canon.Sum([]byte("after"))
	}
	return risk.Assess(risk.In{
		Environment: "prod", Before: before, After: after, BeforeBounds: b.Bounds, AfterBounds: a.Bounds, Schemas: docs,
		BeforeCalls: b.Calls, AfterCalls: a.Calls, Delta: authority.Compare(b, a),
	})
}

func TestNothingChanged(t *testing.T) {
	t.Parallel()
	if items := assess(base(), base()); len(items) != 0 {
		t.Errorf("%+v", items)
	}
}

// Each loosening gives an item of its category, and undoing it gives none of
// that category, except where both directions matter.
func TestCategories(t *testing.T) {
	t.Parallel()
	house := func(g *resource.Graph) *resource.Policy { return &g.Policies[0] }
	send := func(g *resource.Graph) *resource.Operation { return &g.Tools[0].Operations[0] }
	const policy, tool, agent, env = "Policy/house", "Tool/t", "Agent/a", "Environment/prod"
	for _, test := range []struct {
		name     string
		edit     func(*resource.Graph)
		category risk.Category
		severity risk.Severity
		target   string
		both     bool // the way back is an item as well
	}{
		{"all tools", func(g *resource.Graph) { house(g).Preset = "" }, risk.ApprovalRemoval, risk.High, policy, false},
		{"permissive", func(g *resource.Graph) { house(g).Approvals.Permissive = flag(true) }, risk.ApprovalRemoval, risk.High, policy, false},
		{"safety", func(g *resource.Graph) { g.Tools[0].Safety.RequiresApproval = nil }, risk.ApprovalRemoval, risk.High, tool, false},
		{"timeout", func(g *resource.Graph) { house(g).Approvals.OnTimeout = "approve" }, risk.ApprovalTimeout, risk.High, policy, false},
		{"fewer", func(g *resource.Graph) { house(g).Approvals.MinApprovals = 0 }, risk.ApproverRelaxation, risk.High, policy, false},
		{"submitter", func(g *resource.Graph) { house(g).Approvals.ForbidSubmitter = false }, risk.ApproverRelaxation, risk.High, policy, false},
		{"anybody", func(g *resource.Graph) { house(g).Approvals.Approvers = nil }, risk.ApproverRelaxation, risk.High, policy, false},
		{"approver", func(g *resource.Graph) { house(g).Approvals.Approvers = []string{"ann", "bob"} }, risk.ApproverRelaxation, risk.Medium, policy, false},
		{"key", func(g *resource.Graph) { g.Environments[0].Approvers = map[string]string{"ann": "key-2"} }, risk.ApproverRelaxation, risk.High, env, true},
		{"new approver", func(g *resource.Graph) { g.Environments[0].Approvers["bob"] = "key-3" }, risk.ApproverRelaxation, risk.Medium, env, false},
		{"group", func(g *resource.Graph) { g.Environments[0].Groups = map[string][]string{"ops": {"ann", "bob"}} }, risk.ApproverRelaxation, risk.Medium, env, false},
		{"signature", func(g *resource.Graph) { house(g).Approvals.Signed = false }, risk.SignatureRelaxation, risk.High, policy, false},
		{"evidence", func(g *resource.Graph) { house(g).RequireEvidence = false }, risk.PolicyRelaxation, risk.High, policy, false},
		{"versions", func(g *resource.Graph) { house(g).RequireDefinitionVersions = false }, risk.PolicyRelaxation, risk.Medium, policy, false},
		{"structured", func(g *resource.Graph) { house(g).Execution.RequireStructuredOutput = nil }, risk.PolicyRelaxation, risk.Low, policy, false},
		{"redaction", func(g *resource.Graph) { house(g).Hitl.RedactKeys = nil }, risk.PolicyRelaxation, risk.Medium, policy, false},
		{"working tree", func(g *resource.Graph) { g.Agents[0].WorkingTree = false }, risk.PolicyRelaxation, risk.Medium, agent, false},
		{"cost", func(g *resource.Graph) { house(g).Execution.MaxTotalCostUSD = "1.5000001" }, risk.BudgetRelaxation, risk.High, policy, false},
		{"no cost", func(g *resource.Graph) { house(g).Execution.MaxTotalCostUSD = "" }, risk.BudgetRelaxation, risk.High, policy, false},
		{"time", func(g *resource.Graph) { house(g).Execution.MaxWallClockSeconds = 61 }, risk.BudgetRelaxation, risk.Medium, policy, false},
		{"no time", func(g *resource.Graph) { house(g).Execution.MaxWallClockSeconds = 0 }, risk.BudgetRelaxation, risk.Medium, policy, false},
		{"turns", func(g *resource.Graph) { house(g).Execution.MaxIterations = 0 }, risk.BudgetRelaxation, risk.Medium, policy, false},
		{"no effects", func(g *resource.Graph) { house(g).Effects = resource.PolicyEffects{} }, risk.EffectPermitWidening, risk.High, policy, true},
		{"gate on a part dropped", func(g *resource.Graph) {
			house(g).Effects.PermitWithApproval, house(g).Effects.Permit = nil, []string{"mail"}
		}, risk.EffectPermitWidening, risk.High, policy, false},
		{"no egress", func(g *resource.Graph) { house(g).EgressDeclared, house(g).AllowHosts = false, nil }, risk.EgressWidening, risk.High, policy, false},
		{"host", func(g *resource.Graph) { house(g).AllowHosts = []string{"t.example", "u.example"} }, risk.EgressWidening, risk.High, policy, false},
		{"opened", func(g *resource.Graph) { g.Tools[0].OperationsDeclared, g.Tools[0].Operations = false, nil }, risk.ToolSurfaceChange, risk.High, tool, false},
		{"new operation", func(g *resource.Graph) {
			g.Tools[0].Operations = append(g.Tools[0].Operations, resource.Operation{Name: "bulk"})
		}, risk.ToolSurfaceChange, risk.Medium, tool, false},
		{"trusted", func(g *resource.Graph) { g.Tools[0].Safety.Trusted = flag(true) }, risk.ToolSurfaceChange, risk.High, tool, false},
		{"no side effects", func(g *resource.Graph) { g.Tools[0].Safety.SideEffects = flag(false) }, risk.ToolSurfaceChange, risk.High, tool, false},
		{"read only", func(g *resource.Graph) { send(g).ReadOnly = flag(true) }, risk.ToolSurfaceChange, risk.High, tool, false},
		{"lease", func(g *resource.Graph) { g.Tools[0].Exclusive = "" }, risk.ToolSurfaceChange, risk.Medium, tool, false},
		{"no schema", func(g *resource.Graph) { send(g).Schema = "" }, risk.ToolSurfaceChange, risk.High, tool, false},
		{"other schema", func(g *resource.Graph) { send(g).Schema = "schemas/T.json" }, risk.ToolSurfaceChange, risk.Medium, tool, true},
		{"effect dropped", func(g *resource.Graph) { send(g).Effects = nil }, risk.ToolSurfaceChange, risk.Medium, tool, false},
		{"address", func(g *resource.Graph) { g.Tools[0].HTTP = &resource.HTTP{BaseURL: "https://u.example"} }, risk.ToolTransportChange, risk.High, tool, true},
		{"headers", func(g *resource.Graph) { g.Tools[0].HTTP.Headers = []resource.Header{{Name: "X", Value: "env:X"}} }, risk.ToolTransportChange, risk.Medium, tool, true},
		{"remote name", func(g *resource.Graph) { send(g).RemoteName = "bulk" }, risk.ToolTransportChange, risk.High, tool, true},
		{"workspace", func(g *resource.Graph) { g.Tools[0].Workspace = &resource.Workspace{Root: "x"} }, risk.ToolTransportChange, risk.Medium, tool, true},
		{"no key", func(g *resource.Graph) { send(g).Idempotency = "" }, risk.IdempotencyWeakened, risk.Medium, tool, false},
		{"safe", func(g *resource.Graph) { send(g).Idempotency = "safe" }, risk.IdempotencyWeakened, risk.High, tool, false},
		{"reconcile", func(g *resource.Graph) { send(g).Reconcile = "" }, risk.IdempotencyWeakened, risk.Medium, tool, false},
		{"model", func(g *resource.Graph) { g.Agents[0].Model, g.Agents[0].Version = "mock/c", "2" }, risk.ModelChange, risk.Medium, agent, true},
		{"fallback", func(g *resource.Graph) { g.Agents[0].FallbackModels, g.Agents[0].Version = nil, "2" }, risk.ModelChange, risk.Medium, agent, true},
		{"provider", func(g *resource.Graph) { g.Providers[0].BaseURL = "https://n.example" }, risk.ModelChange, risk.Medium, "ModelProvider/own", true},
		{"unversioned", func(g *resource.Graph) { g.Agents[0].Instructions = "New." }, risk.DefinitionUnversioned, risk.Medium, agent, true},
		{"runtime", func(g *resource.Graph) { g.Environments[0].Runtime.Namespace = "m" }, risk.RuntimeTargetChange, risk.Medium, env, true},
		{"schedule", func(g *resource.Graph) {
			g.Workflows[0].Triggers = []resource.Trigger{{Kind: "schedule", Cron: "0 6 * * *"}}
		}, risk.TriggerAdded, risk.Medium, "Workflow/w", false},
		{"event", func(g *resource.Graph) { g.Workflows[0].Triggers = []resource.Trigger{{Kind: "event", Event: "in"}} }, risk.TriggerAdded, risk.Medium, "Workflow/w", false},
		{"workflow policy", func(g *resource.Graph) { g.Workflows[0].Policy = "loose" }, risk.ApprovalRemoval, risk.High, "Workflow/w", false},
		{"agent policy", func(g *resource.Graph) { g.Agents[0].Policy, g.Agents[0].Version = "loose", "2" }, risk.ApprovalRemoval, risk.High, agent, false},
	} {
		after := base()
		test.edit(&after)
		if !has(assess(base(), after), test.category, test.severity, test.target) {
			t.Errorf("%s: no %s %s of %s in %+v", test.name, test.severity, test.category, test.target, assess(base(), after))
		}
		if back := has(assess(after, base()), test.category, test.severity, test.target); back != test.both {
			t.Errorf("%s: the way back is reported: %v", test.name, back)
		}
	}
}

func has(items []risk.Item, c risk.Category, s risk.Severity, target string) bool {
	return slices.ContainsFunc(items, func(i risk.Item) bool { return i.Category == c && i.Severity == s && i.Target == target })
}

// A timeout that approves is in every plan that contains it, changed or not.
func TestApprovalByTimeoutIsAlwaysShown(t *testing.T) {
	t.Parallel()
	g := base()
	g.Policies[1].Approvals.OnTimeout = "approve"
	if !has(assess(g, g), risk.ApprovalTimeout, risk.High, "Policy/loose") {
		t.Error("it is not shown when nothing changed")
	}
}

func TestChangedSchemaOfAnOperation(t *testing.T) {
	t.Parallel()
	if !has(assess(base(), base(), "schemas/S.json"), risk.ToolSurfaceChange, risk.Medium, "Tool/t") {
		t.Error("a changed schema is not shown")
	}
	if items := assess(base(), base(), "schemas/Other.json"); len(items) != 0 {
		t.Errorf("%+v", items)
	}
}

// A gate can fall by fields of the tool alone; the policy itself is asked.
func TestGateThatFallsIsShownWithItsPath(t *testing.T) {
	t.Parallel()
	safe := func(sideEffects bool) resource.Graph {
		g := base()
		g.Policies, g.Defaults, g.Agents[0].Policy = nil, resource.Defaults{}, ""
		g.Tools[0].Safety = resource.Safety{SideEffects: flag(sideEffects)}
		return g
	}
	items := assess(safe(true), safe(false))
	i := slices.IndexFunc(items, func(i risk.Item) bool { return i.Category == risk.ApprovalRemoval })
	if i < 0 || items[i].Target != "Workflow/w" || !strings.Contains(items[i].Reason, "tool.t.send no longer stops") {
		t.Fatalf("%+v", items)
	}
	if n := len(items[i].Witness); n == 0 || items[i].Witness[n-1].Name != "tool.t.send" {
		t.Errorf("witness %+v", items[i].Witness)
	}
}

func TestReasonsHoldNoSecret(t *testing.T) {
	t.Parallel()
	after := base()
	after.Tools[0].HTTP = &resource.HTTP{BaseURL: "https://me:hunter2@t.example", Headers: []resource.Header{{Name: "X", Value: "hunter2"}}}
	for _, i := range assess(base(), after) {
		if strings.Contains(i.Reason, "hunter2") {
			t.Error(i.Reason)
		}
	}
}

func TestTransportsAreCompared(t *testing.T) {
	t.Parallel()
	with := func(tool resource.Tool) resource.Graph {
		tool.Name = "t"
		return resource.Graph{Project: "p", Tools: []resource.Tool{tool}}
	}
	mcp := func(args ...string) resource.Tool {
		return resource.Tool{Type: "mcp", MCP: &resource.MCP{Transport: "stdio", Command: "serve", Args: args}}
	}
	temporal := func(queue string) resource.Tool {
		return resource.Tool{Type: "temporal", Temporal: &resource.Temporal{TaskQueue: queue, Kind: "activity"}}
	}
	for _, test := range []struct {
		before, after resource.Tool
		want          string
	}{
		{mcp("--token", "one"), mcp("--token", "two"), "mcp stdio serve --token [REDACTED] instead of mcp stdio serve --token [REDACTED]"},
		{temporal("a"), temporal("b"), "temporal activity task queue b instead of temporal activity task queue a"},
		{mcp(), temporal("a"), "temporal activity task queue a instead of mcp stdio serve"},
	} {
		items := assess(with(test.before), with(test.after))
		if len(items) != 1 || items[0].Category != risk.ToolTransportChange || !strings.Contains(items[0].Reason, test.want) {
			t.Errorf("%+v, want %s", items, test.want)
		}
	}
}

func TestSort(t *testing.T) {
	t.Parallel()
	items := []risk.Item{
		{Category: "b", Severity: risk.Low}, {Category: "b", Severity: risk.High, Target: "y"}, {Category: "a", Severity: risk.Medium},
		{Category: "b", Severity: risk.High, Target: "x", Reason: "2"}, {Category: "b", Severity: risk.High, Target: "x", Reason: "1"}, {Category: "a", Severity: risk.High},
	}
	risk.Sort(items)
	var got []string
	for _, i := range items {
		got = append(got, string(i.Severity)+string(i.Category)+i.Target+i.Reason)
	}
	if want := []string{"higha", "highbx1", "highbx2", "highby", "mediuma", "lowb"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
