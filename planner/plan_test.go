package planner_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"terfyn/compiler/resource"
	"terfyn/internal/canon"
	"terfyn/planner"
	"terfyn/planner/authority"
	"terfyn/planner/diff"
	"terfyn/planner/risk"
)

func TestFirstPlanCreatesAndWidens(t *testing.T) {
	t.Parallel()
	p := first(t)
	if p.Summary != (planner.Summary{Create: 6}) || p.Empty() {
		t.Errorf("summary %+v", p.Summary)
	}
	if p.Authority != (authority.States{Static: authority.Widened, Autonomous: authority.Widened}) {
		t.Errorf("hub.read is reached both ways: %+v", p.Authority)
	}
}

// A schema that accepts more widens what can be sent, so it is an operation of
// the plan although no resource names its content.
func TestSchemaChangeIsAnOperation(t *testing.T) {
	t.Parallel()
	p := changed(t, func(d *project) { d.schemas["schemas/Post.json"] = canon.Object() })
	changes := wantOnly(t, p, "Schema/schemas/Post.json")
	if len(changes) != 1 || changes[0].Path != "type" || changes[0].Kind != diff.Removed {
		t.Errorf("%+v", changes)
	}
	item := wantItem(t, p, risk.ToolSurfaceChange, risk.Medium, "Tool/hub")
	if !strings.Contains(item.Reason, "tool.hub.post") {
		t.Error(item.Reason)
	}
}

func TestSecretsAreMasked(t *testing.T) {
	t.Parallel()
	p := changed(t, func(d *project) {
		d.graph.Tools[0].HTTP.Headers[0].Value = "Bearer hunter2"
		d.graph.Tools[0].HTTP.BaseURL = "https://me:hunter2@hub.example"
	})
	doc := p.JSON().JSON()
	if strings.Contains(doc, "hunter2") {
		t.Error("a secret is in the plan")
	}
	if !strings.Contains(doc, diff.Masked) || !strings.Contains(doc, "env:HUB") {
		t.Error("the change of the header is not shown")
	}
}

func TestTriggersAndDefinitions(t *testing.T) {
	t.Parallel()
	before := desk()
	before.graph.Agents[0].Version = "1"
	before.graph.Workflows[0].Triggers = []resource.Trigger{{Kind: "schedule", Cron: "0 6 * * *"}, {Kind: "event", Event: "mail.in"}}
	after := desk()
	after.graph.Agents[0].Version, after.graph.Agents[0].ChangeSummary = "2", "Shorter."
	after.graph.Workflows[0].Triggers = []resource.Trigger{{Kind: "schedule", Cron: "0 7 * * *"}, {Kind: "event", Event: "mail.out"}}
	p := plan(t, before, after)
	var got []string
	for _, c := range p.Triggers {
		got = append(got, string(c.Action)+" "+c.Workflow+" "+c.Kind+" "+c.Key)
	}
	want := []string{"delete answer event mail.in", "create answer event mail.out", "update answer schedule 0"}
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if diff := cmp.Diff([]planner.DefinitionChange{{Agent: "writer", Before: "1", After: "2", Summary: "Shorter."}}, p.Definitions); diff != "" {
		t.Error(diff)
	}
	if len(find(p, risk.DefinitionUnversioned)) != 0 {
		t.Error("a new version counts as none")
	}
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	versioned := func(version, instructions string, required bool) project {
		d := desk()
		d.graph.Agents[0].Version, d.graph.Agents[0].Instructions = version, instructions
		d.graph.Policies[0].RequireDefinitionVersions = required
		return d
	}
	p := plan(t, versioned("1", "Old.", false), versioned("1", "New.", false))
	wantItem(t, p, risk.DefinitionUnversioned, risk.Medium, "Agent/writer")
	if len(p.Refusals) != 0 {
		t.Errorf("a warning refuses: %+v", p.Refusals)
	}
	p = plan(t, versioned("1", "Old.", true), versioned("1", "New.", true))
	wantItem(t, p, risk.DefinitionUnversioned, risk.High, "Agent/writer")
	if len(p.Refusals) != 1 {
		t.Errorf("%+v", p.Refusals)
	}
	p = plan(t, versioned("", "Old.", true), versioned("", "Old.", true))
	if len(p.Refusals) != 1 || p.Refusals[0].Target != "Agent/writer" {
		t.Errorf("%+v", p.Refusals)
	}
	if p = plan(t, versioned("1", "Old.", true), versioned("2", "New.", true)); len(p.Refusals) != 0 {
		t.Errorf("%+v", p.Refusals)
	}
}

func TestGraphOf(t *testing.T) {
	t.Parallel()
	d := desk()
	want := resource.Normalize(planner.Pin(d.graph, d.programs))
	got, err := planner.GraphOf(d.applied())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for _, strange := range []planner.Applied{
		{Kind: "Robot", Name: "r"},
		{Kind: "Agent", Name: "r", Spec: canon.Object(canon.F("name", canon.String("r")), canon.F("wheels", canon.Int(4)))},
	} {
		if _, err := planner.GraphOf([]planner.Applied{strange}); err == nil {
			t.Errorf("%+v is read", strange)
		}
		if _, err := planner.Compute(planner.In{Applied: []planner.Applied{strange}}); err == nil {
			t.Errorf("%+v is a baseline", strange)
		}
	}
}

func TestConfigDigest(t *testing.T) {
	t.Parallel()
	d := desk().applied()
	base := planner.ConfigDigest("local", d)
	shuffle(d)
	if planner.ConfigDigest("local", d) != base {
		t.Error("the order of resources counts")
	}
	if planner.ConfigDigest("prod", d) == base || planner.ConfigDigest("local", d[1:]) == base {
		t.Error("the environment or a resource does not count")
	}
}
