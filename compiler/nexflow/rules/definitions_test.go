package rules_test

import "testing"

const third = `{"id": "clerk_three", "agentRef": "clerk-agent", "definitionVersion": "3", "status": "active", "owner": "librarian", "description": "D.",
	"autonomyLevel": "suggest_only", "components": {}}`

func TestDefinitionInForce(t *testing.T) {
	t.Parallel()
	checkChanges(t, []change{
		{name: "two active", script: `definitions /agentDefinitions/1/status := "active"`,
			want: []string{"E NF-EFFECTIVE-CONFIG-AMBIGUOUS-DEFINITION definitions /agentDefinitions/1/status => definitions /agentDefinitions/0/status"}},
		{name: "three active are one finding at the second", script: `
			definitions /agentDefinitions/1/status := "active"
			definitions /agentDefinitions/- := ` + oneLine(third),
			want: []string{"E NF-EFFECTIVE-CONFIG-AMBIGUOUS-DEFINITION definitions /agentDefinitions/1/status => definitions /agentDefinitions/0/status, definitions /agentDefinitions/2/status"}},
		{name: "a duplicate id stands for nothing", script: `definitions /agentDefinitions/1/id := "clerk_one"
			definitions /agentDefinitions/1/status := "active"`},
		{name: "none active", script: `definitions /agentDefinitions/0/status := "deprecated"`,
			want: []string{"I NF-EFFECTIVE-CONFIG-NO-ACTIVE-DEFINITION definitions /agentDefinitions/0/agentRef"}},
		{name: "agents that are not declared have no definitions", script: `
			definitions /agentDefinitions/0/agentRef := "ghost"
			definitions /agentDefinitions/1/agentRef := "ghost"
			definitions /agentDefinitions/1/status := "active"
			definitions /agentDefinitions/1/definitionVersion := "1"
			definitions /agentDefinitions/1/components/contextSourceRefs := ["shelves", "news"]
			context /contextSources/1/access/default := "none"
			memory /memoryScopes/0/allowedConsumers := ["librarian"]`},
		{name: "prompt set in draft", script: `prompts /promptSets/0/status := "draft"`,
			want: []string{"E NF-EFFECTIVE-CONFIG-INELIGIBLE-DEFINITION definitions /agentDefinitions/0/components/promptSetRef"}},
		{name: "prompt set without the safety approval it requires", script: `prompts /promptSets/0/review/safetyReviewStatus := "not_reviewed"`,
			want: []string{"E NF-EFFECTIVE-CONFIG-INELIGIBLE-DEFINITION definitions /agentDefinitions/0/components/promptSetRef"}},
		{name: "prompt set that requires no review", script: `prompts /promptSets/0/review := {"required": false, "safetyReviewStatus": "pending"}`},
		{name: "prompt set in draft and unreviewed is one finding", script: `prompts /promptSets/0/review/safetyReviewStatus := "pending"
			prompts /promptSets/0/status := "retired"`,
			want: []string{"E NF-EFFECTIVE-CONFIG-INELIGIBLE-DEFINITION definitions /agentDefinitions/0/components/promptSetRef"}},
		{name: "retrieval profile retired; the draft definition may use it", script: `retrieval /retrievalProfiles/0/status := "retired"`,
			want: []string{"E NF-EFFECTIVE-CONFIG-INELIGIBLE-DEFINITION definitions /agentDefinitions/0/components/retrievalProfileRef"}},
		{name: "components that are not declared", script: `definitions /agentDefinitions/0/components/promptSetRef := "ghost"
			definitions /agentDefinitions/0/components/retrievalProfileRef := "ghost"`},
	})
}

