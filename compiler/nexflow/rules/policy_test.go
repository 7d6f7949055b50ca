package rules_test

import (
	"fmt"
	"strings"
	"testing"

	"terfyn/compiler/nexflow/code"
	"terfyn/compiler/nexflow/rules"
	"terfyn/compiler/nexflow/settest"
)

func TestPermissionGates(t *testing.T) {
	t.Parallel()
	checkWorkshop(t, []change{
		{name: "approval without a gate", script: `permissions /permissions/1/approvalGate delete`,
			want: []string{"E TERFYN-POLICY-GATE-MISSING permissions /permissions/1/approvalGate"}},
		{name: "denial with a gate", script: `permissions /permissions/3/approvalGate := "bench"`,
			want: []string{"E TERFYN-POLICY-GATE-ON-DENY permissions /permissions/3/approvalGate"}},
		{name: "allowance with a gate", script: `permissions /permissions/4/approvalGate := "bench"`,
			want: []string{"W TERFYN-POLICY-GATE-ON-ALLOW permissions /permissions/4/approvalGate"}},
		{name: "gates that are not declared", script: `
			permissions /permissions/1/approvalGate := "ghost"
			permissions /permissions/3/approvalGate := "ghost"
			permissions /permissions/4/approvalGate := "ghost"`},
	})
}

// unguarded is found when somebody may ship without the gate that guards it.
const unguarded = "W TERFYN-GATE-TARGET-NOT-ATTACHED project /project/approvalGates/1/targets/6"

func TestShadowedPermissions(t *testing.T) {
	t.Parallel()
	add := func(permission string) string {
		return "\npermissions /permissions/- := {\"description\": \"x\", " + permission + "}"
	}
	checkWorkshop(t, []change{
		{name: "allowance and approval lose to denials, once each and with all of them", script: add(`"id": "d1", "subjects": ["ci", "ann"], "capabilities": ["read"], "effect": "deny"`) +
			add(`"id": "d2", "subjects": ["ann"], "capabilities": ["read", "cut"], "effect": "deny"`),
			want: []string{
				"W TERFYN-POLICY-SHADOWED-BY-DENY permissions /permissions/0/effect => permissions /permissions/5/effect, permissions /permissions/6/effect",
				"W TERFYN-POLICY-SHADOWED-BY-DENY permissions /permissions/4/effect => permissions /permissions/6/effect",
				"E TERFYN-POLICY-TASK-CAPABILITY-DENIED tasks /tasks/0/capabilitiesRequired/0",
			}},
		{name: "approval loses to a denial", script: add(`"id": "d1", "subjects": ["ben"], "capabilities": ["ship"], "effect": "deny"`),
			want: []string{"W TERFYN-POLICY-SHADOWED-BY-DENY permissions /permissions/2/effect => permissions /permissions/5/effect"}},
		{name: "allowance loses to approvals", script: add(`"id": "free", "subjects": ["bot", "ann"], "capabilities": ["cut", "ship"], "effect": "allow"`),
			want: []string{"W TERFYN-POLICY-SHADOWED-BY-GATE permissions /permissions/5/effect => permissions /permissions/1/effect, permissions /permissions/2/effect",
				unguarded}},
		{name: "where a denial decides, the allowance does not lose to the approval", script: add(`"id": "free", "subjects": ["ben"], "capabilities": ["ship"], "effect": "allow"`) +
			add(`"id": "no", "subjects": ["ben"], "capabilities": ["ship"], "effect": "deny"`),
			want: []string{
				"W TERFYN-POLICY-SHADOWED-BY-DENY permissions /permissions/2/effect => permissions /permissions/6/effect",
				"W TERFYN-POLICY-SHADOWED-BY-DENY permissions /permissions/5/effect => permissions /permissions/6/effect",
				unguarded,
			}},
		{name: "one pair lost to a denial and another to an approval", script: add(`"id": "free", "subjects": ["bot", "ben"], "capabilities": ["ship"], "effect": "allow"`) +
			add(`"id": "no", "subjects": ["ben"], "capabilities": ["ship"], "effect": "deny"`),
			want: []string{
				"W TERFYN-POLICY-SHADOWED-BY-DENY permissions /permissions/2/effect => permissions /permissions/6/effect",
				"W TERFYN-POLICY-SHADOWED-BY-DENY permissions /permissions/5/effect => permissions /permissions/6/effect",
				"W TERFYN-POLICY-SHADOWED-BY-GATE permissions /permissions/5/effect => permissions /permissions/2/effect",
				unguarded,
			}},
		{name: "sharing a subject alone or a capability alone is nothing", script: add(`"id": "d1", "subjects": ["ann"], "capabilities": ["nothing"], "effect": "deny"`) +
			add(`"id": "d2", "subjects": ["board"], "capabilities": ["cut"], "effect": "deny"`)},
		{name: "subjects that are not declared do not meet", script: add(`"id": "a1", "subjects": ["ghost"], "capabilities": ["cut"], "effect": "allow"`) +
			add(`"id": "d1", "subjects": ["ghost"], "capabilities": ["cut"], "effect": "deny"`)},
	})
}

