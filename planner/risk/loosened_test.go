package risk_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"terfyn/compiler/effects"
	"terfyn/compiler/resource"
	"terfyn/planner/authority"
	"terfyn/planner/loops"
	"terfyn/planner/risk"
)

// wide is base with everything that can be given up or opened in a review.
func wide() resource.Graph {
	g := base()
	g.Project = "p"
	g.Limits = resource.Limits{MaxLoopIterations: 100, MaxWorkflowNesting: 4, ToolInputExceedPolicy: resource.Fail, ToolOutputExceedPolicy: resource.Fail}
	g.Agents[0].MayEscalate = true
	g.Agents[0].Input, g.Agents[0].Output = "schemas/In.json", "schemas/Out.json"
	g.Agents[0].Constraints = resource.Constraints{MaxIterations: 4, MaxTokens: 100, TimeoutSeconds: 30, RequireStructuredOutput: flag(true)}
	g.Agents = append(g.Agents, resource.Agent{Name: "b"})
	send := &g.Tools[0].Operations[0]
	send.OutputSchema, send.Delivered = "schemas/R.json", "mail.delivered"
	g.Tools[0].Retry.MaxAttempts = 2
	g.Policies[0].Hitl = resource.Hitl{
		RedactKeys:    []string{"token"},
		ToolSwitchMap: map[string][]string{"tool.t.send": {"tool.t.find"}},
		InterruptOn: map[string]resource.Review{"t": {
			AllowedDecisions: []string{"approve", "edit"}, AllowedEditArgs: []string{"to"}, DeniedEditPaths: []string{"from.name"},
			AllowedEditTools: []string{"tool.t.find"}, RedactKeys: []string{"body"}, SwitchMap: map[string][]string{"send": {"find"}},
		}},
	}
	w := &g.Workflows[0]
	w.Result, w.Params, w.WorkingTree, w.TimeoutSeconds = "schemas/W.json", []resource.Param{{Name: "q", Schema: "schemas/Q.json"}}, true, 60
	w.EffectsBound, w.Effects = true, []string{"mail.send"}
	w.Triggers = []resource.Trigger{{Kind: "schedule", Cron: "0 6 * * *", Overlap: "skip"}, {Kind: "event", Event: "in", Dedupe: "id"}}
	return g
}

