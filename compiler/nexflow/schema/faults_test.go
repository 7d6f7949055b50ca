package schema

import "testing"

// Every kind and every condition of the draft, on documents of our own.

func TestDocumentFaults(t *testing.T) {
	t.Parallel()
	checkFaults(t, full(t), []fault{
		{"version as a number", `tasks /specVersion := 0.1`, `TYPE tasks /specVersion type`},
		{"another version", `tasks /specVersion := "0.2"`, `ENUM tasks /specVersion enum`},
		{"no metadata, no list", `
			events /metadata delete
			events /events delete`, `
			REQUIRED events /metadata required
			REQUIRED events /events required`},
		{"metadata", `events /metadata := {"project": "My Shop", "labels": ["a", "a"]}`, `
			PATTERN events /metadata/project pattern
			CONSTRAINT events /metadata/labels uniqueItems`},
		{"null is no text", `handoffs /handoffs/0/reason := null`, `TYPE handoffs /handoffs/0/reason type`},
		{"empty text where one is needed", `agents /agents/0/displayName := ""`, `CONSTRAINT agents /agents/0/displayName minLength`},
		{"id that is too long", `capabilities /capabilities/0/id := "` + long(129) + `"`, `CONSTRAINT capabilities /capabilities/0/id maxLength`},
		{"id of the greatest length", `capabilities /capabilities/0/id := "` + long(128) + `"`, ``},
		{"lists that must not be empty", `
			actors /actors := []
			agents /agents := []
			agent-definitions /agentDefinitions := []
			tasks /tasks := []
			workflow /workflow/stages := []
			model-profiles /modelProfiles := []
			prompt-sets /promptSets := []
			retrieval-profiles /retrievalProfiles := []`, `
			CONSTRAINT actors /actors minItems
			CONSTRAINT agents /agents minItems
			CONSTRAINT agent-definitions /agentDefinitions minItems
			CONSTRAINT tasks /tasks minItems
			CONSTRAINT workflow /workflow/stages minItems
			CONSTRAINT model-profiles /modelProfiles minItems
			CONSTRAINT prompt-sets /promptSets minItems
			CONSTRAINT retrieval-profiles /retrievalProfiles minItems`},
		{"lists that may be empty", `
			capabilities /capabilities := []
			permissions /permissions := []
			handoffs /handoffs := []
			context /contextSources := []
			memory /memoryScopes := []
			providers /providers := []
			events /events := []
			extensions /extensions := []
			workflow /workflow/stages/0/steps := []`, ``},
		{"kinds of faults in one object", `permissions /permissions/0 := {"id": 1, "description": "x", "subjects": ["a", "a"], "effect": "yes", "conditions": "x"}`, `
			TYPE permissions /permissions/0/id type
			CONSTRAINT permissions /permissions/0/subjects uniqueItems
			ENUM permissions /permissions/0/effect enum
			TYPE permissions /permissions/0/conditions type
			REQUIRED permissions /permissions/0/capabilities required`},
	})
}

