package refs_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"terfyn/compiler/nexflow/code"
	"terfyn/compiler/nexflow/manifest"
	"terfyn/compiler/nexflow/refs"
	"terfyn/compiler/nexflow/settest"
	"terfyn/internal/canon"
)

// everything declares one thing in every namespace that references look in: the id
// is that of the namespace, with "-a".
const everything = `
-- actors.yaml
kind: ActorSet
actors: [{id: actor-a, kind: human}]
-- agents.yaml
kind: AgentSet
agents: [{id: agent-a}]
-- capabilities.yaml
kind: CapabilitySet
capabilities: [{id: capability-a}]
-- context.yaml
kind: ContextSet
contextSources: [{id: context-source-a}]
-- definitions.yaml
kind: AgentDefinitionSet
agentDefinitions: [{id: agent-definition-a}]
-- events.yaml
kind: EventSet
events: [{type: event.a}]
-- extensions.yaml
kind: ExtensionSet
extensions: [{id: extension-a}]
-- handoffs.yaml
kind: HandoffSet
handoffs: [{id: handoff-a}]
-- memory.yaml
kind: MemorySet
memoryScopes: [{scope: task}]
-- models.yaml
kind: ModelProfileSet
modelProfiles: [{id: model-profile-a}]
-- permissions.yaml
kind: PermissionSet
permissions: [{id: permission-a}]
-- project.yaml
kind: Project
project: {id: project-a, approvalGates: [{id: approval-gate-a}]}
-- prompts.yaml
kind: PromptSet
promptSets: [{id: prompt-set-a}]
-- providers.yaml
kind: ProviderSet
providers: [{id: provider-a}]
-- retrieval.yaml
kind: RetrievalProfileSet
retrievalProfiles: [{id: retrieval-profile-a}]
-- tasks.yaml
kind: TaskSet
tasks: [{id: task-a, artifacts: [{id: artifact-a}]}]
-- workflow.yaml
kind: Workflow
workflow: {id: workflow-a, stages: [{id: workflow-stage-a, steps: [{id: workflow-step-a}]}]}
`

// named is the id that everything declares in a namespace.
func named(s refs.Space) string {
	switch s {
	case refs.Participant:
		return "actor-a"
	case refs.Event:
		return "event.a"
	case refs.MemoryScope:
		return "task"
	}
	return string(s) + "-a"
}

func fileOf(t *testing.T, f settest.Files, kind manifest.Kind) string {
	t.Helper()
	for _, name := range f.Names() {
		if f[name].Str("kind") == string(kind) {
			return name
		}
	}
	t.Fatalf("no document of kind %s", kind)
	return ""
}

// Every row of the table: a declared target is found, another one is reported at
// the field and nowhere else, and without the kind the dependency is missing.
func TestEveryRow(t *testing.T) {
	t.Parallel()
	for _, row := range refs.Table() {
		t.Run(string(row.From)+row.Pointer, func(t *testing.T) {
			t.Parallel()
			f := settest.Parse(t, everything)
			file, pointer := fileOf(t, f, row.From), strings.ReplaceAll(row.Pointer, "*", "0")
			to := row.To
			if row.When == refs.OwnKind {
				to = refs.Capability
				f = f.Put(t, file, strings.TrimSuffix(pointer, "/id"), `{"kind": "capability"}`)
			}
			good := f.PutValue(t, file, pointer, canon.String(named(to)))
			if got := resolved(t, good.Index()); len(got) > 0 {
				t.Errorf("a declared target gives %q", got)
			}
			other, at := "ghost.word", pointer
			want := code.RefUnresolved
			if row.When == refs.ScopeOfTarget {
				want = code.RefScopeUnresolved
			}
			bad := f.PutValue(t, file, pointer, canon.String(other))
			if diff := cmp.Diff([]string{"E " + string(want) + " " + file + " " + at}, resolved(t, bad.Index())); diff != "" {
				t.Errorf("a target that is not declared (-want +got):\n%s", diff)
			}
			missingKind(t, good, row, to, pointer)
		})
	}
}

func missingKind(t *testing.T, good settest.Files, row refs.Row, to refs.Space, pointer string) {
	t.Helper()
	kind := to.Kind()
	if kind == "" || kind == row.From || kind == manifest.Project {
		return
	}
	if row.When == refs.NeedsActorSet {
		pointer = "/project/policies/humanOverride/authorities"
	}
	want := []string{"E NF-PROFILE-MISSING-DEPENDENCY " + fileOf(t, good, row.From) + " " + pointer}
	if diff := cmp.Diff(want, resolved(t, good.Without(fileOf(t, good, kind)).Index())); diff != "" {
		t.Errorf("without %s (-want +got):\n%s", kind, diff)
	}
}

