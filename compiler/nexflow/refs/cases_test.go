package refs_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"terfyn/compiler/nexflow/manifest"
	"terfyn/compiler/nexflow/refs"
	"terfyn/compiler/nexflow/settest"
)

const (
	minimal  = "examples/minimal-team"
	software = "examples/software-team"
	flows    = "fixtures/discovery/multi-workflow"
)

// cases are the rows of the sample cases that this package decides. A change is a
// line for settest.Files.Apply, but with whole file names.
var cases = []struct {
	id, set string
	change  func(t *testing.T, f settest.Files) settest.Files
	want    []string
}{
	{"R01", minimal, put("agent-definitions.yaml", "/agentDefinitions/0/components/permissionRefs/-", `"delete_everything"`), []string{
		"E NF-REF-UNRESOLVED agent-definitions.yaml /agentDefinitions/0/components/permissionRefs/1"}},
	{"R02", minimal, put("tasks.yaml", "/tasks/0/owner", `"nobody"`), []string{"E NF-REF-UNRESOLVED tasks.yaml /tasks/0/owner"}},
	{"R03", minimal, put("handoffs.yaml", "/handoffs/0/artifacts/0", `"ghost_patch"`), []string{"E NF-REF-UNRESOLVED handoffs.yaml /handoffs/0/artifacts/0"}},
	{"R04", minimal, put("workflow.yaml", "/workflow/stages/0/steps/0/emits/-", `"task.exploded"`), []string{
		"E NF-REF-UNRESOLVED workflow.yaml /workflow/stages/0/steps/0/emits/2"}},
	{"R06", minimal, put("project.yaml", "/project/approvalGates/0/requiredApprovers/-", `"ghost"`), []string{
		"E NF-REF-UNRESOLVED project.yaml /project/approvalGates/0/requiredApprovers/1"}},
	{"R07", minimal, put("extensions.yaml", "/extensions/0/requiredCapabilities/-", `"fly"`), []string{
		"E NF-REF-UNRESOLVED extensions.yaml /extensions/0/requiredCapabilities/1"}},
	{"R08", software, put("project.yaml", "/project/approvalGates/2/targets/0/id", `"mcp_tool"`), []string{
		"E NF-REF-UNRESOLVED project.yaml /project/approvalGates/2/targets/0/id"}},
	{"R09", software, put("project.yaml", "/project/approvalGates/2/targets/-", `{"kind": "workflow-step", "id": "step-test-feature", "scope": {"kind": "workflow", "id": "nope"}}`), []string{
		"E NF-REF-SCOPE-UNRESOLVED project.yaml /project/approvalGates/2/targets/1/scope/id"}},
	{"R11", flows, both(
		put("flows/release.yml", "/workflow/stages/0/steps/-", `{"id": "ship", "task": "review-change"}`),
		put("flows/documentation.yml", "/workflow/stages/0/steps/1/dependsOn/-", `"ship"`)), []string{
		"E NF-REF-UNRESOLVED flows/documentation.yml /workflow/stages/0/steps/1/dependsOn/1"}},
	{"R12", minimal, put("tasks.yaml", "/tasks/0/owner", `"docs_agent"`), []string{"E NF-REF-UNRESOLVED tasks.yaml /tasks/0/owner"}},
	{"R13", minimal, drop("actors.yaml", "/actors/1"), []string{
		"E NF-REF-UNRESOLVED context.yaml /contextSources/0/access/allowedActors/1",
		"E NF-REF-UNRESOLVED context.yaml /contextSources/1/access/allowedActors/1",
		"E NF-REF-UNRESOLVED handoffs.yaml /handoffs/0/from/0",
		"E NF-REF-UNRESOLVED memory.yaml /memoryScopes/0/allowedConsumers/0",
		"E NF-REF-UNRESOLVED memory.yaml /memoryScopes/1/allowedConsumers/0",
		"E NF-REF-UNRESOLVED permissions.yaml /permissions/1/subjects/0",
		"E NF-REF-UNRESOLVED tasks.yaml /tasks/0/artifacts/0/producedBy",
		"E NF-REF-UNRESOLVED tasks.yaml /tasks/0/owner"}},
	{"R14", minimal, without("capabilities.yaml"), []string{
		"E NF-PROFILE-MISSING-DEPENDENCY agent-definitions.yaml /agentDefinitions/0/components/capabilityRefs/0",
		"E NF-PROFILE-MISSING-DEPENDENCY extensions.yaml /extensions/0/requiredCapabilities/0",
		"E NF-PROFILE-MISSING-DEPENDENCY permissions.yaml /permissions/0/capabilities/0",
		"E NF-PROFILE-MISSING-DEPENDENCY tasks.yaml /tasks/0/capabilitiesRequired/0"}},
	{"R16", software, put("memory.yaml", "/memoryScopes/1/auditEvents/-", `"memory.lost"`), []string{
		"E NF-REF-UNRESOLVED memory.yaml /memoryScopes/1/auditEvents/2"}},
	{"R17", minimal, put("context.yaml", "/contextSources/0/access/deniedActors", `["ghost"]`), []string{
		"E NF-REF-UNRESOLVED context.yaml /contextSources/0/access/deniedActors/0"}},
	{"R18", software, put("tasks.yaml", "/tasks/0/artifacts/0/producedBy", `"ghost"`), []string{
		"E NF-REF-UNRESOLVED tasks.yaml /tasks/0/artifacts/0/producedBy"}},
	{"R19", minimal, put("agent-definitions.yaml", "/agentDefinitions/0/replaces", `"docs_agent_2026_05"`), []string{
		"E NF-REF-UNRESOLVED agent-definitions.yaml /agentDefinitions/0/replaces"}},
	{"R21", minimal, put("project.yaml", "/project/approvalGates/0/events", `["review.lost"]`), []string{
		"E NF-REF-UNRESOLVED project.yaml /project/approvalGates/0/events/0"}},
	{"X01", minimal, put("capabilities.yaml", "/capabilities/-", `{"id": "read_repository", "description": "again", "risk": "low"}`), []string{
		"E NF-REF-DUPLICATE-TARGET capabilities.yaml /capabilities/4/id > capabilities.yaml#/capabilities/0/id"}},
	{"X02", minimal, put("workflow.yaml", "/workflow/stages/1/steps/0/id", `"step-draft-doc-update"`), []string{
		"E NF-REF-UNRESOLVED workflow.yaml /workflow/dependencies/0/to",
		"E NF-REF-DUPLICATE-TARGET workflow.yaml /workflow/stages/1/steps/0/id > workflow.yaml#/workflow/stages/0/steps/0/id"}},
	{"X03", minimal, put("tasks.yaml", "/tasks/1/artifacts/-", `{"id": "docs_patch", "type": "patch"}`), []string{
		"E NF-REF-DUPLICATE-TARGET tasks.yaml /tasks/1/artifacts/0/id > tasks.yaml#/tasks/0/artifacts/0/id"}},
	{"X04", software, put("capabilities.yaml", "/capabilities/-", `{"id": "review-change", "description": "same id, other namespace", "risk": "low"}`), nil},
	{"A06", minimal, without("actors.yaml"), []string{
		"E NF-PROFILE-MISSING-DEPENDENCY project.yaml /project/policies/humanOverride/authorities"}},
	{"I01", minimal, only("agents.yaml", "project.yaml", "actors.yaml"), []string{
		"E NF-PROFILE-MISSING-DEPENDENCY project.yaml /project/policies/networkAccess/audit/events/0"}},
	{"L01", software, both(drop("project.yaml", "/project/approvalGates/2/targets"), put("project.yaml", "/project/approvalGates/2/appliesTo", `["mcp_tools"]`)), []string{
		"W NF-REF-LEGACY-UNQUALIFIED project.yaml /project/approvalGates/2/appliesTo/0"}},
	{"L03", minimal, put("prompt-sets.yaml", "/promptSets/0/prompts/0/appliesTo", `["anything-at-all"]`), []string{
		"I TERFYN-REF-DEFERRED prompt-sets.yaml /promptSets/0/prompts/0/appliesTo"}},
	{"Y04", minimal, put("memory.yaml", "/memoryScopes/2/allowedSourceScopes", `["team"]`), []string{
		"E NF-REF-UNRESOLVED memory.yaml /memoryScopes/2/allowedSourceScopes/0"}},
	// The first field is the first row of the table, not the first line of the file.
	{"S without events", software, without("events.yaml"), []string{
		"E NF-PROFILE-MISSING-DEPENDENCY agent-definitions.yaml /agentDefinitions/0/audit/events/0",
		"E NF-PROFILE-MISSING-DEPENDENCY memory.yaml /memoryScopes/1/auditEvents/0",
		"E NF-PROFILE-MISSING-DEPENDENCY project.yaml /project/policies/networkAccess/audit/events/0",
		"E NF-PROFILE-MISSING-DEPENDENCY prompt-sets.yaml /promptSets/0/audit/events/0",
		"E NF-PROFILE-MISSING-DEPENDENCY retrieval-profiles.yaml /retrievalProfiles/0/audit/events/0",
		"E NF-PROFILE-MISSING-DEPENDENCY workflow.yaml /workflow/stages/0/steps/0/emits/0"}},
	{"prompts of two sets", minimal, put("prompt-sets.yaml", "/promptSets/-", `{"id": "more", "prompts": [{"id": "system", "kind": "system", "revision": "1"}, {"id": "system", "kind": "role", "revision": "1"}]}`), []string{
		"E NF-REF-DUPLICATE-TARGET prompt-sets.yaml /promptSets/1/prompts/1/id > prompt-sets.yaml#/promptSets/1/prompts/0/id"}},
	{"prompts of a set that is declared again", minimal, put("prompt-sets.yaml", "/promptSets/-", `{"id": "docs_agent_prompts", "prompts": [{"id": "docs_agent_system", "kind": "system", "revision": "1"}]}`), []string{
		"E NF-REF-DUPLICATE-TARGET prompt-sets.yaml /promptSets/1/id > prompt-sets.yaml#/promptSets/0/id"}},
	{"M without both inventories", minimal, both(without("actors.yaml"), without("agents.yaml")), []string{
		"E NF-PROFILE-MISSING-DEPENDENCY agent-definitions.yaml /agentDefinitions/0/agentRef",
		"E NF-PROFILE-MISSING-DEPENDENCY model-profiles.yaml /modelProfiles/0/recommendedFor/0",
		"E NF-PROFILE-INCOMPLETE project.yaml ",
		"E NF-PROFILE-MISSING-DEPENDENCY project.yaml /project/policies/humanOverride/authorities",
		"E NF-PROFILE-MISSING-DEPENDENCY prompt-sets.yaml /promptSets/0/compatibility/affectedAgents/0",
		"E NF-PROFILE-MISSING-DEPENDENCY retrieval-profiles.yaml /retrievalProfiles/0/compatibility/affectedAgents/0"}},
	{"M without events", minimal, without("events.yaml"), []string{
		"E NF-PROFILE-MISSING-DEPENDENCY agent-definitions.yaml /agentDefinitions/0/audit/events/0",
		"E NF-PROFILE-MISSING-DEPENDENCY project.yaml /project/policies/networkAccess/audit/events/0",
		"E NF-PROFILE-MISSING-DEPENDENCY workflow.yaml /workflow/stages/0/steps/0/emits/0"}},
}

