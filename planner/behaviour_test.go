package planner_test

import (
	"slices"
	"strings"
	"testing"

	"terfyn/compiler/effects"
	"terfyn/compiler/ir"
	"terfyn/compiler/resource"
	"terfyn/internal/canon"
	"terfyn/planner"
	"terfyn/planner/authority"
	"terfyn/planner/risk"
)

// Behaviour 69: a change of the program alone is exactly one update of its workflow.
func TestBehaviour69ProgramChangeIsAnUpdate(t *testing.T) {
	t.Parallel()
	arms := desk().programs[0].Body[0].(ir.If)
	for _, test := range []struct {
		name string
		body ir.Node
	}{
		{"arms swapped", ir.If{ID: "if", Cond: arms.Cond, Then: arms.Else, Else: arms.Then}},
		{"if becomes while", ir.While{ID: "if", Cond: arms.Cond, Limit: 2, Body: arms.Then}},
	} {
		p := changed(t, func(d *project) { d.programs[0].Body = []ir.Node{test.body} })
		changes := wantOnly(t, p, "Workflow/answer")
		if len(changes) != 1 || changes[0].Path != "programDigest" {
			t.Errorf("%s: %+v", test.name, changes)
		}
	}
	loop := func(limit int) project {
		d := desk()
		d.programs[0].Body = []ir.Node{ir.While{ID: "w", Cond: arms.Cond, Limit: limit, Body: arms.Then}}
		return d
	}
	wantOnly(t, plan(t, loop(2), loop(3)), "Workflow/answer")
	if p := plan(t, loop(2), loop(2)); !p.Empty() {
		t.Errorf("an unchanged program gives %+v", p.Operations)
	}
}

// Behaviour 70: layout and the order of declarations are no change.
func TestBehaviour70OrderIsNoChange(t *testing.T) {
	t.Parallel()
	wide := func() project {
		d := desk()
		d.graph.Agents = append(d.graph.Agents, resource.Agent{Name: "z"}, resource.Agent{Name: "a"})
		return d
	}
	for range 30 {
		after := wide()
		shuffle(after.graph.Agents)
		shuffle(after.graph.Tools[0].Operations)
		after.graph.Policies[0].Effects.Permit = []string{"hub.read", "hub.read"}
		p := plan(t, wide(), after)
		if !p.Empty() || p.Widens() || len(p.RiskItems) != 0 {
			t.Fatalf("operations %+v, risk %v", p.Operations, p.Risk)
		}
	}
}

// Behaviour 72: removing the operations block is a visible change of the tool,
// also when the block was empty.
func TestBehaviour72OpenAndClosedNeverLookEqual(t *testing.T) {
	t.Parallel()
	locked := desk()
	locked.graph.Tools = append(locked.graph.Tools, resource.Tool{Name: "shut", Type: "mock", OperationsDeclared: true})
	open := desk()
	open.graph.Tools = append(open.graph.Tools, resource.Tool{Name: "shut", Type: "mock"})
	p := plan(t, locked, open)
	changes := wantOnly(t, p, "Tool/shut")
	if len(changes) != 1 || changes[0].Path != "operationsDeclared" {
		t.Errorf("%+v", changes)
	}
	wantItem(t, p, risk.ToolSurfaceChange, risk.High, "Tool/shut")
	wantOnly(t, plan(t, open, locked), "Tool/shut")
}

// Behaviour 73: a further grant whose effects are already reachable widens.
func TestBehaviour73GrantWithoutNewEffectWidens(t *testing.T) {
	t.Parallel()
	p := changed(t, func(d *project) { d.graph.Agents[0].Grants = append(d.graph.Agents[0].Grants, "tool.hub.list") })
	if len(p.CapabilityDelta) != 1 || p.CapabilityDelta[0].Agent != "writer" || !slices.Equal(p.CapabilityDelta[0].Added, []string{"tool.hub.list"}) || len(p.CapabilityDelta[0].Removed) != 0 {
		t.Errorf("capability delta %+v", p.CapabilityDelta)
	}
	if len(p.EffectDelta) != 0 {
		t.Errorf("effect delta %+v", p.EffectDelta)
	}
	if p.Authority != (authority.States{Static: authority.Unchanged, Autonomous: authority.Widened}) || !p.Widens() {
		t.Errorf("authority %+v", p.Authority)
	}
	item := wantItem(t, p, risk.AuthorityWidening, risk.High, "Agent/writer")
	if !strings.Contains(item.Reason, "AUTONOMOUS authority WIDENED") || len(item.Witness) == 0 {
		t.Errorf("%+v", item)
	}
	wantItem(t, p, risk.CapabilityDelta, risk.Medium, "Agent/writer")
	back := changedFrom(t, func(d *project) { d.graph.Agents[0].Grants = append(d.graph.Agents[0].Grants, "tool.hub.list") })
	if back.Authority.Autonomous != authority.Narrowed || back.Widens() {
		t.Errorf("taking the grant back: %+v", back.Authority)
	}
}

// changedFrom plans the way back from an edited desk.
func changedFrom(t *testing.T, edit func(*project)) planner.Plan {
	t.Helper()
	before := desk()
	edit(&before)
	return plan(t, before, desk())
}