func TestRequestedPolicy(t *testing.T) {
	t.Parallel()
	asks := func(capability string) string {
		return `
			definitions /agentDefinitions/0/components/capabilityRefs/1 := "` + capability + `"
			definitions /agentDefinitions/1/components/capabilityRefs/1 := "` + capability + `"`
	}
	checkWorkshop(t, []change{
		{name: "denied", script: asks("burn"), want: []string{
			"E TERFYN-POLICY-CAPABILITY-DENIED definitions /agentDefinitions/0/components/capabilityRefs/1",
			"W TERFYN-POLICY-CAPABILITY-DENIED definitions /agentDefinitions/1/components/capabilityRefs/1",
		}},
		{name: "nobody says so", script: asks("glue") + `
			capabilities /capabilities/- := {"id": "glue", "description": "x", "risk": "low"}`, want: []string{
			"E TERFYN-POLICY-CAPABILITY-UNAUTHORIZED definitions /agentDefinitions/0/components/capabilityRefs/1",
			"W TERFYN-POLICY-CAPABILITY-UNAUTHORIZED definitions /agentDefinitions/1/components/capabilityRefs/1",
		}},
		{name: "no permissions at all say nothing about definitions", script: asks("glue") + `
			permissions delete
			tasks delete
			project /project/approvalGates/1/targets delete
			capabilities /capabilities := [{"id": "glue", "description": "x", "risk": "low"}]`},
		{name: "gated is asked for rightly", script: asks("ship")},
		{name: "not declared", script: asks("ghost")},
		{name: "permission for others", script: `
			definitions /agentDefinitions/0/components/permissionRefs := ["make_it", "people"]
			definitions /agentDefinitions/1/components/permissionRefs := ["people", "ghost"]`, want: []string{
			"E TERFYN-POLICY-PERMISSION-NOT-APPLICABLE definitions /agentDefinitions/0/components/permissionRefs/1",
			"W TERFYN-POLICY-PERMISSION-NOT-APPLICABLE definitions /agentDefinitions/1/components/permissionRefs/0",
		}},
		{name: "leaving a denial out of the list does not escape it", script: asks("burn") + `
			definitions /agentDefinitions/1 delete
			definitions /agentDefinitions/0/components/permissionRefs := []`, want: []string{
			"E TERFYN-POLICY-CAPABILITY-DENIED definitions /agentDefinitions/0/components/capabilityRefs/1",
		}},
		{name: "nobody acts with the definition", script: asks("burn") + `
			definitions /agentDefinitions/0/components/permissionRefs := ["people"]
			actors /actors/2/agentRef delete
			actors /actors/2/kind := "human"`, want: []string{"E TERFYN-ACTOR-BRIDGE-MISSING agents /agents/0/id"}},
		{name: "definition of an agent that is not declared", script: asks("burn") + `
			definitions /agentDefinitions/0/agentRef := "ghost"
			definitions /agentDefinitions/1/agentRef := "ghost"`},
	})
}