func TestProjectFaults(t *testing.T) {
	t.Parallel()
	const network = "/project/policies/networkAccess"
	failed := "CONSTRAINT project " + network + " oneOf\n"
	checkFaults(t, full(t), []fault{
		{"text for the network", `project ` + network + ` := "ask first"`, ``},
		{"no text for the network", `project ` + network + ` := ""`, failed + "CONSTRAINT project " + network + " minLength"},
		{"destinations nowhere", `project ` + network + `/rules/1/destinations := {"ports": [0]}`, failed + `
			CONSTRAINT project ` + network + `/rules/1/destinations anyOf
			CONSTRAINT project ` + network + `/rules/1/destinations/ports/0 minimum
			REQUIRED project ` + network + `/rules/1/destinations/contextSources required
			REQUIRED project ` + network + `/rules/1/destinations/domains required
			REQUIRED project ` + network + `/rules/1/destinations/extensions required
			REQUIRED project ` + network + `/rules/1/destinations/providers required`},
		{"domain", `project ` + network + `/rules/1/destinations/domains := ["Flour.example"]`, failed + `
			PATTERN project ` + network + `/rules/1/destinations/domains/0 pattern`},
		{"redirects and recording", `
			project ` + network + `/transport/maxRedirects := 11
			project ` + network + `/audit/redactQuery := false`, failed + `
			CONSTRAINT project ` + network + `/transport/maxRedirects maximum
			ENUM project ` + network + `/audit/redactQuery const`},
		{"override is closed", `
			project /project/policies/humanOverride/secretSauce := 1
			project /project/policies/humanOverride/resume/x/y := 1`, `
			ADDITIONAL-PROPERTY project /project/policies/humanOverride/<redacted> additionalProperties
			ADDITIONAL-PROPERTY project /project/policies/humanOverride/resume/<redacted> additionalProperties`},
		{"override authority", `project /project/policies/humanOverride/authorities := [{"kind": "agent", "id": "anna", "scope": {"kind": "workflow", "id": "w"}}]`, `
			ENUM project /project/policies/humanOverride/authorities/0/kind const
			CONSTRAINT project /project/policies/humanOverride/authorities/0 not`},
		{"target of a workflow without one", `project /project/approvalGates/0/targets/1/scope delete`, `
			CONSTRAINT project /project/approvalGates/0/targets/1 oneOf
			REQUIRED project /project/approvalGates/0/targets/1/scope required`},
		{"scoped target of the whole set", `project /project/approvalGates/0/targets/0/scope := {"kind": "workflow", "id": "morning"}`, `
			CONSTRAINT project /project/approvalGates/0/targets/0 oneOf
			CONSTRAINT project /project/approvalGates/0/targets/0/scope not`},
		{"target as a text", `project /project/approvalGates/0/targets/0 := "bread"`, `TYPE project /project/approvalGates/0/targets/0 type`},
		{"scope as a text", `project /project/approvalGates/0/targets/1/scope := "morning"`, `TYPE project /project/approvalGates/0/targets/1/scope type`},
		{"neither text nor object for the network", `project ` + network + ` := 5`, failed + "TYPE project " + network + " type\nTYPE project " + network + " type"},
		{"target of a kind that has no gates", `project /project/approvalGates/0/targets/0/kind := "actor"`, `
			CONSTRAINT project /project/approvalGates/0/targets/0 oneOf
			ENUM project /project/approvalGates/0/targets/0/kind enum`},
		{"both hints for workflows", `project /manifests/workflow := "w.yaml"`, `CONSTRAINT project /manifests not`},
		{"hints", `
			project /manifests/actors := " "
			project /manifests/workflows := []
			project /manifests/surprise := 1
			project /manifests/other := 2`, `
			PATTERN project /manifests/actors pattern
			CONSTRAINT project /manifests/workflows minItems
			TYPE project /manifests/<redacted> type`},
	})
}

