package rules_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"terfyn/compiler/nexflow/settest"
)

// sampleChange is a change to a sample set and what is found beside the findings
// of the unchanged set.
type sampleChange struct {
	name, set, script string
	want              []string
}

const (
	minimal  = "examples/minimal-team"
	software = "examples/software-team"
)

// TestChangedSamples has the published cases about participants, policy, gates and
// the work graph, with the findings of all rules.
func TestChangedSamples(t *testing.T) {
	t.Parallel()
	for _, row := range slices.Concat(participantSamples, policySamples, workSamples) {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			set := settest.Sample(t, row.set)
			want := append(everything(set.Index()), row.want...)
			got := everything(set.Apply(t, row.script).Index())
			slices.Sort(want)
			slices.Sort(got)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
		})
	}
}

var participantSamples = []sampleChange{
	{"R01 an unresolved reference alone adds nothing", minimal, `agent-definitions /agentDefinitions/0/components/permissionRefs/- := "delete_everything"`, nil},
	{"R02", minimal, `tasks /tasks/0/owner := "nobody"`, nil},
	{"R03", minimal, `handoffs /handoffs/0/artifacts/0 := "ghost_patch"`, nil},
	{"R06", minimal, `project /project/approvalGates/0/requiredApprovers/- := "ghost"`, nil},
	{"R08", software, `project /project/approvalGates/2/targets/0/id := "mcp_tool"`, nil},
	{"R09", software, `project /project/approvalGates/2/targets/- := {"kind": "workflow-step", "id": "step-test-feature", "scope": {"kind": "workflow", "id": "nope"}}`, nil},
	{"R12", minimal, `tasks /tasks/0/owner := "docs_agent"`, nil},
	{"R13", minimal, `actors /actors/1 delete`, []string{"E TERFYN-ACTOR-BRIDGE-MISSING agents /agents/0/id"}},
	{"R14 nothing follows from a kind that is absent", minimal, `capabilities delete`, nil},
	{"X01", minimal, `capabilities /capabilities/- := {"id": "read_repository", "description": "again", "risk": "low"}`, nil},
	{"X02", minimal, `workflow /workflow/stages/1/steps/0/id := "step-draft-doc-update"`, nil},
	{"X03", minimal, `tasks /tasks/1/artifacts/- := {"id": "docs_patch", "type": "patch"}`, nil},
	{"X04", software, `capabilities /capabilities/- := {"id": "review-change", "description": "same id, other namespace", "risk": "low"}`, nil},
	{"A01", minimal, `actors /actors/- := {"id": "docs-agent-two", "kind": "agent", "displayName": "x", "description": "x", "roles": ["r"], "responsibilities": ["x"], "agentRef": {"kind": "agent", "id": "docs-agent"}}`,
		[]string{"E TERFYN-ACTOR-BRIDGE-DUPLICATE actors /actors/2/agentRef/id => actors /actors/1/agentRef/id"}},
	{"A02", minimal, `actors /actors/- := {"id": "ci-job", "kind": "automation", "displayName": "x", "description": "x", "roles": ["r"], "responsibilities": ["x"], "operatedBy": [{"kind": "actor", "id": "ci-job"}]}`,
		[]string{"E TERFYN-ACTOR-CYCLE actors /actors/2"}},
	{"A03", minimal, `project /project/policies/humanOverride/authorities/- := {"kind": "actor", "id": "docs-agent"}`,
		[]string{"E TERFYN-OVERRIDE-AUTHORITY-NOT-HUMAN project /project/policies/humanOverride/authorities/1/id"}},
	{"A04", minimal, `
		actors /actors/- := {"id": "board", "kind": "authority", "displayName": "x", "description": "x", "roles": ["r"], "responsibilities": ["x"], "representedBy": [{"kind": "actor", "id": "human-maintainer"}, {"kind": "actor", "id": "docs-agent"}]}
		project /project/policies/humanOverride/authorities/- := {"kind": "actor", "id": "board"}`,
		[]string{"E TERFYN-OVERRIDE-AUTHORITY-NOT-HUMAN project /project/policies/humanOverride/authorities/1/id"}},
	{"A06", minimal, `actors delete`, []string{"I TERFYN-COMPAT-NO-ACTORSET project "}},
}

const noWrite = `permissions /permissions/- := {"id": "docs_no_write", "description": "x", "subjects": ["docs-agent"], "capabilities": ["modify_documentation"], "effect": "deny"`