func TestDefinitionRequests(t *testing.T) {
	t.Parallel()
	checkChanges(t, []change{
		{name: "denied reader", script: `context /contextSources/1/access/deniedActors := ["clerk"]`, want: contextDenied("1")},
		{name: "default none", script: `context /contextSources/1/access/default := "none"`, want: contextDenied("1")},
		{name: "default none beats the allow-list", script: `context /contextSources/0/access/default := "none"`,
			want: append(contextDenied("0"), "W TERFYN-RETRIEVAL-ACCESS-EXCEEDS retrieval /retrievalProfiles/0/sources/0/accessMode")},
		{name: "not among the allowed", script: `context /contextSources/0/access/allowedActors := ["librarian"]`, want: contextDenied("0")},
		{name: "nobody allowed", script: `context /contextSources/0/access/allowedActors := []`, want: contextDenied("0")},
		{name: "without an actor nobody is refused", script: `actors /actors/1 delete
			context /contextSources/1/access/default := "none"
			memory /memoryScopes/0/allowedConsumers := []`},
		{name: "legacy participants are agents", script: `actors delete
			context /contextSources/0/access/allowedActors := ["clerk-agent"]
			context /contextSources/1/access/deniedActors := ["clerk-agent"]
			memory /memoryScopes/0/allowedConsumers := ["clerk-agent"]`, want: contextDenied("1")},
		{name: "no consumer", script: `memory /memoryScopes/0/allowedConsumers := ["librarian"]
			definitions /agentDefinitions/1/components/memoryScopes := ["task", "project", "user"]`,
			want: []string{
				"E NF-EFFECTIVE-CONFIG-MEMORY-DENIED definitions /agentDefinitions/0/components/memoryScopes/0",
				"W NF-EFFECTIVE-CONFIG-MEMORY-DENIED definitions /agentDefinitions/1/components/memoryScopes/0",
				"W NF-EFFECTIVE-CONFIG-MEMORY-DENIED definitions /agentDefinitions/1/components/memoryScopes/1",
			}},
		{name: "a writer is no reader by that", script: `definitions /agentDefinitions/0/components/memoryScopes := ["project"]
			memory /memoryScopes/1/allowedWriters := ["clerk"]`,
			want: []string{"E NF-EFFECTIVE-CONFIG-MEMORY-DENIED definitions /agentDefinitions/0/components/memoryScopes/0"}},
		{name: "removed extension", script: `extensions /extensions/0/lifecycle := "removed"
			definitions /agentDefinitions/1/components/extensionRefs := ["ghost", "scanner"]`,
			want: []string{
				"E TERFYN-EXT-LIFECYCLE definitions /agentDefinitions/0/components/extensionRefs/0",
				"W TERFYN-EXT-LIFECYCLE definitions /agentDefinitions/1/components/extensionRefs/1",
			}},
		{name: "deprecated extension", script: `extensions /extensions/0/lifecycle := "deprecated"`,
			want: []string{"W TERFYN-EXT-LIFECYCLE definitions /agentDefinitions/0/components/extensionRefs/0"}},
		{name: "experimental extension", script: `extensions /extensions/0/lifecycle := "experimental"`},
	})
}

func contextDenied(j string) []string {
	return []string{
		"E NF-EFFECTIVE-CONFIG-CONTEXT-DENIED definitions /agentDefinitions/0/components/contextSourceRefs/" + j,
		"W NF-EFFECTIVE-CONFIG-CONTEXT-DENIED definitions /agentDefinitions/1/components/contextSourceRefs/" + j,
	}
}

func TestRetrievalNarrowed(t *testing.T) {
	t.Parallel()
	narrowed := func(severity, i string) string {
		return severity + " TERFYN-RETRIEVAL-NARROWED definitions /agentDefinitions/" + i + "/components/retrievalProfileRef"
	}
	checkChanges(t, []change{
		{name: "optional source", script: `definitions /agentDefinitions/0/components/contextSourceRefs := ["shelves"]`, want: []string{narrowed("I", "0")}},
		{name: "required source, active", script: `definitions /agentDefinitions/0/components/contextSourceRefs := ["news"]`, want: []string{narrowed("E", "0")}},
		{name: "required source, draft", script: `definitions /agentDefinitions/1/components/contextSourceRefs := ["news"]`, want: []string{narrowed("W", "1")}},
		{name: "both missing are one finding", script: `definitions /agentDefinitions/1/components/contextSourceRefs delete`, want: []string{narrowed("W", "1")}},
		{name: "more sources than the profile uses", script: `retrieval /retrievalProfiles/0/sources/1 delete`},
		{name: "sources that are not declared do not count", script: `definitions /agentDefinitions/0/components/contextSourceRefs := ["news"]
			definitions /agentDefinitions/1/components/contextSourceRefs := ["news"]
			retrieval /retrievalProfiles/0/sources/0/contextSourceRef := "ghost"`},
	})
}