func TestActorFaults(t *testing.T) {
	t.Parallel()
	checkFaults(t, full(t), []fault{
		{"agent without its declaration", `actors /actors/1/agentRef delete`, `
			CONSTRAINT actors /actors/1 oneOf
			REQUIRED actors /actors/1/agentRef required`},
		{"automation that nobody operates", `actors /actors/2/operatedBy delete`, `
			CONSTRAINT actors /actors/2 oneOf
			REQUIRED actors /actors/2/operatedBy required`},
		{"automation that represents", `actors /actors/2/representedBy := [{"kind": "actor", "id": "anna"}]`, `
			CONSTRAINT actors /actors/2 oneOf
			CONSTRAINT actors /actors/2 not`},
		{"authority with an operator", `actors /actors/4/operatedBy := [{"kind": "actor", "id": "anna"}]`, `
			CONSTRAINT actors /actors/4 oneOf
			CONSTRAINT actors /actors/4 not`},
		{"no kind of actor", `actors /actors/2/kind := "robot"`, `
			CONSTRAINT actors /actors/2 oneOf
			ENUM actors /actors/2/kind enum`},
		{"kind that is no text", `actors /actors/2/kind := 5`, `
			CONSTRAINT actors /actors/2 oneOf
			TYPE actors /actors/2/kind type`},
		{"reference as a text", `actors /actors/1/agentRef := "baker-agent"`, `TYPE actors /actors/1/agentRef type`},
		{"references as texts", `actors /actors/2/operatedBy := ["anna"]`, `TYPE actors /actors/2/operatedBy/0 type`},
		{"fits two kinds", `actors /actors/2/kind delete`, `
			CONSTRAINT actors /actors/2 oneOf
			REQUIRED actors /actors/2/kind required`},
		{"reference to another kind", `actors /actors/1/agentRef/kind := "actor"`, `ENUM actors /actors/1/agentRef/kind const`},
		{"reference to no kind, with more", `actors /actors/1/agentRef := {"kind": "robot", "id": "x", "why": 1}`, `
			ADDITIONAL-PROPERTY actors /actors/1/agentRef/<redacted> additionalProperties
			ENUM actors /actors/1/agentRef/kind const
			ENUM actors /actors/1/agentRef/kind enum`},
	})
}