func TestReferencesThatAreNone(t *testing.T) {
	t.Parallel()
	f := settest.Parse(t, everything)
	for _, c := range []struct {
		name, file, pointer, json string
		want                      []string
	}{
		{"trigger word", "workflow.yaml", "/workflow/triggers", `["manual", "Nightly.Run", "one."]`, nil},
		{"opaque locators", "context.yaml", "/contextSources/0/mcp", `{"serverId": "ghost", "allowedTools": ["ghost"]}`, nil},
		{"extension words", "extensions.yaml", "/extensions/0/appliesTo", `["context"]`, nil},
		{"not a text", "tasks.yaml", "/tasks/0/owner", `7`, nil},
		{"empty appliesTo of a prompt", "prompts.yaml", "/promptSets/0/prompts", `[{"id": "p", "appliesTo": []}]`, nil},
		{"one record for a prompt", "prompts.yaml", "/promptSets/0/prompts", `[{"id": "p"}, {"id": "q", "appliesTo": ["a", "b"]}]`,
			[]string{"I TERFYN-REF-DEFERRED prompts.yaml /promptSets/0/prompts/1/appliesTo"}},
		{"one record for an entry", "project.yaml", "/project/approvalGates/0/appliesTo", `["a", "b"]`, []string{
			"W NF-REF-LEGACY-UNQUALIFIED project.yaml /project/approvalGates/0/appliesTo/0",
			"W NF-REF-LEGACY-UNQUALIFIED project.yaml /project/approvalGates/0/appliesTo/1"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(c.want, resolved(t, f.Put(t, c.file, c.pointer, c.json).Index())); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
		})
	}
}

func TestTargetsWithAScope(t *testing.T) {
	t.Parallel()
	const at = "/project/approvalGates/0/targets"
	f := settest.Parse(t, everything)
	for _, c := range []struct {
		name, json string
		want       []string
	}{
		{"step", `[{"kind": "workflow-step", "id": "workflow-step-a", "scope": {"kind": "workflow", "id": "workflow-a"}}]`, nil},
		{"stage", `[{"kind": "workflow-stage", "id": "workflow-stage-a", "scope": {"kind": "workflow", "id": "workflow-a"}}]`, nil},
		{"another step", `[{"kind": "workflow-step", "id": "x", "scope": {"kind": "workflow", "id": "workflow-a"}}]`, []string{"E NF-REF-UNRESOLVED project.yaml " + at + "/0/id"}},
		{"stage as step", `[{"kind": "workflow-step", "id": "workflow-stage-a", "scope": {"kind": "workflow", "id": "workflow-a"}}]`, []string{"E NF-REF-UNRESOLVED project.yaml " + at + "/0/id"}},
		{"both wrong", `[{"kind": "workflow-step", "id": "x", "scope": {"kind": "workflow", "id": "y"}}]`, []string{"E NF-REF-SCOPE-UNRESOLVED project.yaml " + at + "/0/scope/id"}},
		{"id of another kind", `[{"kind": "task", "id": "capability-a"}]`, []string{"E NF-REF-UNRESOLVED project.yaml " + at + "/0/id"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(c.want, resolved(t, f.Put(t, "project.yaml", at, c.json).Index())); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
		})
	}
}

func TestLegacyParticipants(t *testing.T) {
	t.Parallel()
	f := settest.Parse(t, everything).Without("actors.yaml").Put(t, "project.yaml", "/project/maintainers", `[{"id": "keeper"}]`)
	for id, want := range map[string][]string{
		"keeper": nil, "agent-a": nil,
		"actor-a": {"E NF-REF-UNRESOLVED tasks.yaml /tasks/0/owner"},
	} {
		if diff := cmp.Diff(want, resolved(t, f.Put(t, "tasks.yaml", "/tasks/0/owner", `"`+id+`"`).Index())); diff != "" {
			t.Errorf("owner %s (-want +got):\n%s", id, diff)
		}
	}
	alone := settest.Parse(t, "-- project.yaml\nkind: Project\nproject: {id: a, approvalGates: [{id: g, requiredApprovers: [x, y]}]}")
	if diff := cmp.Diff([]string{"E NF-PROFILE-INCOMPLETE project.yaml "}, resolved(t, alone.Index())); diff != "" {
		t.Errorf("a Project alone (-want +got):\n%s", diff)
	}
}