func TestDefinitionVersions(t *testing.T) {
	t.Parallel()
	checkChanges(t, []change{
		{name: "reused", script: `definitions /agentDefinitions/1/definitionVersion := "1"`,
			want: []string{"E TERFYN-DEFINITION-VERSION-REUSED definitions /agentDefinitions/1/definitionVersion => definitions /agentDefinitions/0/definitionVersion"}},
		{name: "versions are text", script: `definitions /agentDefinitions/1/definitionVersion := "1.0"`},
		{name: "one version for two agents", script: `agents /agents/- := {"id": "other", "displayName": "O", "role": "r", "description": "O.", "responsibilities": ["x"], "skills": ["x"]}
			definitions /agentDefinitions/1/agentRef := "other"
			definitions /agentDefinitions/1/status := "active"
			definitions /agentDefinitions/1/definitionVersion := "1"`},
		{name: "replaces another agent's", script: `agents /agents/- := {"id": "other", "displayName": "O", "role": "r", "description": "O.", "responsibilities": ["x"], "skills": ["x"]}
			definitions /agentDefinitions/1/agentRef := "other"
			definitions /agentDefinitions/1/status := "active"
			definitions /agentDefinitions/1/replaces := "clerk_one"`,
			want: []string{"E TERFYN-DEFINITION-REPLACES-MISMATCH definitions /agentDefinitions/1/replaces"}},
		{name: "another agent that is not declared", script: `definitions /agentDefinitions/1/agentRef := "ghost"
			definitions /agentDefinitions/1/replaces := "clerk_one"`},
		{name: "replaces an earlier one", script: `definitions /agentDefinitions/1/replaces := "clerk_one"`},
		{name: "replaces itself", script: `definitions /agentDefinitions/1/replaces := "clerk_two"`,
			want: []string{"E TERFYN-DEFINITION-REPLACES-CYCLE definitions /agentDefinitions/1/replaces"}},
		{name: "replace each other", script: `definitions /agentDefinitions/0/replaces := "clerk_two"
			definitions /agentDefinitions/1/replaces := "clerk_one"`,
			want: []string{"E TERFYN-DEFINITION-REPLACES-CYCLE definitions /agentDefinitions/0/replaces"}},
		{name: "replaces what is not declared", script: `definitions /agentDefinitions/1/replaces := "ghost"`},
		{name: "prompt sets and retrieval profiles", script: `prompts /promptSets/0/compatibility := {"replaces": "prompts"}
			retrieval /retrievalProfiles/0/compatibility := {"replaces": "search"}`,
			want: []string{
				"E TERFYN-DEFINITION-REPLACES-CYCLE prompts /promptSets/0/compatibility/replaces",
				"E TERFYN-DEFINITION-REPLACES-CYCLE retrieval /retrievalProfiles/0/compatibility/replaces",
			}},
	})
}

func TestElevatedAutonomy(t *testing.T) {
	t.Parallel()
	const raised = `project /project/defaultAutonomy := "autonomous_safe"
		definitions /agentDefinitions/1/autonomyLevel := "autonomous_extended"
		`
	both := []string{
		"W NF-PROFILE-ELEVATED-AUTONOMY-WITHOUT-POLICY definitions /agentDefinitions/1/autonomyLevel",
		"W NF-PROFILE-ELEVATED-AUTONOMY-WITHOUT-POLICY project /project/defaultAutonomy",
	}
	checkChanges(t, []change{
		{name: "with everything", script: raised},
		{name: "without events", script: raised + `events delete`, want: both},
		{name: "without capabilities", script: raised + `capabilities delete`, want: both},
		{name: "without gates", script: raised + `project /project/approvalGates delete`, want: both},
		{name: "without permissions", script: raised + `permissions delete`,
			want: append(both[:2:2], "W TERFYN-NETWORK-ACTOR-UNAUTHORIZED project /project/policies/networkAccess/rules/0/actors/0")},
		{name: "lower autonomy", script: `project /project/defaultAutonomy := "ask_before_changes"
			events delete`},
	})
}