var policySamples = []sampleChange{
	{"P01", minimal, `permissions /permissions/1/approvalGate delete`, []string{"E TERFYN-POLICY-GATE-MISSING permissions /permissions/1/approvalGate"}},
	{"P02", minimal, noWrite + `}`, []string{
		"E TERFYN-POLICY-CAPABILITY-DENIED agent-definitions /agentDefinitions/0/components/capabilityRefs/1",
		"W TERFYN-POLICY-SHADOWED-BY-DENY permissions /permissions/1/effect => permissions /permissions/2/effect",
		"E TERFYN-POLICY-TASK-CAPABILITY-DENIED tasks /tasks/0/capabilitiesRequired/1",
	}},
	{"P03", minimal, noWrite + `, "approvalGate": "human_review"}`, []string{
		"E TERFYN-POLICY-CAPABILITY-DENIED agent-definitions /agentDefinitions/0/components/capabilityRefs/1",
		"W TERFYN-POLICY-SHADOWED-BY-DENY permissions /permissions/1/effect => permissions /permissions/2/effect",
		"E TERFYN-POLICY-GATE-ON-DENY permissions /permissions/2/approvalGate",
		"E TERFYN-POLICY-TASK-CAPABILITY-DENIED tasks /tasks/0/capabilitiesRequired/1",
	}},
	{"P04", software, `permissions /permissions/- := {"id": "qa_no_exec", "description": "x", "subjects": ["qa-agent"], "capabilities": ["execute_command"], "effect": "deny"}`, []string{
		"W TERFYN-POLICY-CAPABILITY-DENIED agent-definitions /agentDefinitions/1/components/capabilityRefs/1",
		"W TERFYN-POLICY-SHADOWED-BY-DENY permissions /permissions/1/effect => permissions /permissions/6/effect",
		"E TERFYN-POLICY-TASK-CAPABILITY-DENIED tasks /tasks/1/capabilitiesRequired/0",
	}},
	{"P06", minimal, `
		permissions /permissions/1/effect := "allow"
		permissions /permissions/1/approvalGate delete`, []string{"W TERFYN-SAFETY-UNGATED-RISK permissions /permissions/1/capabilities/2"}},
	{"P08", minimal, `project /project/approvalGates/0/requiredApprovers delete`, []string{"W TERFYN-GATE-NO-APPROVER project /project/approvalGates/0/requiredApprovers"}},
	{"P09", minimal, `
		tasks /tasks/0/approvalGates := []
		workflow /workflow/stages/0/steps/0/approvalGates := []`, []string{
		"W TERFYN-POLICY-TASK-GATE-MISSING tasks /tasks/0/capabilitiesRequired/0",
		"W TERFYN-POLICY-TASK-GATE-MISSING tasks /tasks/0/capabilitiesRequired/1",
	}},
	{"P11", minimal, `permissions /permissions/- := {"id": "docs_free_read", "description": "x", "subjects": ["docs-agent"], "capabilities": ["read_repository"], "effect": "allow"}`,
		[]string{"W TERFYN-POLICY-SHADOWED-BY-GATE permissions /permissions/2/effect => permissions /permissions/1/effect"}},
	{"P12", minimal, `permissions /permissions/0/approvalGate := "human_review"`, []string{"W TERFYN-POLICY-GATE-ON-ALLOW permissions /permissions/0/approvalGate"}},
	{"P13", minimal, `agent-definitions /agentDefinitions/0/components/permissionRefs/- := "maintainer_full_review"`,
		[]string{"E TERFYN-POLICY-PERMISSION-NOT-APPLICABLE agent-definitions /agentDefinitions/0/components/permissionRefs/1"}},
	{"P14", minimal, `project /project/approvalGates/0/requiredApprovers := ["docs-agent"]`, []string{
		"W TERFYN-GATE-NONHUMAN-APPROVER project /project/approvalGates/0/requiredApprovers/0",
		"W TERFYN-GATE-SELF-APPROVAL project /project/approvalGates/0/requiredApprovers/0 => permissions /permissions/1/subjects, tasks /tasks/0/owner",
	}},
	{"Y07", software, `context /contextSources/3/approvalGates delete`, []string{
		"W TERFYN-CONTEXT-MCP-UNGATED context /contextSources/3/approvalGates",
		"W TERFYN-GATE-TARGET-NOT-ATTACHED project /project/approvalGates/2/targets/0",
	}},
}

var workSamples = []sampleChange{
	{"G01", minimal, `workflow /workflow/stages/0/steps/0/dependsOn := ["step-review-doc-update"]`, []string{"E TERFYN-GRAPH-STEP-CYCLE workflow /workflow/stages/0/steps/0"}},
	{"G02", software, `workflow /workflow/dependencies/- := {"from": "step-update-docs", "to": "step-implement-feature", "type": "blocks"}`,
		[]string{"E TERFYN-GRAPH-STEP-CYCLE workflow /workflow/stages/0/steps/0"}},
	{"G03", software, `tasks /tasks/0/dependsOn := ["update-docs"]`, []string{"E TERFYN-GRAPH-TASK-CYCLE tasks /tasks/0/dependsOn"}},
	{"G04", minimal, `workflow /workflow/stages/0/steps/0/dependsOn := ["step-draft-doc-update"]`, []string{"E TERFYN-GRAPH-STEP-CYCLE workflow /workflow/stages/0/steps/0"}},
	{"G06", minimal, `tasks /tasks/- := {"id": "loose", "title": "x", "status": "proposed", "owner": "docs-agent", "acceptanceCriteria": []}`,
		[]string{"I TERFYN-GRAPH-TASK-UNSCHEDULED tasks /tasks/2/id"}},
	{"G07", minimal, `workflow /workflow/stages/- := {"id": "empty", "displayName": "x", "steps": []}`, []string{"W TERFYN-GRAPH-EMPTY-STAGE workflow /workflow/stages/2/steps"}},
	{"H01", minimal, `handoffs /handoffs/0/to := []`, []string{
		"E TERFYN-HANDOFF-ENDPOINT-EMPTY handoffs /handoffs/0/to",
		"I TERFYN-HANDOFF-MISSING workflow /workflow/stages/1/steps/0/dependsOn",
	}},
	{"H02", minimal, `handoffs /handoffs/0/to := ["docs-agent", "human-maintainer"]`, []string{"W TERFYN-HANDOFF-SELF handoffs /handoffs/0/to"}},
	{"H03", software, `handoffs /handoffs/1 delete`, []string{"I TERFYN-HANDOFF-MISSING workflow /workflow/stages/2/steps/0/dependsOn"}},
	{"N03", software, `project /project/policies/networkAccess/rules/0/actors/- := "reviewer"`,
		[]string{"W TERFYN-NETWORK-ACTOR-UNAUTHORIZED project /project/policies/networkAccess/rules/0/actors/3"}},
	{"L01", software, `
		project /project/approvalGates/2/targets delete
		project /project/approvalGates/2/appliesTo := ["mcp_tools"]`, nil},
}