func TestConditions(t *testing.T) {
	t.Parallel()
	const definition, constraints = "/agentDefinitions/0", "/providers/0/constraints"
	checkFaults(t, full(t), []fault{
		{"active definition with nothing", `
			agent-definitions ` + definition + `/components := {}
			agent-definitions ` + definition + `/changeSummary delete
			agent-definitions ` + definition + `/compatibility := {}`, `
			REQUIRED agent-definitions ` + definition + `/changeSummary required
			REQUIRED agent-definitions ` + definition + `/compatibility/impact required
			REQUIRED agent-definitions ` + definition + `/compatibility/notes required
			REQUIRED agent-definitions ` + definition + `/components/modelProfileRef required
			REQUIRED agent-definitions ` + definition + `/components/promptSetRef required
			REQUIRED agent-definitions ` + definition + `/components/retrievalProfileRef required
			REQUIRED agent-definitions ` + definition + `/components/permissionRefs required
			REQUIRED agent-definitions ` + definition + `/components/capabilityRefs required
			REQUIRED agent-definitions ` + definition + `/components/contextSourceRefs required
			REQUIRED agent-definitions ` + definition + `/components/memoryScopes required
			REQUIRED agent-definitions ` + definition + `/components/extensionRefs required`},
		{"active definition, unreviewed", `
			agent-definitions ` + definition + `/review := {"required": false, "approvers": [], "activationCriteria": []}
			agent-definitions ` + definition + `/audit := {"recordReviewState": false, "events": []}`, `
			ENUM agent-definitions ` + definition + `/review/required const
			REQUIRED agent-definitions ` + definition + `/review/state required
			REQUIRED agent-definitions ` + definition + `/review/approvalGate required
			CONSTRAINT agent-definitions ` + definition + `/review/approvers minItems
			CONSTRAINT agent-definitions ` + definition + `/review/activationCriteria minItems
			ENUM agent-definitions ` + definition + `/audit/recordReviewState const
			CONSTRAINT agent-definitions ` + definition + `/audit/events minItems
			REQUIRED agent-definitions ` + definition + `/audit/recordAgentDefinitionRef required
			REQUIRED agent-definitions ` + definition + `/audit/recordDefinitionVersion required
			REQUIRED agent-definitions ` + definition + `/audit/recordComponentRefs required
			REQUIRED agent-definitions ` + definition + `/audit/recordChangeSummary required`},
		{"the same in a draft", `
			agent-definitions ` + definition + `/status := "draft"
			agent-definitions ` + definition + `/review := {"required": false, "approvers": [], "activationCriteria": []}
			agent-definitions ` + definition + `/audit := {"recordReviewState": false, "events": []}
			agent-definitions ` + definition + `/components := {}
			agent-definitions ` + definition + `/compatibility delete`, ``},
		{"memory policy", `agent-definitions /agentDefinitions/1/components/memoryPolicyRef := null`,
			`CONSTRAINT agent-definitions /agentDefinitions/1/components/memoryPolicyRef not`},
		{"mcp without its server", `context /contextSources/2/mcp delete`, `REQUIRED context /contextSources/2/mcp required`},
		{"tools without approval", `context /contextSources/1/mcp/requiresApprovalForTools := false`,
			`ENUM context /contextSources/1/mcp/requiresApprovalForTools const`},
		{"actions", `context /contextSources/2/mcp/exposes := ["actions"]`, `
			REQUIRED context /contextSources/2/mcp/allowedTools required
			REQUIRED context /contextSources/2/mcp/requiresApprovalForTools required`},
		{"a server elsewhere is held to the same", `context /contextSources/0/mcp := {"serverId": "a", "exposes": ["tools"]}`, `
			REQUIRED context /contextSources/0/mcp/allowedTools required
			REQUIRED context /contextSources/0/mcp/requiresApprovalForTools required`},
		{"features twice", `providers /providers/0/capabilities := []`, `CONSTRAINT providers /providers/0 not`},
		{"training twice", `providers ` + constraints + `/allowTrainingUse := false`, `CONSTRAINT providers ` + constraints + ` not`},
		{"no constraints", `providers ` + constraints + ` := {}`, `CONSTRAINT providers ` + constraints + ` minProperties`},
		{"regions without a list", `providers ` + constraints + `/allowedRegions delete`, `REQUIRED providers ` + constraints + `/allowedRegions required`},
		{"a list without regions", `providers ` + constraints + `/dataResidency := "any"`, `ENUM providers ` + constraints + `/dataResidency const`},
		{"a list alone", `providers ` + constraints + `/dataResidency delete`, `REQUIRED providers ` + constraints + `/dataResidency required`},
		{"name of a region", `providers ` + constraints + `/allowedRegions := ["-eu"]`, `PATTERN providers ` + constraints + `/allowedRegions/0 pattern`},
		{"bounded without an end", `providers ` + constraints + `/dataRetention := {"mode": "bounded"}`,
			`REQUIRED providers ` + constraints + `/dataRetention/maxDuration required`},
		{"numbers", `
			retrieval-profiles /retrievalProfiles/0/chunking := {"maxChunkTokens": 1.5, "overlapTokens": -1}
			retrieval-profiles /retrievalProfiles/0/retriever := {"topK": 3.0, "scoreThreshold": -0.1}`, `
			TYPE retrieval-profiles /retrievalProfiles/0/chunking/maxChunkTokens type
			CONSTRAINT retrieval-profiles /retrievalProfiles/0/chunking/overlapTokens minimum
			CONSTRAINT retrieval-profiles /retrievalProfiles/0/retriever/scoreThreshold minimum`},
		{"moments", `
			prompt-sets /promptSets/0/review/reviewedAt := "2026-06-01"
			model-profiles /modelProfiles/0/selection/pinnedModel/resolvedAt := "yesterday"`, `
			FORMAT prompt-sets /promptSets/0/review/reviewedAt format
			FORMAT model-profiles /modelProfiles/0/selection/pinnedModel/resolvedAt format`},
		{"scopes of memory", `
			memory /memoryScopes/0/scope := "planet"
			memory /memoryScopes/0/updateMode := "sometimes"
			agents /agents/0/memoryAccess := ["task", "task"]`, `
			ENUM memory /memoryScopes/0/scope enum
			ENUM memory /memoryScopes/0/updateMode enum
			CONSTRAINT agents /agents/0/memoryAccess uniqueItems`},
	})
}