// Behaviour 74: a new effect through an agent is high, by a written call
// medium, and a promotion from static to autonomous high.
func TestBehaviour74NewEffects(t *testing.T) {
	t.Parallel()
	call := func(d *project) {
		d.graph.Workflows[0].Calls = append(d.graph.Workflows[0].Calls, resource.Reference{Kind: "tool", Name: "hub.post", Site: "send"})
	}
	grant := func(d *project) { d.graph.Agents[0].Grants = append(d.graph.Agents[0].Grants, "tool.hub.post") }

	p := changed(t, grant)
	if items := find(p, risk.EffectDelta); len(items) != 2 || items[0].Severity != risk.High || items[1].Severity != risk.High {
		t.Errorf("autonomous: %+v", items)
	}
	p = changed(t, call)
	item := wantItem(t, p, risk.EffectDelta, risk.Medium, "Workflow/answer")
	if last := item.Witness[len(item.Witness)-1]; last.Kind != effects.HopOperation || last.Reachability != effects.Static {
		t.Errorf("witness %+v", item.Witness)
	}
	if p.Authority != (authority.States{Static: authority.Widened, Autonomous: authority.Unchanged}) {
		t.Errorf("static: %+v", p.Authority)
	}

	before, after := desk(), desk()
	call(&before)
	call(&after)
	grant(&after)
	p = plan(t, before, after)
	i := slices.IndexFunc(p.EffectDelta, func(e authority.EffectChange) bool { return e.Root == "Workflow/answer" })
	if i < 0 || p.EffectDelta[i].Change != authority.EffectPromoted || p.Authority.Autonomous != authority.Widened {
		t.Fatalf("promotion: %+v %+v", p.EffectDelta, p.Authority)
	}
	for _, item := range find(p, risk.EffectDelta) {
		if item.Severity != risk.High {
			t.Errorf("promotion: %+v", item)
		}
	}
}

// Behaviour 76: an effect that becomes permitted unattended is high.
func TestBehaviour76EffectPermitWidening(t *testing.T) {
	t.Parallel()
	effectsOf := func(d *project) *resource.PolicyEffects { return &d.graph.Policies[0].Effects }
	p := changed(t, func(d *project) { effectsOf(d).Permit = []string{"hub.read", "mail"} })
	wantItem(t, p, risk.EffectPermitWidening, risk.High, "Policy/house")
	p = changed(t, func(d *project) {
		*effectsOf(d) = resource.PolicyEffects{Declared: true, Permit: []string{"hub.read", "hub.write"}}
	})
	item := wantItem(t, p, risk.EffectPermitWidening, risk.High, "Policy/house")
	if !strings.Contains(item.Reason, "hub.write") {
		t.Error(item.Reason)
	}
	p = changed(t, func(d *project) { effectsOf(d).PermitWithApproval = []string{"hub.write", "mail"} })
	wantItem(t, p, risk.EffectPermitWidening, risk.Medium, "Policy/house")
	p = changed(t, func(d *project) { effectsOf(d).Permit = []string{"hub.read.issue"} })
	if items := find(p, risk.EffectPermitWidening); len(items) != 0 {
		t.Errorf("a narrower permit is reported: %+v", items)
	}
}

// Behaviour 77: the categories of the classic relaxations.
func TestBehaviour77Categories(t *testing.T) {
	t.Parallel()
	p := changed(t, func(d *project) { d.graph.Policies[0].Approvals.RequiredFor = nil })
	item := wantItem(t, p, risk.ApprovalRemoval, risk.High, "Policy/house")
	if !strings.Contains(item.Reason, "tool.hub.post") {
		t.Error(item.Reason)
	}
	p = changed(t, func(d *project) { d.graph.Agents[0].Model = "openai/gpt" })
	wantItem(t, p, risk.ModelChange, risk.Medium, "Agent/writer")
	p = changed(t, func(d *project) { d.graph.Agents[0].Grants = append(d.graph.Agents[0].Grants, "tool.hub.post") })
	wantItem(t, p, risk.ToolSurfaceChange, risk.High, "Agent/writer")
	p = changed(t, func(d *project) { d.graph.Agents[0].Grants = append(d.graph.Agents[0].Grants, "tool.hub.list") })
	if items := find(p, risk.ToolSurfaceChange); len(items) != 0 {
		t.Errorf("a reading tool is reported as a writing one: %+v", items)
	}
	p = changed(t, func(d *project) { d.graph.Defaults.Runtime = "remote" })
	wantItem(t, p, risk.RuntimeTargetChange, risk.Medium, "Project/desk")
	if strings.Contains(p.JSON().JSON(), "permission_widening") {
		t.Error("the old category is back")
	}
}