// What is given up is an item; taking it up again is none of the same kind.
func TestLoosened(t *testing.T) {
	t.Parallel()
	review := func(g *resource.Graph, edit func(*resource.Review)) {
		r := g.Policies[0].Hitl.InterruptOn["t"]
		edit(&r)
		g.Policies[0].Hitl.InterruptOn = map[string]resource.Review{"t": r}
	}
	const policy, tool, agent, workflow = "Policy/house", "Tool/t", "Agent/a", "Workflow/w"
	for _, test := range []struct {
		edit     func(*resource.Graph)
		category risk.Category
		severity risk.Severity
		target   string
		reason   string
	}{
		{func(g *resource.Graph) { g.Agents[0].MayEscalate = false }, risk.PolicyRelaxation, risk.Medium, agent, "can no longer escalate"},
		{func(g *resource.Graph) { g.Agents[1].MayEscalate = true }, risk.CapabilityDelta, risk.Low, "Agent/b", "escalating"},
		{func(g *resource.Graph) { g.Agents[0].Input = "" }, risk.PolicyRelaxation, risk.Medium, agent, "The input of Agent/a is no longer checked"},
		{func(g *resource.Graph) { g.Agents[0].Output = "" }, risk.PolicyRelaxation, risk.Medium, agent, "The output"},
		{func(g *resource.Graph) { g.Agents[0].Constraints.RequireStructuredOutput = nil }, risk.PolicyRelaxation, risk.Low, agent, "requireStructuredOutput"},
		{func(g *resource.Graph) { g.Agents[0].Constraints.MaxIterations = 5 }, risk.BudgetRelaxation, risk.Medium, agent, "Turns of a step: 5 instead of 4"},
		{func(g *resource.Graph) { g.Agents[0].Constraints.MaxTokens = 0 }, risk.BudgetRelaxation, risk.Low, agent, "16384 instead of 100"},
		{func(g *resource.Graph) { g.Agents[0].Constraints.TimeoutSeconds = 0 }, risk.BudgetRelaxation, risk.Low, agent, "no limit instead of 30"},
		{func(g *resource.Graph) { g.Agents[0].Version = "" }, risk.DefinitionUnversioned, risk.Medium, agent, "declares no version any more; it was 1"},
		{func(g *resource.Graph) { g.Agents[0].Grants = append(g.Agents[0].Grants, "agent.b") }, risk.CapabilityDelta, risk.Medium, agent, "agent.b"},
		{func(g *resource.Graph) { g.Agents[0].Grants = append(g.Agents[0].Grants, "workflow.w") }, risk.CapabilityDelta, risk.Medium, agent, "workflow.w"},
		{func(g *resource.Graph) { g.Workflows[0].Result = "" }, risk.PolicyRelaxation, risk.Medium, workflow, "The result"},
		{func(g *resource.Graph) { g.Workflows[0].Params[0].Schema = "" }, risk.PolicyRelaxation, risk.Medium, workflow, "The parameter q"},
		{func(g *resource.Graph) { g.Workflows[0].WorkingTree = false }, risk.PolicyRelaxation, risk.Medium, workflow, "working tree"},
		{func(g *resource.Graph) { g.Workflows[0].EffectsBound, g.Workflows[0].Effects = false, nil }, risk.PolicyRelaxation, risk.Low, workflow, "upper bound"},
		{func(g *resource.Graph) { g.Workflows[0].TimeoutSeconds = 61 }, risk.BudgetRelaxation, risk.Low, workflow, "61 instead of 60"},
		{func(g *resource.Graph) { g.Workflows[0].Triggers[0].Overlap = "allowAll" }, risk.TriggerAdded, risk.Low, workflow, "may overlap"},
		{func(g *resource.Graph) { g.Workflows[0].Triggers[1].Dedupe = "" }, risk.TriggerAdded, risk.Low, workflow, "several runs"},
		{func(g *resource.Graph) { g.Tools[0].Operations[0].OutputSchema = "" }, risk.ToolSurfaceChange, risk.Medium, tool, "Answers of tool.t.send are no longer"},
		{func(g *resource.Graph) { g.Tools[0].Exclusive = "" }, risk.ToolSurfaceChange, risk.Medium, tool, `lease "desk"`},
		{func(g *resource.Graph) { g.Tools[0].Operations[0].Delivered = "" }, risk.IdempotencyWeakened, risk.Medium, tool, "no longer confirms"},
		{func(g *resource.Graph) { g.Tools[0].Retry.MaxAttempts = 3 }, risk.IdempotencyWeakened, risk.Low, tool, "up to 3 times instead of 2"},
		{func(g *resource.Graph) { g.Limits.MaxLoopIterations = 0 }, risk.BudgetRelaxation, risk.Medium, "Project/p", "1000 instead of 100"},
		{func(g *resource.Graph) { g.Limits.MaxWorkflowNesting = 5 }, risk.BudgetRelaxation, risk.Low, "Project/p", "5 instead of 4"},
		{func(g *resource.Graph) { g.Limits.ToolInputExceedPolicy = "" }, risk.PolicyRelaxation, risk.Low, "Project/p", "tool inputs are cut off"},
		{func(g *resource.Graph) { g.Policies[0].Approvals.InLoop = "pause" }, risk.PolicyRelaxation, risk.Low, policy, "instead of being denied"},
		{func(g *resource.Graph) {
			g.Policies[0].Hitl.ToolSwitchMap = map[string][]string{"tool.t.send": {"tool.t.find", "tool.t.drop"}}
		}, risk.PolicyRelaxation, risk.Medium, policy, "may send tool.t.drop in the place of tool.t.send"},
		{func(g *resource.Graph) {
			review(g, func(r *resource.Review) { r.SwitchMap = map[string][]string{"send": {"find", "drop"}} })
		}, risk.PolicyRelaxation, risk.Medium, policy, "may send drop in the place of send"},
		{func(g *resource.Graph) {
			review(g, func(r *resource.Review) { r.AllowedDecisions = []string{"approve", "edit", "switch"} })
		}, risk.PolicyRelaxation, risk.Medium, policy, "may now also decide switch"},
		{func(g *resource.Graph) { review(g, func(r *resource.Review) { r.AllowedEditArgs = nil }) }, risk.PolicyRelaxation, risk.Medium, policy, "edit any argument"},
		{func(g *resource.Graph) {
			review(g, func(r *resource.Review) { r.AllowedEditPaths = []string{"cc"} })
		}, risk.PolicyRelaxation, risk.Medium, policy, "may now edit cc"},
		{func(g *resource.Graph) {
			review(g, func(r *resource.Review) { r.DeniedEditPaths, r.AllowedEditPaths = nil, []string{"from.name"} })
		}, risk.PolicyRelaxation, risk.Medium, policy, "no longer kept from editing from.name"},
		{func(g *resource.Graph) {
			review(g, func(r *resource.Review) { r.AllowedEditTools = []string{"tool.t.find", "tool.t.drop"} })
		}, risk.PolicyRelaxation, risk.Medium, policy, "into one of tool.t.drop"},
		{func(g *resource.Graph) { review(g, func(r *resource.Review) { r.RedactKeys = nil }) }, risk.PolicyRelaxation, risk.Medium, policy, `interruptOn.t.redactKeys loses "body"`},
	} {
		after := wide()
		test.edit(&after)
		if !told(assess(wide(), after), test.category, test.severity, test.target, test.reason) {
			t.Errorf("no %s %s of %s with %q in %+v", test.severity, test.category, test.target, test.reason, assess(wide(), after))
		}
		if told(assess(after, wide()), test.category, test.severity, test.target, test.reason) {
			t.Errorf("the way back also says %q", test.reason)
		}
	}
	if items := assess(wide(), wide()); len(items) != 0 {
		t.Errorf("no change gives %+v", items)
	}
}

