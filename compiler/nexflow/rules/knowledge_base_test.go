package rules_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"terfyn/compiler/nexflow/code"
	"terfyn/compiler/nexflow/manifest"
	"terfyn/compiler/nexflow/refs"
	"terfyn/compiler/nexflow/rules"
	"terfyn/compiler/nexflow/settest"
)

// library is a small set about which the rules of definitions, selection,
// knowledge and network have nothing to say.
const library = `
-- project.yaml
{specVersion: "0.1", kind: Project, metadata: {project: library}, project: {
  id: library, displayName: Library, description: A library., defaultAutonomy: suggest_only,
  policies: {networkAccess: {default: deny,
    rules: [{id: catalogue, description: Reach the catalogue., effect: approval_required, actors: [clerk], capabilities: [access_network],
             purposes: [context_read], destinations: {contextSources: [shelves], schemes: [https]}, maxDataClassification: internal, approvalGate: desk}],
    transport: {requireTls: true, allowPrivateNetworks: false, allowLoopback: false, followRedirects: false, maxRedirects: 0},
    audit: {events: [network.decision], recordDecisions: true, recordDestination: true, recordPurpose: true, redactQuery: true, redactHeaders: true}}},
  approvalGates: [{id: desk, description: The desk agrees., requiredApprovers: [librarian]}]}}
-- actors.yaml
{specVersion: "0.1", kind: ActorSet, metadata: {project: library}, actors: [
  {id: librarian, kind: human, displayName: L, description: L., roles: [keeper], responsibilities: [Keep.]},
  {id: clerk, kind: agent, displayName: C, description: C., roles: [clerk], responsibilities: [Sort.], agentRef: {kind: agent, id: clerk-agent}}]}
-- agents.yaml
{specVersion: "0.1", kind: AgentSet, metadata: {project: library}, agents: [
  {id: clerk-agent, displayName: C, role: clerk, description: C., responsibilities: [Sort.], skills: [sorting]}]}
-- definitions.yaml
{specVersion: "0.1", kind: AgentDefinitionSet, metadata: {project: library}, agentDefinitions: [
  {id: clerk_one, agentRef: clerk-agent, definitionVersion: "1", status: active, owner: librarian, description: D., autonomyLevel: suggest_only,
   components: {modelProfileRef: balanced, promptSetRef: prompts, retrievalProfileRef: search, permissionRefs: [sort], capabilityRefs: [access_network],
                contextSourceRefs: [shelves, news], memoryScopes: [task], extensionRefs: [scanner]}},
  {id: clerk_two, agentRef: clerk-agent, definitionVersion: "2", status: draft, owner: librarian, description: D., autonomyLevel: suggest_only,
   components: {retrievalProfileRef: search, contextSourceRefs: [shelves, news]}}]}
-- capabilities.yaml
{specVersion: "0.1", kind: CapabilitySet, metadata: {project: library}, capabilities: [{id: access_network, description: N., risk: medium}]}
-- permissions.yaml
{specVersion: "0.1", kind: PermissionSet, metadata: {project: library}, permissions: [
  {id: sort, description: S., subjects: [clerk], capabilities: [access_network], effect: approval_required, approvalGate: desk}]}
-- context.yaml
{specVersion: "0.1", kind: ContextSet, metadata: {project: library}, contextSources: [
  {id: shelves, type: docs, description: S., access: {default: read, allowedActors: [clerk, librarian]}, classification: internal},
  {id: news, type: web, description: N., access: {default: query}, classification: public, allowedDomains: [news.example], freshness: {requiresCitation: true}}]}
-- memory.yaml
{specVersion: "0.1", kind: MemorySet, metadata: {project: library}, memoryScopes: [
  {scope: task, retention: R., ownership: O., visibility: V., updateRules: U., sensitivity: internal, allowedConsumers: [clerk]},
  {scope: project, retention: R., ownership: O., visibility: V., updateRules: U., sensitivity: internal, allowedConsumers: [librarian],
   updateMode: approval_required, approvalGate: desk, allowedWriters: [librarian], allowedSourceScopes: [task]}]}
-- providers.yaml
{specVersion: "0.1", kind: ProviderSet, metadata: {project: library}, providers: [
  {id: general, type: abstract, description: G., features: [text_generation], constraints: {trainingUse: prohibited, maxSensitivity: internal}},
  {id: spare, type: abstract, description: S., features: [text_generation], constraints: {trainingUse: prohibited, maxSensitivity: confidential}}]}
-- models.yaml
{specVersion: "0.1", kind: ModelProfileSet, metadata: {project: library}, modelProfiles: [
  {id: balanced, description: B., modelClass: reasoning, selection: {mode: pinned, providerRefs: [general], pinnedModel: {providerRef: general, modelId: m}},
   constraints: {trainingUse: prohibited, sensitivity: internal}, fallback: {allowed: true, requiresApproval: true, candidateProviderRefs: [spare]},
   audit: {recordResolvedModel: true}}]}
-- prompts.yaml
{specVersion: "0.1", kind: PromptSet, metadata: {project: library}, promptSets: [
  {id: prompts, description: P., version: "1", status: active, owner: librarian, prompts: [{id: role, kind: role, revision: "1"}],
   review: {required: true, safetyReviewStatus: approved}, audit: {}}]}
-- retrieval.yaml
{specVersion: "0.1", kind: RetrievalProfileSet, metadata: {project: library}, retrievalProfiles: [
  {id: search, description: S., version: "1", status: active, owner: librarian, audit: {},
   sources: [{contextSourceRef: shelves, purpose: P., accessMode: read, required: true, maxClassification: internal}, {contextSourceRef: news, purpose: P.}]}]}
-- events.yaml
{specVersion: "0.1", kind: EventSet, metadata: {project: library}, events: [{type: network.decision, description: N., payload: {}}]}
-- extensions.yaml
{specVersion: "0.1", kind: ExtensionSet, metadata: {project: library}, extensions: [{id: scanner, namespace: example.scanner, displayName: S, lifecycle: stable}]}
`