type change = func(t *testing.T, f settest.Files) settest.Files

func put(file, pointer, json string) change {
	return func(t *testing.T, f settest.Files) settest.Files { return f.Put(t, file, pointer, json) }
}

func drop(file, pointer string) change {
	return func(t *testing.T, f settest.Files) settest.Files { return f.Drop(t, file, pointer) }
}

func without(file string) change {
	return func(_ *testing.T, f settest.Files) settest.Files { return f.Without(file) }
}

func only(files ...string) change {
	return func(_ *testing.T, f settest.Files) settest.Files {
		for _, name := range f.Names() {
			if !slices.Contains(files, name) {
				f = f.Without(name)
			}
		}
		return f
	}
}

func both(a, b change) change {
	return func(t *testing.T, f settest.Files) settest.Files { return b(t, a(t, f)) }
}

func TestSampleCases(t *testing.T) {
	t.Parallel()
	for _, c := range cases {
		t.Run(c.id, func(t *testing.T) {
			t.Parallel()
			f := settest.Sample(t, c.set)
			got := resolved(t, c.change(t, f).Index())
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
			again := resolved(t, c.change(t, f).Index())
			if diff := cmp.Diff(got, again); diff != "" {
				t.Errorf("a second run differs:\n%s", diff)
			}
		})
	}
}

