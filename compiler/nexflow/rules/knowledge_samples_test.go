package rules_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"terfyn/compiler/nexflow/settest"
	"terfyn/internal/canon"
)

// TestSampleSetsHaveTheirFindings has the findings of the unchanged samples, of
// these rules alone.
func TestSampleSetsHaveTheirFindings(t *testing.T) {
	t.Parallel()
	rows := []struct {
		set  string
		want map[string]int
	}{
		{"minimal-team", map[string]int{}},
		{"software-team", map[string]int{
			"W TERFYN-RETRIEVAL-NARROWED": 1, "I TERFYN-RETRIEVAL-NARROWED": 1, "I NF-EFFECTIVE-CONFIG-NO-ACTIVE-DEFINITION": 3,
		}},
		{"startup-team", map[string]int{
			"W TERFYN-RETRIEVAL-NARROWED": 1, "I TERFYN-RETRIEVAL-NARROWED": 1, "I NF-EFFECTIVE-CONFIG-NO-ACTIVE-DEFINITION": 2, "I TERFYN-COMPAT-ADVISORY-NETWORK": 1,
		}},
		{"product-delivery-team", map[string]int{
			"W TERFYN-RETRIEVAL-NARROWED": 3, "I NF-EFFECTIVE-CONFIG-NO-ACTIVE-DEFINITION": 3, "I TERFYN-COMPAT-ADVISORY-NETWORK": 1,
		}},
		{"open-source-maintainer", map[string]int{
			"W TERFYN-RETRIEVAL-NARROWED": 2, "I TERFYN-RETRIEVAL-NARROWED": 2, "I NF-EFFECTIVE-CONFIG-NO-ACTIVE-DEFINITION": 4, "I TERFYN-COMPAT-ADVISORY-NETWORK": 1,
		}},
	}
	for _, row := range rows {
		t.Run(row.set, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(row.want, counted(known(settest.Sample(t, "examples/"+row.set).Index()))); diff != "" {
				t.Errorf("findings by code (-want +got):\n%s", diff)
			}
		})
	}
}

func counted(notes []string) map[string]int {
	out := map[string]int{}
	for _, n := range notes {
		words := strings.Fields(n)
		out[words[0]+" "+words[1]]++
	}
	return out
}

// TestActivatedSampleSets makes every definition, prompt set and retrieval profile
// of the samples active, and then takes back what retrieval requires.
func TestActivatedSampleSets(t *testing.T) {
	t.Parallel()
	rows := []struct {
		set            string
		errors, relief int
	}{
		{"software-team", 1, 2}, {"startup-team", 1, 2}, {"product-delivery-team", 3, 3}, {"open-source-maintainer", 2, 4},
	}
	for _, row := range rows {
		t.Run(row.set, func(t *testing.T) {
			t.Parallel()
			active := activated(t, settest.Sample(t, "examples/"+row.set))
			got := counted(known(active.Index()))
			if got["E TERFYN-RETRIEVAL-NARROWED"] != row.errors || got["I NF-EFFECTIVE-CONFIG-NO-ACTIVE-DEFINITION"] != 0 {
				t.Errorf("activated set has %v, want %d errors about retrieval", got, row.errors)
			}
			for at := range got {
				if strings.HasPrefix(at, "E") && at != "E TERFYN-RETRIEVAL-NARROWED" {
					t.Errorf("activated set has %s", at)
				}
			}
			relaxed := counted(known(optionalSources(t, active).Index()))
			delete(relaxed, "I TERFYN-COMPAT-ADVISORY-NETWORK")
			if diff := cmp.Diff(map[string]int{"I TERFYN-RETRIEVAL-NARROWED": row.relief}, relaxed); diff != "" {
				t.Errorf("relaxed set (-want +got):\n%s", diff)
			}
		})
	}
}

func activated(t *testing.T, f settest.Files) settest.Files {
	t.Helper()
	active := canon.String("active")
	for i := range items(f, "agent-definitions.yaml", "/agentDefinitions") {
		at := "/agentDefinitions/" + strconv.Itoa(i)
		f = f.PutValue(t, "agent-definitions.yaml", at+"/status", active)
		f = f.Put(t, "agent-definitions.yaml", at+"/review/state", `"approved"`)
		if _, ok := f.At("agent-definitions.yaml", at+"/components/extensionRefs"); !ok {
			f = f.Put(t, "agent-definitions.yaml", at+"/components/extensionRefs", `[]`)
		}
	}
	for i := range items(f, "prompt-sets.yaml", "/promptSets") {
		at := "/promptSets/" + strconv.Itoa(i)
		f = f.PutValue(t, "prompt-sets.yaml", at+"/status", active).Put(t, "prompt-sets.yaml", at+"/review/safetyReviewStatus", `"approved"`)
	}
	for i := range items(f, "retrieval-profiles.yaml", "/retrievalProfiles") {
		f = f.PutValue(t, "retrieval-profiles.yaml", "/retrievalProfiles/"+strconv.Itoa(i)+"/status", active)
	}
	return f
}