func TestTaskPolicy(t *testing.T) {
	t.Parallel()
	denied := "E TERFYN-POLICY-TASK-CAPABILITY-DENIED tasks /tasks/1/capabilitiesRequired/2"
	unauthorized := "W TERFYN-POLICY-TASK-CAPABILITY-UNAUTHORIZED tasks /tasks/0/capabilitiesRequired/0"
	ungated := []string{"W TERFYN-POLICY-TASK-GATE-MISSING tasks /tasks/2/capabilitiesRequired/1"}
	noGate := `
		workflow /workflow/stages/1/steps/0/approvalGates := ["door"]`
	checkWorkshop(t, []change{
		{name: "owner denied, though a participant may", script: `tasks /tasks/1/capabilitiesRequired/2 := "burn"`, want: []string{denied}},
		{name: "owner denied and nobody else may", script: `
			tasks /tasks/1/capabilitiesRequired/2 := "burn"
			tasks /tasks/1/participants := []`, want: []string{denied}},
		{name: "nobody on the task may", script: `tasks /tasks/0/owner := "ben"
			tasks /tasks/0/participants := ["board"]
			handoffs /handoffs/0/from := ["ben"]`, want: []string{unauthorized}},
		{name: "without permissions nobody may", script: `
			permissions delete
			capabilities /capabilities := [{"id": "read", "description": "x", "risk": "low"}]`,
			want: []string{
				unauthorized,
				"W TERFYN-POLICY-TASK-CAPABILITY-UNAUTHORIZED tasks /tasks/1/capabilitiesRequired/0",
				"W TERFYN-POLICY-TASK-CAPABILITY-UNAUTHORIZED tasks /tasks/2/capabilitiesRequired/0",
			}},
		{name: "a participant may", script: `tasks /tasks/0/owner := "ben"
			tasks /tasks/0/participants := ["ann"]
			handoffs /handoffs/0/from := ["ben"]`},
		{name: "a participant may after approval", script: `tasks /tasks/0/participants := ["bot"]
			tasks /tasks/0/owner := "ci"
			tasks /tasks/0/capabilitiesRequired := ["ship"]
			handoffs /handoffs/0/from := ["ci"]
			handoffs /handoffs/0/to := ["bot"]`},
		{name: "a participant is not declared", script: `tasks /tasks/0/owner := "ben"
			tasks /tasks/0/participants := ["ghost", "board"]
			handoffs /handoffs/0/from := ["ben"]`},
		{name: "owner or capability not declared", script: `tasks /tasks/0/owner := "ghost"
			tasks /tasks/2/capabilitiesRequired := ["ghost"]`},
		{name: "gate neither on the task nor on its steps", script: noGate, want: ungated},
		{name: "gate on the task alone", script: noGate + `
			tasks /tasks/2/approvalGates := ["bench"]`},
		{name: "gate on a step of another workflow", script: noGate + `
			workflow2 /workflow/stages/0/steps/1/approvalGates := ["bench"]`},
		{name: "one of the gates that permissions name is enough", script: noGate + `
			permissions /permissions/- := {"id": "also", "description": "x", "subjects": ["bot"], "capabilities": ["cut"], "effect": "approval_required", "approvalGate": "door"}`},
		{name: "the gate of a permission that allows does not count", script: noGate + `
			permissions /permissions/- := {"id": "free", "description": "x", "subjects": ["bot"], "capabilities": ["cut"], "effect": "allow", "approvalGate": "door"}`,
			want: []string{
				"W TERFYN-POLICY-GATE-ON-ALLOW permissions /permissions/5/approvalGate",
				"W TERFYN-POLICY-SHADOWED-BY-GATE permissions /permissions/5/effect => permissions /permissions/1/effect",
				ungated[0],
			}},
		{name: "a permission without gate names none", script: noGate + `
			permissions /permissions/1/approvalGate delete`, want: []string{"E TERFYN-POLICY-GATE-MISSING permissions /permissions/1/approvalGate"}},
		{name: "a gate of the permission is not declared", script: noGate + `
			permissions /permissions/1/approvalGate := "ghost"`},
		{name: "a gate of the task is not declared", script: noGate + `
			tasks /tasks/2/approvalGates := ["ghost"]`},
	})
}