func TestSampleSetsResolve(t *testing.T) {
	t.Parallel()
	for _, set := range []string{minimal, software, flows, "examples/startup-team", "examples/product-delivery-team", "examples/open-source-maintainer", "fixtures/cli/valid/minimal-project"} {
		t.Run(set, func(t *testing.T) {
			t.Parallel()
			if got := resolved(t, settest.Sample(t, set).Index()); len(got) > 0 {
				t.Errorf("findings in a good set:\n%s", strings.Join(got, "\n"))
			}
		})
	}
}

// resolved is the sorted findings, one a line, and checks what holds for all.
func resolved(t *testing.T, x *refs.Index) []string {
	t.Helper()
	profile, semantic := refs.Resolve(x)
	for _, r := range profile {
		if r.Layer != manifest.ProfileLayer {
			t.Errorf("%s is a finding of the core profile in layer %q", r.Code, r.Layer)
		}
	}
	for _, r := range semantic {
		if r.Layer != manifest.SemanticLayer {
			t.Errorf("%s is a semantic finding in layer %q", r.Code, r.Layer)
		}
	}
	all := append(profile, semantic...)
	manifest.Sort(all)
	var out []string
	for _, r := range all {
		out = append(out, line(r))
	}
	return out
}

func line(r manifest.Record) string {
	s := fmt.Sprintf("%s %s %s %s", strings.ToUpper(string(r.Severity[:1])), r.Code, r.File, r.Path)
	for i, p := range r.Related {
		s += map[bool]string{true: " > ", false: ", "}[i == 0] + p.File + "#" + p.Path
	}
	return s
}