// knowing are the codes of the rules that these tests are about.
var knowing = []code.Code{
	code.EffectiveConfigAmbiguousDefinition, code.EffectiveConfigContextDenied, code.EffectiveConfigIneligibleDefinition,
	code.EffectiveConfigMemoryDenied, code.EffectiveConfigNoActiveDefinition, code.ProfileElevatedAutonomyWithoutPolicy,
	code.DefinitionReplacesCycle, code.DefinitionReplacesMismatch, code.DefinitionVersionReused, code.ExtLifecycle, code.RetrievalNarrowed,
	code.SelectionAliasMissing, code.SelectionConstraintConflict, code.SelectionFallbackUnreviewed, code.SelectionModeConflict,
	code.SelectionPinMissing, code.SelectionPinProvider, code.SelectionUnrecordedFloat, code.CompatProviderCapabilities, code.CompatTrainingUse,
	code.ContextAllowDenyConflict, code.ContextMCPCapability, code.ContextMCPUngated, code.ContextRestrictedUngated,
	code.ContextWebNoCitation, code.ContextWebUnbounded, code.RetrievalAccessExceeds, code.RetrievalClassification, code.RetrievalExcludedSource,
	code.MemoryDurableUngated, code.MemoryGateMissing, code.MemoryPromotionLowersSensitivity, code.MemoryPromotionSelf, code.MemoryWriterConflict,
	code.AuditMemoryEventsMissing, code.NetworkActorUnauthorized, code.NetworkClassification, code.NetworkRedirectConflict,
	code.NetworkSchemeConflict, code.SafetyNetworkRelaxed, code.CompatAdvisoryNetwork,
}

// known gives the findings of those codes in the notation of the tables below.
func known(x *refs.Index) []string {
	records := slices.DeleteFunc(rules.Check(x), func(r manifest.Record) bool { return !slices.Contains(knowing, r.Code) })
	manifest.Sort(records)
	out := []string{}
	for _, r := range records {
		out = append(out, noted(r))
	}
	return out
}

// noted writes a finding as severity, code, file and pointer, and the related
// places.
func noted(r manifest.Record) string {
	s := strings.ToUpper(string(r.Severity[:1])) + " " + string(r.Code) + " " + strings.TrimSuffix(r.File, ".yaml") + " " + r.Path
	for i, p := range r.Related {
		s += []string{" => ", ", "}[min(i, 1)] + strings.TrimSuffix(p.File, ".yaml") + " " + p.Path
	}
	return s
}

// change is a row of a table: what is changed in a set, and what is found then.
type change struct {
	name, script string
	want         []string
}

func checkChanges(t *testing.T, rows []change) {
	t.Helper()
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			got := known(settest.Parse(t, library).Apply(t, row.script).Index())
			if diff := cmp.Diff(append([]string{}, row.want...), got); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
		})
	}
}

func TestQuietSetIsQuiet(t *testing.T) {
	t.Parallel()
	if got := known(settest.Parse(t, library).Index()); len(got) > 0 {
		t.Errorf("the unchanged set has findings: %q", got)
	}
}