func TestRisks(t *testing.T) {
	t.Parallel()
	allow := func(subjects, capabilities string) string {
		return `
			permissions /permissions/1/effect := "deny"
			permissions /permissions/1/approvalGate delete
			permissions /permissions/1/subjects := []
			permissions /permissions/2/subjects := ["ben"]
			permissions /permissions/3/subjects := []
			tasks /tasks/1/capabilitiesRequired := []
			tasks /tasks/2/capabilitiesRequired := []
			definitions /agentDefinitions := []
			project /project/approvalGates/1/targets delete
			permissions /permissions/- := {"id": "free", "description": "x", "subjects": [` + subjects + `], "capabilities": [` + capabilities + `], "effect": "allow"}`
	}
	checkWorkshop(t, []change{
		{name: "agent and automation, high, critical and approval by default, once each", script: allow(`"bot", "ci", "ann"`, `"read", "cut", "ship", "burn"`),
			want: []string{
				"W TERFYN-SAFETY-UNGATED-RISK permissions /permissions/5/capabilities/1",
				"W TERFYN-SAFETY-UNGATED-RISK permissions /permissions/5/capabilities/2",
				"W TERFYN-SAFETY-UNGATED-RISK permissions /permissions/5/capabilities/3",
			}},
		{name: "humans and authorities", script: allow(`"ann", "board"`, `"cut", "burn"`)},
		{name: "not declared", script: allow(`"ghost", "bot"`, `"ghost"`)},
		{name: "another permission asks for approval", script: `
			permissions /permissions/- := {"id": "free", "description": "x", "subjects": ["bot"], "capabilities": ["ship"], "effect": "allow"}`,
			want: []string{"W TERFYN-POLICY-SHADOWED-BY-GATE permissions /permissions/5/effect => permissions /permissions/2/effect", unguarded}},
		{name: "nobody has decided about risks", script: `capabilities /capabilities := ` + oneLine(`[
			{"id": "read", "description": "R.", "risk": "low"}, {"id": "cut", "description": "C.", "risk": "medium", "requiresApprovalByDefault": true},
			{"id": "ship", "description": "S.", "risk": "high"}, {"id": "burn", "description": "B.", "risk": "critical"},
			{"id": "melt", "description": "M.", "risk": "critical"}, {"id": "saw", "description": "S.", "risk": "high"}, {"id": "glue", "description": "G.", "risk": "medium"}]`),
			want: []string{
				"W TERFYN-SAFETY-RISK-UNRULED capabilities /capabilities/4/id",
				"W TERFYN-SAFETY-RISK-UNRULED capabilities /capabilities/5/id",
			}},
		{name: "a denial is a decision", script: `permissions /permissions/4/capabilities := ["cut"]`},
	})
}

// A suggestion must be the smallest safe step.
func TestSuggestionsNeverWiden(t *testing.T) {
	t.Parallel()
	x := settest.Parse(t, workshop).Apply(t, `
		permissions /permissions/3/approvalGate := "bench"
		permissions /permissions/4/approvalGate := "bench"
		definitions /agentDefinitions/0/components/capabilityRefs := ["burn", "read"]
		tasks /tasks/1/capabilitiesRequired := ["burn"]
		workflow /workflow/stages/1/steps/0/approvalGates := []
		project /project/approvalGates/0/requiredApprovers := ["bot"]`).Index()
	found := rules.Check(x)
	if len(found) < 6 {
		t.Fatalf("only %d findings", len(found))
	}
	for _, r := range found {
		for _, word := range []string{"add a permission", "add permission", "grant", "remove the gate", "drop", "raise", "relax", "set the effect to allow", "write allow"} {
			if strings.Contains(strings.ToLower(r.Suggestion), word) {
				t.Errorf("%s suggests %q", r.Code, r.Suggestion)
			}
		}
	}
}

// Permissions of a hostile set may all meet each other; one finding names only so
// many of them.
func TestPermissionsThatAllMeet(t *testing.T) {
	t.Parallel()
	const n = 1_500
	var list strings.Builder
	for i := range n {
		fmt.Fprintf(&list, `,{"id":"a%d","subjects":["ann","bot"],"capabilities":["cut"],"effect":"allow"},{"id":"d%d","subjects":["bot"],"capabilities":["cut"],"effect":"deny"}`, i, i)
	}
	x := settest.Parse(t, people).Put(t, "permissions.yaml", "/permissions", "["+list.String()[1:]+"]").Index()
	shadowed := 0
	for _, r := range rules.Check(x) {
		if r.Code != code.PolicyShadowedByDeny {
			continue
		}
		shadowed++
		if len(r.Related) != 200 || r.Related[0].Path != "/permissions/1/effect" {
			t.Fatalf("%d related places, the first %s", len(r.Related), r.Related[0].Path)
		}
	}
	if shadowed != n {
		t.Errorf("%d findings, want %d", shadowed, n)
	}
}