func optionalSources(t *testing.T, f settest.Files) settest.Files {
	t.Helper()
	for i := range items(f, "retrieval-profiles.yaml", "/retrievalProfiles") {
		at := "/retrievalProfiles/" + strconv.Itoa(i) + "/sources"
		for j := range items(f, "retrieval-profiles.yaml", at) {
			f = f.Put(t, "retrieval-profiles.yaml", at+"/"+strconv.Itoa(j)+"/required", `false`)
		}
	}
	return f
}

func items(f settest.Files, file, pointer string) []canon.Value {
	v, _ := f.At(file, pointer)
	return v.Items()
}

// draft is the script that appends a copy of the first definition, with the id,
// version and status that follow.
const draft = "copy-of-definition"

var changedSamples = []struct {
	id, set, script string
	want            []string
}{
	{"E01", "minimal-team", draft + " docs_agent_2026_07 2026.07.0 active", []string{"E NF-EFFECTIVE-CONFIG-AMBIGUOUS-DEFINITION agent-definitions /agentDefinitions/1/status => agent-definitions /agentDefinitions/0/status"}},
	{"E02", "minimal-team", `agent-definitions /agentDefinitions/0/status := "draft"`, []string{"I NF-EFFECTIVE-CONFIG-NO-ACTIVE-DEFINITION agent-definitions /agentDefinitions/0/agentRef"}},
	{"E03", "minimal-team", `prompt-sets /promptSets/0/status := "draft"`, []string{"E NF-EFFECTIVE-CONFIG-INELIGIBLE-DEFINITION agent-definitions /agentDefinitions/0/components/promptSetRef"}},
	{"E04", "minimal-team", `prompt-sets /promptSets/0/review/safetyReviewStatus := "pending"`, []string{"E NF-EFFECTIVE-CONFIG-INELIGIBLE-DEFINITION agent-definitions /agentDefinitions/0/components/promptSetRef"}},
	{"E06", "minimal-team", `context /contextSources/1/access/deniedActors := ["docs-agent"]`, []string{
		"E NF-EFFECTIVE-CONFIG-CONTEXT-DENIED agent-definitions /agentDefinitions/0/components/contextSourceRefs/1",
		"W TERFYN-CONTEXT-ALLOW-DENY-CONFLICT context /contextSources/1/access/deniedActors",
	}},
	{"E07", "minimal-team", `agent-definitions /agentDefinitions/0/components/memoryScopes/- := "project"`, []string{"E NF-EFFECTIVE-CONFIG-MEMORY-DENIED agent-definitions /agentDefinitions/0/components/memoryScopes/2"}},
	{"E08", "minimal-team", `agent-definitions /agentDefinitions/0/replaces := "docs_agent_2026_06"`, []string{"E TERFYN-DEFINITION-REPLACES-CYCLE agent-definitions /agentDefinitions/0/replaces"}},
	{"E09", "minimal-team", draft + " docs_agent_next 2026.06.0 draft", []string{"E TERFYN-DEFINITION-VERSION-REUSED agent-definitions /agentDefinitions/1/definitionVersion => agent-definitions /agentDefinitions/0/definitionVersion"}},
	{"E11", "software-team", `model-profiles /modelProfiles/0/selection/pinnedModel delete`, []string{"E TERFYN-SELECTION-PIN-MISSING model-profiles /modelProfiles/0/selection/pinnedModel"}},
	{"E12", "minimal-team", `model-profiles /modelProfiles/0/selection/mode := "floating"
		model-profiles /modelProfiles/0/audit/recordResolvedModel := false`, []string{"W TERFYN-SELECTION-UNRECORDED-FLOAT model-profiles /modelProfiles/0/audit/recordResolvedModel"}},
	{"E13", "minimal-team", `model-profiles /modelProfiles/0/selection/mode := "floating"
		model-profiles /modelProfiles/0/selection/floatingAlias delete
		model-profiles /modelProfiles/0/selection/resolutionPolicy delete`, []string{"E TERFYN-SELECTION-ALIAS-MISSING model-profiles /modelProfiles/0/selection/floatingAlias"}},
	{"E14", "software-team", `agent-definitions /agentDefinitions/0/replaces := "qa_agent_2026_06"`, []string{"E TERFYN-DEFINITION-REPLACES-MISMATCH agent-definitions /agentDefinitions/0/replaces"}},
	{"Y01", "software-team", `memory /memoryScopes/2/approvalGate delete`, []string{"E TERFYN-MEMORY-GATE-MISSING memory /memoryScopes/2/approvalGate"}},
	{"Y02", "startup-team", `memory /memoryScopes/1/allowedSourceScopes := ["project"]`, []string{"E TERFYN-MEMORY-PROMOTION-LOWERS-SENSITIVITY memory /memoryScopes/1/allowedSourceScopes/0"}},
	{"Y03", "minimal-team", `memory /memoryScopes/2/approvalGate delete`, []string{"W TERFYN-MEMORY-DURABLE-UNGATED memory /memoryScopes/2/approvalGate"}},
	{"Y04", "minimal-team", `memory /memoryScopes/2/allowedSourceScopes := ["team"]`, nil},
	{"Y06", "startup-team", `context /contextSources/5/freshness/requiresCitation := false`, []string{"W TERFYN-CONTEXT-WEB-NO-CITATION context /contextSources/5/freshness/requiresCitation"}},
	{"Y07", "software-team", `context /contextSources/3/approvalGates delete`, []string{"W TERFYN-CONTEXT-MCP-UNGATED context /contextSources/3/approvalGates"}},
	{"Y08", "software-team", `context /contextSources/2/classification := "restricted"
		context /contextSources/2/access/allowedActors delete`, []string{
		"W TERFYN-CONTEXT-RESTRICTED-UNGATED context /contextSources/2/approvalGates",
		"W TERFYN-RETRIEVAL-CLASSIFICATION retrieval-profiles /retrievalProfiles/0/sources/2/maxClassification",
	}},
	{"Y09", "software-team", `retrieval-profiles /retrievalProfiles/0/excludedSources := ["repository"]`, []string{"E TERFYN-RETRIEVAL-EXCLUDED-SOURCE retrieval-profiles /retrievalProfiles/0/sources/0/contextSourceRef"}},
	{"N01", "software-team", `project /project/policies/networkAccess/rules/0/destinations/schemes := ["http"]`, []string{"E TERFYN-NETWORK-SCHEME-CONFLICT project /project/policies/networkAccess/rules/0/destinations/schemes"}},
	{"N02", "minimal-team", `project /project/policies/networkAccess/transport/requireTls := false`, []string{"W TERFYN-SAFETY-NETWORK-RELAXED project /project/policies/networkAccess/transport/requireTls"}},
	{"N03", "software-team", `project /project/policies/networkAccess/rules/0/actors/- := "reviewer"`, []string{"W TERFYN-NETWORK-ACTOR-UNAUTHORIZED project /project/policies/networkAccess/rules/0/actors/3"}},
	{"L02", "software-team", `providers /providers/0/features delete
		providers /providers/0/capabilities := ["text_generation"]`, []string{"W TERFYN-COMPAT-PROVIDER-CAPABILITIES providers /providers/0/capabilities"}},
	{"R13", "minimal-team", `actors /actors/1 delete`, nil},
	{"R14", "minimal-team", `capabilities delete`, nil},
	{"R17", "minimal-team", `context /contextSources/0/access/deniedActors := ["ghost"]`, nil},
	{"A06", "minimal-team", `actors delete`, nil},
	{"P02", "minimal-team", `permissions /permissions/- := {"id": "docs_no_write", "description": "x", "subjects": ["docs-agent"], "capabilities": ["modify_documentation"], "effect": "deny"}`, nil},
}

