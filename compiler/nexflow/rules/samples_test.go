package rules_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"terfyn/compiler/nexflow/manifest"
	"terfyn/compiler/nexflow/refs"
	"terfyn/compiler/nexflow/rules"
	"terfyn/compiler/nexflow/settest"
)

// everything is the findings of all rules in the notation of the tables.
func everything(x *refs.Index) []string {
	records := rules.Check(x)
	manifest.Sort(records)
	out := []string{}
	for _, r := range records {
		out = append(out, noted(r))
	}
	return out
}

// TestSampleSetsCount compares all findings of the unchanged samples, as many of
// each code.
func TestSampleSetsCount(t *testing.T) {
	t.Parallel()
	for folder, want := range map[string]map[string]int{
		"examples/minimal-team": {"I TERFYN-EXT-INERT": 1},
		"examples/software-team": {
			"W TERFYN-POLICY-CAPABILITY-UNAUTHORIZED": 1, "W TERFYN-RETRIEVAL-NARROWED": 1, "I NF-EFFECTIVE-CONFIG-NO-ACTIVE-DEFINITION": 3,
			"I TERFYN-COMPAT-AGENT-FIELD": 4, "I TERFYN-COMPAT-NO-ACTORSET": 1, "I TERFYN-EXT-INERT": 3, "I TERFYN-GATE-UNUSED": 1, "I TERFYN-RETRIEVAL-NARROWED": 1,
		},
		"examples/startup-team": {
			"W TERFYN-RETRIEVAL-NARROWED": 1, "I NF-EFFECTIVE-CONFIG-NO-ACTIVE-DEFINITION": 2, "I TERFYN-COMPAT-ADVISORY-NETWORK": 1,
			"I TERFYN-COMPAT-AGENT-FIELD": 4, "I TERFYN-COMPAT-NO-ACTORSET": 1, "I TERFYN-EXT-INERT": 3, "I TERFYN-RETRIEVAL-NARROWED": 1,
		},
		"examples/product-delivery-team": {
			"W TERFYN-GATE-NONHUMAN-APPROVER": 1, "W TERFYN-GATE-SELF-APPROVAL": 1, "W TERFYN-RETRIEVAL-NARROWED": 3,
			"I NF-EFFECTIVE-CONFIG-NO-ACTIVE-DEFINITION": 3, "I TERFYN-COMPAT-ADVISORY-NETWORK": 1,
			"I TERFYN-COMPAT-AGENT-FIELD": 5, "I TERFYN-COMPAT-NO-ACTORSET": 1, "I TERFYN-EXT-INERT": 3,
		},
		"examples/open-source-maintainer": {
			"W TERFYN-RETRIEVAL-NARROWED": 2, "I NF-EFFECTIVE-CONFIG-NO-ACTIVE-DEFINITION": 4, "I TERFYN-COMPAT-ADVISORY-NETWORK": 1,
			"I TERFYN-COMPAT-AGENT-FIELD": 5, "I TERFYN-COMPAT-NO-ACTORSET": 1, "I TERFYN-EXT-INERT": 2, "I TERFYN-RETRIEVAL-NARROWED": 2,
		},
		"fixtures/discovery/multi-workflow":  {"I TERFYN-COMPAT-NO-ACTORSET": 1},
		"fixtures/cli/valid/minimal-project": {},
	} {
		t.Run(folder, func(t *testing.T) {
			t.Parallel()
			got := everything(settest.Sample(t, folder).Index())
			if diff := cmp.Diff(want, counted(got)); diff != "" {
				t.Errorf("findings by code (-want +got):\n%s\n%q", diff, got)
			}
		})
	}
}

// TestActivatedSamplesCount has the errors of all rules together once everything
// in a sample is active, and the warnings left when retrieval asks for nothing
// more than is requested.
func TestActivatedSamplesCount(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		folder           string
		errors, warnings int
	}{
		{software, 2, 0}, {"examples/startup-team", 1, 0}, {"examples/product-delivery-team", 3, 2}, {"examples/open-source-maintainer", 2, 0},
	} {
		t.Run(row.folder, func(t *testing.T) {
			t.Parallel()
			active := activated(t, settest.Sample(t, row.folder))
			if got := bySeverity(active.Index()); got[manifest.Error] != row.errors {
				t.Errorf("%d errors, want %d", got[manifest.Error], row.errors)
			}
			relaxed := optionalSources(t, active)
			if row.folder == software {
				relaxed = relaxed.Drop(t, "agent-definitions.yaml", "/agentDefinitions/0/components/capabilityRefs/3")
			}
			if got := bySeverity(relaxed.Index()); got[manifest.Error] != 0 || got[manifest.Warning] != row.warnings {
				t.Errorf("relaxed: %v, want no errors and %d warnings", got, row.warnings)
			}
		})
	}
}

func bySeverity(x *refs.Index) map[manifest.Severity]int {
	out := map[manifest.Severity]int{}
	for _, r := range rules.Check(x) {
		out[r.Severity]++
	}
	return out
}
