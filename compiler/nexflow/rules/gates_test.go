package rules_test

import "testing"

func TestGateApprovers(t *testing.T) {
	t.Parallel()
	at := "project /project/approvalGates/0/requiredApprovers"
	checkWorkshop(t, []change{
		{name: "no list", script: at + ` delete`, want: []string{"W TERFYN-GATE-NO-APPROVER " + at}},
		{name: "empty list", script: at + ` := []`, want: []string{"W TERFYN-GATE-NO-APPROVER " + at}},
		{name: "authority", script: at + ` := ["board", "ann"]`},
		{name: "not declared", script: at + ` := ["ghost"]`},
		{name: "automation that does nothing here", script: at + `/- := "ci"`, want: []string{"W TERFYN-GATE-NONHUMAN-APPROVER " + at + "/1"}},
		{name: "agent whose work it is", script: at + `/- := "bot"`, want: []string{
			"W TERFYN-GATE-NONHUMAN-APPROVER " + at + "/1",
			"W TERFYN-GATE-SELF-APPROVAL " + at + "/1 => permissions /permissions/1/subjects, tasks /tasks/1/owner, tasks /tasks/2/owner",
		}},
		{name: "owner of a task that only a step guards", script: at + ` := ["bot"]
			permissions /permissions/1/subjects := ["ben"]
			permissions /permissions/2/capabilities := ["ship", "cut"]
			definitions /agentDefinitions/0/components/permissionRefs := []
			definitions /agentDefinitions/1/components/permissionRefs := []
			tasks /tasks/1/approvalGates := ["door"]`, want: []string{
			"W TERFYN-GATE-NONHUMAN-APPROVER " + at + "/0",
			"W TERFYN-GATE-SELF-APPROVAL " + at + "/0 => tasks /tasks/2/owner",
		}},
		{name: "a human may approve what is theirs", script: `tasks /tasks/0/approvalGates := ["bench"]`},
	})
}

func TestGateTargets(t *testing.T) {
	t.Parallel()
	target := func(n string) []string {
		return []string{"W TERFYN-GATE-TARGET-NOT-ATTACHED project /project/approvalGates/1/targets/" + n}
	}
	checkWorkshop(t, []change{
		{name: "task that its step still names", script: `tasks /tasks/1/approvalGates := ["bench"]`},
		{name: "task, and the step of the same gate", script: `tasks /tasks/1/approvalGates := ["bench"]
			workflow /workflow/stages/0/steps/1/approvalGates delete`,
			want: []string{
				target("0")[0], target("7")[0],
				"W TERFYN-POLICY-TASK-GATE-MISSING tasks /tasks/1/capabilitiesRequired/2",
			}},
		{name: "task that only its step named", script: `workflow /workflow/stages/1/steps/0/approvalGates := ["bench"]`, want: target("1")},
		{name: "context source", script: `context /contextSources/0/approvalGates := ["bench"]`, want: target("2")},
		{name: "memory scope", script: `memory /memoryScopes/0/approvalGate := "bench"`, want: target("3")},
		{name: "permission, and the capability that only it gated", script: `permissions /permissions/2/approvalGate := "bench"`,
			want: append(target("4"), target("6")...)},
		{name: "capability with one way that the gate does not guard", script: `permissions /permissions/2/approvalGate := "bench"
			permissions /permissions/- := {"id": "also", "description": "x", "subjects": ["ci"], "capabilities": ["ship"], "effect": "approval_required", "approvalGate": "door"}`,
			want: append(target("4"), target("6")...)},
		{name: "a denial does not attach a capability", script: `permissions /permissions/2/approvalGate := "bench"
			permissions /permissions/- := {"id": "no", "description": "x", "subjects": ["ci"], "capabilities": ["ship"], "effect": "deny", "approvalGate": "door"}`,
			want: []string{
				"E TERFYN-POLICY-GATE-ON-DENY permissions /permissions/5/approvalGate",
				target("4")[0], target("6")[0],
			}},
		{name: "definition", script: `definitions /agentDefinitions/0/review delete`, want: target("5")},
		{name: "step, though its task names the gate", script: `workflow /workflow/stages/0/steps/1/approvalGates := ["bench"]`, want: target("7")},
		{name: "a step of the same id elsewhere", script: `project /project/approvalGates/1/targets/7/scope/id := "table"`, want: target("7")},
		{name: "targets and scopes that are not declared", script: `project /project/approvalGates/1/targets := ` + oneLine(`[
			{"kind": "task", "id": "ghost"}, {"kind": "context-source", "id": "ghost"}, {"kind": "memory-scope", "id": "team"}, {"kind": "permission", "id": "ghost"},
			{"kind": "agent-definition", "id": "ghost"}, {"kind": "capability", "id": "ghost"}, {"kind": "workflow-step", "id": "make", "scope": {"kind": "workflow", "id": "ghost"}},
			{"kind": "workflow-step", "id": "ghost", "scope": {"kind": "workflow", "id": "chair"}}, {"kind": "workflow-stage", "id": "first", "scope": {"kind": "workflow", "id": "ghost"}}]`)},
	})
}

func TestUnusedGates(t *testing.T) {
	t.Parallel()
	lonely := func(more string) string {
		return `
			project /project/approvalGates/- := {"id": "attic", "description": "x", "requiredApprovers": ["ann"]` + more + `}`
	}
	checkWorkshop(t, []change{
		{name: "nothing names it", script: lonely(""), want: []string{"I TERFYN-GATE-UNUSED project /project/approvalGates/2/id"}},
		{name: "an agent would decide there about nothing", script: lonely("") + `
			project /project/approvalGates/2/requiredApprovers := ["bot"]`, want: []string{
			"I TERFYN-GATE-UNUSED project /project/approvalGates/2/id",
			"W TERFYN-GATE-NONHUMAN-APPROVER project /project/approvalGates/2/requiredApprovers/0",
		}},
		{name: "it has targets", script: lonely(`, "targets": [{"kind": "workflow", "id": "chair"}]`)},
		{name: "it has what it applies to", script: lonely(`, "appliesTo": ["chairs"]`)},
		{name: "a permission names it", script: lonely("") + `
			permissions /permissions/4/approvalGate := "attic"`, want: []string{"W TERFYN-POLICY-GATE-ON-ALLOW permissions /permissions/4/approvalGate"}},
		{name: "a task names it", script: lonely("") + `
			tasks /tasks/0/approvalGates := ["attic"]`},
		{name: "a step names it", script: lonely("") + `
			workflow2 /workflow/stages/0/steps/0/approvalGates := ["attic"]`},
		{name: "a context source names it", script: lonely("") + `
			context /contextSources/0/approvalGates/- := "attic"`},
		{name: "a memory scope names it", script: lonely("") + `
			memory /memoryScopes/- := {"scope": "team", "approvalGate": "attic"}`},
		{name: "a definition names it", script: lonely("") + `
			definitions /agentDefinitions/1/review/approvalGate := "attic"`},
		{name: "resuming names it", script: lonely("") + `
			project /project/policies/humanOverride/resume/approvalGate := "attic"`},
		{name: "a network rule names it", script: lonely("") + `
			project /project/policies/networkAccess := {"rules": [{"id": "r", "effect": "approval_required", "actors": [], "approvalGate": "attic"}]}`},
	})
}