// TestChangedSampleSets changes single values of the samples and looks at what is
// new.
func TestChangedSampleSets(t *testing.T) {
	t.Parallel()
	for _, row := range changedSamples {
		t.Run(row.id, func(t *testing.T) {
			t.Parallel()
			set := settest.Sample(t, "examples/"+row.set)
			changed := set
			if words := strings.Fields(row.script); words[0] == draft {
				changed = copyDefinition(t, set, words[1], words[2], words[3])
			} else {
				changed = set.Apply(t, row.script)
			}
			before := known(set.Index())
			got := slices.DeleteFunc(known(changed.Index()), func(n string) bool { return slices.Contains(before, n) })
			if diff := cmp.Diff(append([]string{}, row.want...), got); diff != "" {
				t.Errorf("new findings (-want +got):\n%s", diff)
			}
		})
	}
}

// copyDefinition appends the first definition under another id.
func copyDefinition(t *testing.T, f settest.Files, id, version, status string) settest.Files {
	t.Helper()
	d, _ := f.At("agent-definitions.yaml", "/agentDefinitions/0")
	d = d.With("id", canon.String(id)).With("definitionVersion", canon.String(version)).With("status", canon.String(status))
	return f.PutValue(t, "agent-definitions.yaml", "/agentDefinitions/-", d)
}
