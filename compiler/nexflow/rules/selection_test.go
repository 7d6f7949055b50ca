package rules_test

import (
	"strings"
	"testing"
)

// oneLine makes a value fit a line of a script.
func oneLine(s string) string { return strings.ReplaceAll(s, "\n", " ") }

func TestModelSelection(t *testing.T) {
	t.Parallel()
	const profile = "models /modelProfiles/0"
	checkChanges(t, []change{
		{name: "pinned without a model", script: profile + `/selection/pinnedModel delete`,
			want: []string{"E TERFYN-SELECTION-PIN-MISSING models /modelProfiles/0/selection/pinnedModel"}},
		{name: "model under another mode", script: profile + `/selection/mode := "policy"`,
			want: []string{"W TERFYN-SELECTION-MODE-CONFLICT models /modelProfiles/0/selection/pinnedModel"}},
		{name: "floating without a target", script: profile + `/selection := {"mode": "floating"}`,
			want: []string{"E TERFYN-SELECTION-ALIAS-MISSING models /modelProfiles/0/selection/floatingAlias"}},
		{name: "floating by alias", script: profile + `/selection := {"mode": "floating", "floatingAlias": "best"}`},
		{name: "floating by policy", script: profile + `/selection := {"mode": "floating", "resolutionPolicy": "The best."}`},
		{name: "floating and not recorded", script: profile + `/selection := {"mode": "floating", "floatingAlias": "best"}
			` + profile + `/audit delete`,
			want: []string{"W TERFYN-SELECTION-UNRECORDED-FLOAT models /modelProfiles/0/audit/recordResolvedModel"}},
		{name: "policy and not recorded", script: profile + `/selection := {"mode": "policy"}
			` + profile + `/audit/recordResolvedModel := false`,
			want: []string{"W TERFYN-SELECTION-UNRECORDED-FLOAT models /modelProfiles/0/audit/recordResolvedModel"}},
		{name: "pinned need not be recorded", script: profile + `/audit/recordResolvedModel := false`},
		{name: "pinned provider outside the list", script: profile + `/selection/pinnedModel/providerRef := "spare"`,
			want: []string{"W TERFYN-SELECTION-PIN-PROVIDER models /modelProfiles/0/selection/pinnedModel/providerRef"}},
		{name: "pinned provider and an empty list", script: profile + `/selection/providerRefs := []`},
		{name: "pinned provider that is not declared", script: profile + `/selection/pinnedModel/providerRef := "ghost"`},
		{name: "fallback without approval", script: profile + `/fallback/requiresApproval := false`,
			want: []string{"W TERFYN-SELECTION-FALLBACK-UNREVIEWED models /modelProfiles/0/fallback/requiresApproval"}},
		{name: "fallback that says nothing of approval", script: profile + `/fallback/requiresApproval delete`,
			want: []string{"W TERFYN-SELECTION-FALLBACK-UNREVIEWED models /modelProfiles/0/fallback/requiresApproval"}},
		{name: "no fallback", script: profile + `/fallback := {"allowed": false}`},
	})
}

func TestCandidateProviders(t *testing.T) {
	t.Parallel()
	const first = "W TERFYN-SELECTION-CONSTRAINT-CONFLICT models /modelProfiles/0/selection/providerRefs/0"
	const fallback = "W TERFYN-SELECTION-CONSTRAINT-CONFLICT models /modelProfiles/0/fallback/candidateProviderRefs/0"
	const legacy = "W TERFYN-COMPAT-TRAINING-USE providers /providers/0/constraints/allowTrainingUse"
	checkChanges(t, []change{
		{name: "training unspecified", script: `providers /providers/0/constraints/trainingUse := "unspecified"`, want: []string{first}},
		{name: "no constraints at all", script: `providers /providers/1/constraints delete`, want: []string{fallback}},
		{name: "legacy false is prohibited", script: `providers /providers/0/constraints := {"allowTrainingUse": false}`, want: []string{legacy}},
		{name: "legacy true is not", script: `providers /providers/0/constraints := {"allowTrainingUse": true}`, want: []string{first, legacy}},
		{name: "profile that allows training", script: `models /modelProfiles/0/constraints/trainingUse := "requires_approval"
			providers /providers/0/constraints/trainingUse := "allowed"`},
		{name: "data above the provider's limit", script: `models /modelProfiles/0/constraints/sensitivity := "confidential"`, want: []string{first}},
		{name: "two conflicts of one entry", script: `models /modelProfiles/0/constraints/sensitivity := "restricted"
			providers /providers/0/constraints/trainingUse := "allowed"
			providers /providers/1/constraints/maxSensitivity delete`, want: []string{first}},
		{name: "candidates that are not declared", script: `models /modelProfiles/0/selection/providerRefs := ["ghost", "general"]
			models /modelProfiles/0/fallback/candidateProviderRefs := ["ghost"]`},
		{name: "legacy capabilities", script: `providers /providers/1/features delete
			providers /providers/1/capabilities := ["text_generation"]`,
			want: []string{"W TERFYN-COMPAT-PROVIDER-CAPABILITIES providers /providers/1/capabilities"}},
	})
}
