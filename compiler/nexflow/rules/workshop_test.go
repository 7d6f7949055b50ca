package rules_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"terfyn/compiler/nexflow/manifest"
	"terfyn/compiler/nexflow/refs"
	"terfyn/compiler/nexflow/rules"
	"terfyn/compiler/nexflow/settest"
)

// workshop is a small set about which the rules of participants, policy, gates and
// the work graph have nothing to say.
const workshop = `
-- project.yaml
{specVersion: "0.1", kind: Project, metadata: {project: workshop}, project: {
  id: workshop, displayName: Workshop, description: A workshop.,
  policies: {humanOverride: {authorities: [{kind: actor, id: ann}, {kind: actor, id: board}], resume: {approvalGate: bench}}},
  approvalGates: [
    {id: bench, description: The bench agrees., requiredApprovers: [ann]},
    {id: door, description: The door agrees., requiredApprovers: [ann, ben], targets: [
      {kind: task, id: build}, {kind: task, id: paint}, {kind: context-source, id: plans}, {kind: memory-scope, id: project},
      {kind: permission, id: ship_it}, {kind: agent-definition, id: bot_one}, {kind: capability, id: ship},
      {kind: workflow-step, id: make, scope: {kind: workflow, id: chair}},
      {kind: workflow, id: chair}, {kind: workflow-stage, id: first, scope: {kind: workflow, id: chair}}, {kind: provider, id: general}]}]}}
-- actors.yaml
{specVersion: "0.1", kind: ActorSet, metadata: {project: workshop}, actors: [
  {id: ann, kind: human, displayName: A, description: A., roles: [keeper], responsibilities: [Keep.]},
  {id: ben, kind: human, displayName: B, description: B., roles: [keeper], responsibilities: [Keep.]},
  {id: bot, kind: agent, displayName: T, description: T., roles: [maker], responsibilities: [Make.], agentRef: {kind: agent, id: bot-agent}},
  {id: ci, kind: automation, displayName: C, description: C., roles: [checker], responsibilities: [Check.], operatedBy: [{kind: actor, id: ann}]},
  {id: board, kind: authority, displayName: D, description: D., roles: [decider], responsibilities: [Decide.], representedBy: [{kind: actor, id: council}, {kind: actor, id: ben}]},
  {id: council, kind: authority, displayName: E, description: E., roles: [decider], responsibilities: [Decide.], representedBy: [{kind: actor, id: ann}]}]}
-- agents.yaml
{specVersion: "0.1", kind: AgentSet, metadata: {project: workshop}, agents: [
  {id: bot-agent, displayName: T, role: maker, description: T., responsibilities: [Make.], skills: [making]}]}
-- definitions.yaml
{specVersion: "0.1", kind: AgentDefinitionSet, metadata: {project: workshop}, agentDefinitions: [
  {id: bot_one, agentRef: bot-agent, definitionVersion: "1", status: active, owner: ann, description: D., autonomyLevel: suggest_only,
   components: {permissionRefs: [make_it], capabilityRefs: [read, cut]}, review: {required: true, approvalGate: door}},
  {id: bot_two, agentRef: bot-agent, definitionVersion: "2", status: draft, owner: ann, description: D., autonomyLevel: suggest_only,
   components: {permissionRefs: [make_it], capabilityRefs: [read, cut]}, review: {required: true, approvalGate: bench}}]}
-- capabilities.yaml
{specVersion: "0.1", kind: CapabilitySet, metadata: {project: workshop}, capabilities: [
  {id: read, description: R., risk: low}, {id: cut, description: C., risk: medium, requiresApprovalByDefault: true},
  {id: ship, description: S., risk: high}, {id: burn, description: B., risk: critical}]}
-- permissions.yaml
{specVersion: "0.1", kind: PermissionSet, metadata: {project: workshop}, permissions: [
  {id: look, description: L., subjects: [ann, bot, ci], capabilities: [read], effect: allow},
  {id: make_it, description: M., subjects: [bot], capabilities: [cut], effect: approval_required, approvalGate: bench},
  {id: ship_it, description: S., subjects: [bot, ben], capabilities: [ship], effect: approval_required, approvalGate: door},
  {id: no_fire, description: N., subjects: [bot, ci], capabilities: [burn], effect: deny},
  {id: people, description: P., subjects: [ann], capabilities: [cut, burn], effect: allow}]}
-- tasks.yaml
{specVersion: "0.1", kind: TaskSet, metadata: {project: workshop}, tasks: [
  {id: plan, title: P, status: ready, owner: ann, acceptanceCriteria: [], capabilitiesRequired: [read]},
  {id: build, title: B, status: ready, owner: bot, participants: [ann], dependsOn: [plan], acceptanceCriteria: [], capabilitiesRequired: [read, cut, ship], approvalGates: [bench, door]},
  {id: paint, title: P, status: ready, owner: bot, dependsOn: [build], acceptanceCriteria: [], capabilitiesRequired: [read, cut], approvalGates: []}]}
-- workflow.yaml
{specVersion: "0.1", kind: Workflow, metadata: {project: workshop}, workflow: {id: chair, displayName: C,
  stages: [
    {id: first, displayName: F, steps: [{id: think, task: plan}, {id: make, task: build, dependsOn: [think], approvalGates: [door]}]},
    {id: second, displayName: S, steps: [{id: colour, task: paint, approvalGates: [door, bench]}]}],
  dependencies: [{from: make, to: colour, type: blocks}, {from: think, to: make}]}}
-- workflow2.yaml
{specVersion: "0.1", kind: Workflow, metadata: {project: workshop}, workflow: {id: table, displayName: T,
  stages: [{id: first, displayName: F, steps: [{id: make, task: build}, {id: colour, task: paint, dependsOn: [make]}]}]}}
-- handoffs.yaml
{specVersion: "0.1", kind: HandoffSet, metadata: {project: workshop}, handoffs: [
  {id: ann_to_bot, from: [ben, ann], to: [bot, ci], reason: R., nextAction: N., status: pending}]}
-- context.yaml
{specVersion: "0.1", kind: ContextSet, metadata: {project: workshop}, contextSources: [
  {id: plans, type: docs, description: P., access: {default: read}, classification: internal, approvalGates: [door]}]}
-- memory.yaml
{specVersion: "0.1", kind: MemorySet, metadata: {project: workshop}, memoryScopes: [
  {scope: project, retention: R., ownership: O., visibility: V., updateRules: U., sensitivity: internal, allowedConsumers: [], updateMode: approval_required, approvalGate: door}]}
-- providers.yaml
{specVersion: "0.1", kind: ProviderSet, metadata: {project: workshop}, providers: [{id: general, type: abstract, description: G., features: [text_generation]}]}
`

// working gives the findings of the rules that are about participants, policy,
// gates and the work graph.
func working(x *refs.Index) []string {
	records := slices.DeleteFunc(rules.Check(x), func(r manifest.Record) bool { return slices.Contains(knowing, r.Code) })
	manifest.Sort(records)
	out := []string{}
	for _, r := range records {
		out = append(out, noted(r))
	}
	return out
}

func checkWorkshop(t *testing.T, rows []change) {
	t.Helper()
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			got := working(settest.Parse(t, workshop).Apply(t, row.script).Index())
			if diff := cmp.Diff(append([]string{}, row.want...), got); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
		})
	}
}

func TestQuietWorkshop(t *testing.T) {
	t.Parallel()
	checkWorkshop(t, []change{{name: "unchanged"}})
}

// detailed is the members of the findings at a place.
func detailed(x *refs.Index, path string) []string {
	for _, r := range rules.Check(x) {
		if r.Path == path && len(r.Details.Members) > 0 {
			return r.Details.Members
		}
	}
	return nil
}
