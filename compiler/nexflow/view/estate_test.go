package view

import (
	"testing"

	"terfyn/compiler/nexflow/settest"
)

// estate is a small set with every kind of declaration in it.
const estate = `
-- project.yaml
{specVersion: "0.1", kind: Project, metadata: {project: estate, name: Estate}, project: {
  id: estate, displayName: Estate, description: An estate., license: MIT, maintainers: [{id: owner, name: Owner, role: owner, contact: mail}],
  defaultAutonomy: ask_before_changes,
  policies: {requireReview: true, secretHandling: Never., networkAccess: {default: deny,
    rules: [{id: outside, description: Reach out., effect: approval_required, actors: [bot], capabilities: [call], purposes: [context_read],
             destinations: {domains: [a.example], contextSources: [wiki], providers: [cloud], extensions: [tracker], schemes: [https], ports: [443]},
             maxDataClassification: internal, approvalGate: door},
            {id: never, description: Not there., effect: deny, actors: [bot], purposes: [custom], destinations: {domains: [b.example]}}],
    transport: {requireTls: true, allowPrivateNetworks: false, allowLoopback: false, followRedirects: false, maxRedirects: 0},
    audit: {events: [net.decision], recordDecisions: true, recordDestination: true, recordPurpose: true, redactQuery: true, redactHeaders: true}},
   humanOverride: {authorities: [{kind: actor, id: owner}], operations: [stop_agent],
    response: {blockNewActions: true, inFlightActions: request_stop, onFailure: remain_blocked},
    resume: {mode: approval_required, approvalGate: door, requireReason: true},
    audit: {events: [net.decision], recordAuthority: true, recordReason: true, recordTarget: true, recordOutcome: true}}},
  approvalGates: [{id: door, description: The door., requiredApprovers: [owner], events: [net.decision], targets: [{kind: task, id: sweep}]}, {id: back, description: The back.}]},
 manifests: {}}
-- actors.yaml
{specVersion: "0.1", kind: ActorSet, metadata: {project: estate}, actors: [
  {id: owner, kind: human, displayName: O, description: O., roles: [owner], responsibilities: [Own.]},
  {id: bot, kind: agent, displayName: B, description: B., roles: [bot], responsibilities: [Sweep.], agentRef: {kind: agent, id: bot-agent}},
  {id: timer, kind: service, displayName: T, description: T., roles: [timer], responsibilities: [Tick.], operatedBy: [{kind: actor, id: owner}]}]}
-- agents.yaml
{specVersion: "0.1", kind: AgentSet, metadata: {project: estate}, agents: [
  {id: bot-agent, displayName: B, role: bot, description: B., responsibilities: [Sweep.], skills: [sweeping]}]}
-- definitions.yaml
{specVersion: "0.1", kind: AgentDefinitionSet, metadata: {project: estate}, agentDefinitions: [
  {id: bot_one, agentRef: bot-agent, definitionVersion: "1", status: active, owner: owner, description: D., autonomyLevel: ask_before_changes,
   components: {modelProfileRef: balanced, promptSetRef: prompts, retrievalProfileRef: search, permissionRefs: [may], capabilityRefs: [call],
                contextSourceRefs: [wiki], memoryScopes: [task], extensionRefs: [tracker]},
   review: {required: true, state: approved, approvers: [owner], approvalGate: door}, audit: {recordReviewState: true, events: [net.decision]}}]}
-- capabilities.yaml
{specVersion: "0.1", kind: CapabilitySet, metadata: {project: estate}, capabilities: [
  {id: call, description: C., risk: high}, {id: look, description: L., risk: low}]}
-- permissions.yaml
{specVersion: "0.1", kind: PermissionSet, metadata: {project: estate}, permissions: [
  {id: may, description: M., subjects: [bot], capabilities: [call], effect: approval_required, approvalGate: door},
  {id: sees, description: S., subjects: [owner], capabilities: [look, call], effect: allow}]}
-- tasks.yaml
{specVersion: "0.1", kind: TaskSet, metadata: {project: estate}, tasks: [
  {id: sweep, title: Sweep, status: ready, owner: bot, participants: [owner], capabilitiesRequired: [look], approvalGates: [door], acceptanceCriteria: [Clean.],
   artifacts: [{id: dust, type: pile, producedBy: bot}]}]}
-- workflow.yaml
{specVersion: "0.1", kind: Workflow, metadata: {project: estate}, workflow: {id: day, displayName: Day, triggers: [manual],
  stages: [{id: morning, displayName: Morning, steps: [{id: step-sweep, task: sweep, approvalGates: [door], emits: [net.decision]}]}], dependencies: []}}
-- handoffs.yaml
{specVersion: "0.1", kind: HandoffSet, metadata: {project: estate}, handoffs: [
  {id: done, from: [bot], to: [owner], reason: R., nextAction: N., status: pending, artifacts: [dust]}]}
-- context.yaml
{specVersion: "0.1", kind: ContextSet, metadata: {project: estate}, contextSources: [
  {id: wiki, type: mcp, description: W., uri: secret-uri, access: {default: read, allowedActors: [bot, owner], deniedActors: [timer]}, classification: internal,
   allowedDomains: [a.example], disallowedDomains: [b.example], approvalGates: [door],
   mcp: {serverId: s, exposes: [context], allowedTools: [look], requiresApprovalForTools: true}}]}
-- memory.yaml
{specVersion: "0.1", kind: MemorySet, metadata: {project: estate}, memoryScopes: [
  {scope: task, retention: R., ownership: O., visibility: V., updateRules: U., sensitivity: internal, allowedConsumers: [bot]},
  {scope: project, retention: R., ownership: O., visibility: V., updateRules: U., sensitivity: confidential, allowedConsumers: [owner],
   updateMode: review_required, allowedWriters: [owner], allowedSourceScopes: [task], approvalGate: door, auditEvents: [net.decision]}]}
-- providers.yaml
{specVersion: "0.1", kind: ProviderSet, metadata: {project: estate}, providers: [
  {id: cloud, type: abstract, description: C., features: [text_generation], constraints: {trainingUse: prohibited, maxSensitivity: internal, toolUse: none,
   dataResidency: regions, allowedRegions: [eu], networkAccess: optional, dataRetention: {mode: bounded, maxDuration: P1D}, approvalRequired: true, deployment: remote}}]}
-- models.yaml
{specVersion: "0.1", kind: ModelProfileSet, metadata: {project: estate}, modelProfiles: [
  {id: balanced, description: B., modelClass: reasoning, selection: {mode: pinned, providerRefs: [cloud], pinnedModel: {providerRef: cloud, modelId: m}},
   constraints: {trainingUse: prohibited, toolUse: none, sensitivity: internal}, fallback: {allowed: false, requiresApproval: true, candidateProviderRefs: []},
   audit: {recordResolvedModel: true}}]}
-- prompts.yaml
{specVersion: "0.1", kind: PromptSet, metadata: {project: estate}, promptSets: [
  {id: prompts, description: P., version: "1", status: active, owner: owner, prompts: [{id: role, kind: role, revision: "1", inline: secret-prompt}],
   review: {required: true, safetyReviewStatus: approved}, audit: {}}]}
-- retrieval.yaml
{specVersion: "0.1", kind: RetrievalProfileSet, metadata: {project: estate}, retrievalProfiles: [
  {id: search, description: S., version: "1", status: active, owner: owner, audit: {},
   sources: [{contextSourceRef: wiki, purpose: P., accessMode: read, required: true, maxClassification: internal}],
   excludedSources: [], sensitivity: {maxClassification: internal}}]}
-- events.yaml
{specVersion: "0.1", kind: EventSet, metadata: {project: estate}, events: [{type: net.decision, description: N., payload: {}}], envelope: {required: [id]}}
-- extensions.yaml
{specVersion: "0.1", kind: ExtensionSet, metadata: {project: estate}, extensions: [{id: tracker, namespace: secret.namespace, displayName: T, lifecycle: stable}]}
`