func told(items []risk.Item, c risk.Category, s risk.Severity, target, reason string) bool {
	return slices.ContainsFunc(items, func(i risk.Item) bool {
		return i.Category == c && i.Severity == s && i.Target == target && strings.Contains(i.Reason, reason)
	})
}

// Delegation is reach: its item has the path.
func TestDelegationHasAWitness(t *testing.T) {
	t.Parallel()
	for grant, kind := range map[string]effects.HopKind{"agent.b": effects.HopAgent, "workflow.w": effects.HopWorkflow} {
		after := wide()
		after.Agents[0].Grants = append(after.Agents[0].Grants, grant)
		items := assess(wide(), after)
		i := slices.IndexFunc(items, func(i risk.Item) bool { return i.Category == risk.CapabilityDelta })
		if i < 0 || len(items[i].Witness) != 2 || items[i].Witness[1].Kind != kind || items[i].Witness[1].Reachability != effects.Autonomous {
			t.Errorf("%s: %+v", grant, items)
		}
		if !has(items, risk.AuthorityWidening, risk.High, "Agent/a") {
			t.Errorf("%s does not widen: %+v", grant, items)
		}
	}
}

// Changed documents of schemas that check values of agents and workflows are named.
func TestChangedSchemasOfValues(t *testing.T) {
	t.Parallel()
	for schema, reason := range map[string]string{
		"schemas/In.json": "the input of Agent/a", "schemas/Q.json": "the parameter q of Workflow/w", "schemas/R.json": "answers of tool.t.send",
	} {
		items := assess(wide(), wide(), schema)
		if !slices.ContainsFunc(items, func(i risk.Item) bool { return i.Severity == risk.Low && strings.Contains(i.Reason, reason) }) {
			t.Errorf("%s: %+v", schema, items)
		}
	}
}

// Loops that repeat a call more often are an item; fewer rounds, and workflows
// whose earlier program is not known, are none.
func TestRepeats(t *testing.T) {
	t.Parallel()
	call := func(n string) []loops.Call {
		return []loops.Call{{Workflow: "w", Site: "while/ask", Callee: "agent.a", AtMost: json.Number(n)}}
	}
	for _, test := range []struct {
		before, after []loops.Call
		known         bool
		want          string
	}{
		{call("3"), call("300"), true, "at most 300 times in one run instead of 3."},
		{nil, call("3"), true, "at most 3 times in one run; no loop did."},
		{call("99999999999999999998"), call("99999999999999999999"), true, "99999999999999999999 times"},
		{call("300"), call("3"), true, ""},
		{call("3"), nil, true, ""},
		{call("3"), call("300"), false, ""},
	} {
		g := resource.Normalize(base())
		b := effects.Compute(g)
		items := risk.Assess(risk.In{
			Environment: "prod", Before: g, After: g, BeforeBounds: b, AfterBounds: b,
			Delta:   authority.Compare(authority.View{Graph: g, Bounds: b}, authority.View{Graph: g, Bounds: b}),
			Repeats: risk.Repeats{Workflows: map[string]bool{"w": test.known}, Before: test.before, After: test.after},
		})
		if test.want == "" != (len(items) == 0) || test.want != "" && !told(items, risk.BudgetRelaxation, risk.Medium, "Workflow/w", test.want) {
			t.Errorf("%v to %v: %+v, want %q", test.before, test.after, items, test.want)
		}
	}
}

// A change without a meaning for authority, gates, budgets, transports or checks
// gives no item.
func TestChangesWithoutMeaningForAuthority(t *testing.T) {
	t.Parallel()
	for name, edit := range map[string]func(*resource.Graph){
		"descriptions": func(g *resource.Graph) {
			g.Agents[0].Description, g.Agents[0].Version = "Helps.", "2"
			g.Tools[0].Description, g.Workflows[0].Description = "Mail.", "Answers."
		},
		"instructions under a new version": func(g *resource.Graph) { g.Agents[0].Instructions, g.Agents[0].Version = "Be kind.", "2" },
		"an agent nobody calls":            func(g *resource.Graph) { g.Agents = append(g.Agents, resource.Agent{Name: "idle", Model: "mock/a"}) },
		"a stricter rule": func(g *resource.Graph) {
			g.Policies[0].Approvals.RequiredFor = append(g.Policies[0].Approvals.RequiredFor, "tool.t.find")
			g.Policies[0].Execution.MaxTotalCostUSD = "1.0"
		},
		"a shorter loop limit": func(g *resource.Graph) { g.Limits.MaxLoopIterations = 10 },
	} {
		after := wide()
		edit(&after)
		if items := assess(wide(), after); len(items) != 0 {
			t.Errorf("%s: %+v", name, items)
		}
	}
}