// Behaviour 78: the members a machine reads.
func TestBehaviour78Document(t *testing.T) {
	t.Parallel()
	p := changed(t, func(d *project) { d.graph.Agents[0].Grants = append(d.graph.Agents[0].Grants, "tool.hub.post") })
	doc := p.JSON()
	for _, name := range []string{"risk", "riskItems", "effectBound", "capabilityDelta", "effectDelta", "policyLint", "operations", "approvals", "triggers", "definitions", "refusals"} {
		if got := doc.At(name).Kind(); got != canon.KindList {
			t.Errorf("%s is %s", name, got)
		}
	}
	if len(doc.At("risk").Items()) != len(doc.At("riskItems").Items()) {
		t.Error("risk and riskItems differ in length")
	}
	for i, reason := range doc.At("risk").Items() {
		if !canon.Equal(reason, doc.At("riskItems").Items()[i].At("reason")) {
			t.Errorf("risk[%d] is not the reason of its item", i)
		}
	}
	if doc.At("authority").Str("static") != "unchanged" || doc.At("authority").Str("autonomous") != "widened" {
		t.Error(doc.At("authority").JSON())
	}
	if v, _ := doc.At("deploymentBaseline", "version").AsInt(); v != 4 || !canon.Digest(doc.Str("resolvedConfigDigest")).Valid() {
		t.Error("baseline or configuration digest is missing")
	}
	var hops int
	for _, item := range doc.At("riskItems").Items() {
		for _, hop := range item.At("witness").Items() {
			hops++
			if hop.Str("kind") == "" || hop.Str("name") == "" || hop.Str("reachability") == "" {
				t.Errorf("hop %s", hop.JSON())
			}
		}
	}
	if hops == 0 {
		t.Error("no item has a witness")
	}
}

// Behaviour 80: an effect nothing reaches is listed at low severity.
func TestBehaviour80UnreachableEffectIsListed(t *testing.T) {
	t.Parallel()
	p := plan(t, desk(), desk())
	for _, b := range p.EffectBound {
		i := slices.IndexFunc(b.Entries, func(e authority.Entry) bool { return e.Effect == "destructive" })
		if i < 0 || b.Entries[i].Reachability != authority.Unreachable || b.Entries[i].Severity != "low" || !strings.Contains(b.Entries[i].Reason, "tool.hub.drop") {
			t.Errorf("%s: %+v", b.Root, b.Entries)
		}
	}
	if len(p.EffectBound) != 2 {
		t.Errorf("bounds of %d roots", len(p.EffectBound))
	}
}

// Behaviour 81: a plan against what another environment has.
func TestBehaviour81BaselineOfAnotherEnvironment(t *testing.T) {
	t.Parallel()
	d := desk()
	p, err := planner.Compute(planner.In{
		Environment: "prod", Desired: d.graph, Programs: d.programs, Schemas: d.schemas, Applied: d.applied(),
		Baseline: planner.Baseline{Environment: "dev", Snapshot: canon.Sum([]byte("dev")), Version: 2},
	})
	if err != nil || !p.Empty() || p.Environment != "prod" || p.DeploymentBaseline.Environment != "dev" {
		t.Errorf("%v %+v", err, p.DeploymentBaseline)
	}
}

// Behaviours 110 and 259: a tool that will stop for a person is named with the
// source of the rule.
func TestBehaviour259ApprovalSources(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		source string
		edit   func(*project)
	}{
		{"explicit_policy_rule", func(*project) {}},
		{"safety_metadata", func(d *project) {
			d.graph.Policies[0] = resource.Policy{Name: "house"}
			d.graph.Tools[0].Safety.SideEffects = flag(true)
		}},
		{"fail_closed_default", func(d *project) {
			d.graph.Policies[0] = resource.Policy{Name: "house"}
			d.graph.Tools[0].Operations = d.graph.Tools[0].Operations[:3] // without the destructive one
		}},
	} {
		p := changed(t, func(d *project) {
			d.graph.Workflows[0].Calls = append(d.graph.Workflows[0].Calls, resource.Reference{Kind: "tool", Name: "hub.post", Site: "send"})
			test.edit(d)
		})
		if len(p.Approvals) != 1 || p.Approvals[0].Source != test.source || p.Approvals[0].Capability != "tool.hub.post" || p.Approvals[0].Workflow != "answer" {
			t.Errorf("%s: %+v", test.source, p.Approvals)
		}
	}
	p := changed(t, func(d *project) { d.graph.Tools[0].Safety.Trusted = flag(true) })
	if len(p.Approvals) != 0 {
		t.Errorf("a trusted reading tool stops: %+v", p.Approvals)
	}
}

// TestApprovalStatementsAreListed: what a workflow itself asks is in the plan
// beside what policy asks.
func TestApprovalStatementsAreListed(t *testing.T) {
	t.Parallel()
	g := resource.Graph{Project: "p", Workflows: []resource.Workflow{{Name: "w", Steps: []resource.Step{{ID: "look", Kind: "approval", Uses: "look", Needs: []string{}}}}}}
	plan, err := planner.Compute(planner.In{Environment: "local", Desired: g})
	if err != nil {
		t.Fatal(err)
	}
	got := plan.Approvals
	if len(got) != 1 || got[0].Source != "approval_statement" || got[0].Rule != "the workflow asks at look" || got[0].Workflow != "w" {
		t.Errorf("got %+v", got)
	}
}