func estateFiles(t testing.TB) settest.Files {
	t.Helper()
	return settest.Parse(t, estate)
}

// estatePlaces is where a declaration of each compared kind stands in the estate.
var estatePlaces = map[string]struct{ file, pointer string }{
	"project": {"project", "/project"}, "maintainer": {"project", "/project/maintainers/0"}, "approval-gate": {"project", "/project/approvalGates/0"},
	"network-policy": {"project", "/project/policies/networkAccess"}, "network-rule": {"project", "/project/policies/networkAccess/rules/0"},
	"human-override": {"project", "/project/policies/humanOverride"},
	"actor":          {"actors", "/actors/1"}, "agent": {"agents", "/agents/0"}, "agent-definition": {"definitions", "/agentDefinitions/0"},
	"capability": {"capabilities", "/capabilities/0"}, "permission": {"permissions", "/permissions/0"}, "task": {"tasks", "/tasks/0"},
	"artifact": {"tasks", "/tasks/0/artifacts/0"}, "workflow": {"workflow", "/workflow"}, "workflow-stage": {"workflow", "/workflow/stages/0"},
	"workflow-step": {"workflow", "/workflow/stages/0/steps/0"}, "handoff": {"handoffs", "/handoffs/0"}, "event": {"events", "/events/0"},
	"extension": {"extensions", "/extensions/0"}, "context-source": {"context", "/contextSources/0"}, "memory-scope": {"memory", "/memoryScopes/1"},
	"prompt-set": {"prompts", "/promptSets/0"}, "prompt": {"prompts", "/promptSets/0/prompts/0"}, "retrieval-profile": {"retrieval", "/retrievalProfiles/0"},
	"provider": {"providers", "/providers/0"}, "model-profile": {"models", "/modelProfiles/0"},
}