func TestSuggestions(t *testing.T) {
	t.Parallel()
	const plain = "Declare it, or correct the reference."
	const agent = "An agent of this id is declared; participants are actors, so name the actor that refers to it."
	f := settest.Parse(t, everything).Put(t, "tasks.yaml", "/tasks/-", `{"id": "task-b"}`)
	long := strings.Repeat("a", 129)
	for _, c := range []struct{ name, file, pointer, id, want string }{
		{"one near", "tasks.yaml", "/tasks/0/owner", "actor_a", "Refer to actor-a if that is meant, or declare actor_a."},
		{"none near", "tasks.yaml", "/tasks/0/owner", "somebody", plain},
		{"two near", "tasks.yaml", "/tasks/0/dependsOn/0", "task-c", plain},
		{"near step", "workflow.yaml", "/workflow/dependencies/0/from", "workflow-step-b", "Refer to workflow-step-a if that is meant, or declare workflow-step-b."},
		{"another namespace", "tasks.yaml", "/tasks/0/owner", "capability-a", plain},
		{"agent", "tasks.yaml", "/tasks/0/owner", "agent-a", agent},
		{"authority: subject that is an agent", "permissions.yaml", "/permissions/0/subjects/0", "agent-a", agent},
		{"authority: operator that is an agent", "actors.yaml", "/actors/0/operatedBy/0/id", "agent-a", agent},
		{"authority: subject", "permissions.yaml", "/permissions/0/subjects/0", "actor_a", plain},
		{"authority: capability", "permissions.yaml", "/permissions/0/capabilities/0", "capability_a", plain},
		{"authority: permission", "definitions.yaml", "/agentDefinitions/0/components/permissionRefs/0", "permission_a", plain},
		{"authority: approver", "project.yaml", "/project/approvalGates/0/requiredApprovers/0", "actor_a", plain},
		{"not repeated", "tasks.yaml", "/tasks/0/owner", long, plain},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, found := refs.Resolve(f.PutValue(t, c.file, c.pointer, canon.String(c.id)).Index())
			if len(found) != 1 || found[0].Suggestion != c.want {
				t.Fatalf("found %+v, want the suggestion %q", found, c.want)
			}
			if c.id == long && (strings.Contains(found[0].Message, long) || found[0].Details.Reference != manifest.RedactedID) {
				t.Errorf("an over-long id is repeated: %+v", found[0])
			}
		})
	}
}

func TestMessages(t *testing.T) {
	t.Parallel()
	f := settest.Parse(t, everything).Put(t, "workflow.yaml", "/workflow/dependencies/0/to", `"later"`)
	_, found := refs.Resolve(f.Index())
	want := []manifest.Record{{
		Severity: manifest.Error, Code: code.RefUnresolved, Layer: manifest.SemanticLayer,
		File: "workflow.yaml", Kind: manifest.Workflow, Path: "/workflow/dependencies/0/to",
		Message:    "The workflow-step later is referred to here and not declared in the workflow workflow-a.",
		Details:    manifest.Details{TargetKind: "workflow-step", Reference: "later"},
		Suggestion: "Declare it, or correct the reference.",
	}}
	if diff := cmp.Diff(want, found); diff != "" {
		t.Errorf("record (-want +got):\n%s", diff)
	}
	profile, _ := refs.Resolve(settest.Parse(t, everything).Without("capabilities.yaml").Put(t, "tasks.yaml", "/tasks/0/capabilitiesRequired", `["c"]`).Index())
	want = []manifest.Record{{
		Severity: manifest.Error, Code: code.ProfileMissingDependency, Layer: manifest.ProfileLayer,
		File: "tasks.yaml", Kind: manifest.TaskSet, Path: "/tasks/0/capabilitiesRequired/0",
		Message:    "The capability c is referred to here, and the set has no CapabilitySet.",
		Details:    manifest.Details{TargetKind: "CapabilitySet", Reference: "c"},
		Suggestion: "Include the CapabilitySet document of the project in the set.",
	}}
	if diff := cmp.Diff(want, profile); diff != "" {
		t.Errorf("record (-want +got):\n%s", diff)
	}
}
