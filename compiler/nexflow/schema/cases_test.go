package schema

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"terfyn/compiler/nexflow/settest"
)

// fault is a change of a set and what must be found then, a line "CODE file path
// keyword" for each record.
type fault struct{ name, script, want string }

func lines(want string) []string {
	var out []string
	for line := range strings.Lines(want) {
		if line = strings.TrimSpace(line); line != "" {
			out = append(out, line)
		}
	}
	slices.Sort(out)
	return out
}

func checkFaults(t *testing.T, files settest.Files, faults []fault) {
	t.Helper()
	for _, f := range faults {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			records := check(t, files.Apply(t, f.script))
			got := briefs(records)
			slices.Sort(got)
			if diff := cmp.Diff(lines(f.want), got); diff != "" {
				t.Error(diff)
			}
			for _, r := range records {
				if r.Severity != "error" || r.Layer != "schema" || r.Details.Family != "NF-SCHEMA" || r.Kind == "" || !strings.HasSuffix(r.Message, ".") {
					t.Errorf("the record is incomplete: %+v", r)
				}
			}
		})
	}
}

// The names of the following cases are those of the specification's tables.

func TestCasesOfTheMinimalTeam(t *testing.T) {
	t.Parallel()
	checkFaults(t, settest.Sample(t, "examples/minimal-team"), []fault{
		{"S01", `project /project/description delete`, `REQUIRED project /project/description required`},
		{"S02", `permissions /permissions/0/effect := "full_auto_magic"`, `ENUM permissions /permissions/0/effect enum`},
		{"S03", `agents /agents/0/id := "Docs Agent"`, `PATTERN agents /agents/0/id pattern`},
		{"S04", `capabilities /capabilities/0/id := "read--repository"`, `PATTERN capabilities /capabilities/0/id pattern`},
		{"S06", `agent-definitions /agentDefinitions/0/components/modelProfileRef delete`,
			`REQUIRED agent-definitions /agentDefinitions/0/components/modelProfileRef required`},
		{"S07", `agent-definitions /agentDefinitions/0/review/state := "pending"`, `ENUM agent-definitions /agentDefinitions/0/review/state const`},
		{"S08", `agent-definitions /agentDefinitions/0/components/memoryPolicyRef := "default_policy"`,
			`CONSTRAINT agent-definitions /agentDefinitions/0/components/memoryPolicyRef not`},
		{"S11", `project /project/policies/humanOverride/response/onFailure := "continue"`,
			`ENUM project /project/policies/humanOverride/response/onFailure const`},
		{"S12", `project /project/policies/networkAccess/default := "allow"`, `
			CONSTRAINT project /project/policies/networkAccess oneOf
			ENUM project /project/policies/networkAccess/default const`},
		{"S16", `retrieval-profiles /retrievalProfiles/0/retriever/topK := 0`, `CONSTRAINT retrieval-profiles /retrievalProfiles/0/retriever/topK minimum`},
		{"S16b", `retrieval-profiles /retrievalProfiles/0/retriever/topK := "8"`, `TYPE retrieval-profiles /retrievalProfiles/0/retriever/topK type`},
		{"S17", `tasks /tasks/0/capabilitiesRequired/- := "read_repository"`, `CONSTRAINT tasks /tasks/0/capabilitiesRequired uniqueItems`},
		{"S18", `context /contextSources/0/freshness := {"lastReviewed": "2026-13-40"}`, `FORMAT context /contextSources/0/freshness/lastReviewed format`},
		{"S18b", `context /contextSources/0/freshness := {"lastReviewed": "2026-06-01"}`, ``},
		{"S19", `events /events/0/type := "Task.Created"`, `PATTERN events /events/0/type pattern`},
		{"S23", `
			project /project/description delete
			permissions /permissions/1/effect := "maybe"`, `
			ENUM permissions /permissions/1/effect enum
			REQUIRED project /project/description required`},
		{"S26", `project /project/policies/requireReview := "true"`, `TYPE project /project/policies/requireReview type`},
		{"S27", `actors /actors/0/agentRef := {"kind": "agent", "id": "docs-agent"}`, `
			CONSTRAINT actors /actors/0 not
			CONSTRAINT actors /actors/0 oneOf`},
		{"unknown fields are fine", `
			tasks /tasks/0/note := 5
			tasks /mood := ["x"]
			project /project/policies/other := {}`, ``},
	})
}

func TestCasesOfTheSoftwareTeam(t *testing.T) {
	t.Parallel()
	checkFaults(t, settest.Sample(t, "examples/software-team"), []fault{
		{"S09", `project /project/approvalGates/2/appliesTo := ["mcp_tools"]`, `CONSTRAINT project /project/approvalGates/2 not`},
		{"S13", `project /project/policies/networkAccess/rules/0/approvalGate delete`, `
			CONSTRAINT project /project/policies/networkAccess oneOf
			REQUIRED project /project/policies/networkAccess/rules/0/approvalGate required`},
		{"S13b", `project /project/policies/networkAccess/rules/0/effect := "allow"`, `
			CONSTRAINT project /project/policies/networkAccess oneOf
			CONSTRAINT project /project/policies/networkAccess/rules/0 not`},
		{"S14", `context /contextSources/3/mcp/allowedTools delete`, `REQUIRED context /contextSources/3/mcp/allowedTools required`},
		{"S21", `providers /providers/0/capabilities := ["text_generation"]`, `CONSTRAINT providers /providers/0 not`},
		{"S24", `project /project/approvalGates/2/targets/0/reason := "x"`,
			`ADDITIONAL-PROPERTY project /project/approvalGates/2/targets/0/<redacted> additionalProperties`},
	})
}

// The faulty documents that the repository of the draft brings along.
func TestFixturesOfTheDraft(t *testing.T) {
	t.Parallel()
	all := settest.Sample(t, "fixtures/schema/invalid")
	files := settest.Files{}
	for _, name := range []string{"missing-required-field.yaml", "invalid-enum.yaml", "invalid-id.yaml"} {
		files[name] = all[name]
	}
	checkFaults(t, files, []fault{{"fixtures", "", `
		ENUM invalid-enum /permissions/0/effect enum
		PATTERN invalid-id /agents/0/id pattern
		REQUIRED missing-required-field /project/description required`}})
}
