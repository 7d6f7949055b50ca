package view

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"terfyn/compiler/nexflow/settest"
)

func textsOf(c Changes) []string {
	out := []string{}
	for _, x := range c.Texts {
		out = append(out, fmt.Sprintf("%s %s %s %s %s#%s", x.Class, x.Kind, scoped(x.Scope, x.ID), orDash(x.Field), x.File, x.Path))
	}
	return out
}

// TestTextsAreNamed: whoever reviews a set has to read what nothing here depends on.
func TestTextsAreNamed(t *testing.T) {
	t.Parallel()
	base := estateFiles(t).Apply(t, `
		permissions /permissions/0/conditions := ["By day."]
		permissions /permissions/0/scope := {"branch": "main"}
		workflow /workflow/dependencies := [{"from": "a", "to": "b", "type": "x"}]`)
	for _, row := range []struct {
		script string
		want   []string
	}{
		{`context /contextSources/0/mcp/serverId := "another"`, []string{"changed context-source wiki mcp.serverId context.yaml#/contextSources/0/mcp/serverId"}},
		{`context /contextSources/0/uri delete`, []string{"removed context-source wiki uri context.yaml#/contextSources/0/uri"}},
		{`prompts /promptSets/0/prompts/0/sourceRef := "x"`, []string{"added prompt prompts/role sourceRef prompts.yaml#/promptSets/0/prompts/0/sourceRef"}},
		{`retrieval /retrievalProfiles/0/index := {"corpusRef": "x"}`, []string{"added retrieval-profile search index.corpusRef retrieval.yaml#/retrievalProfiles/0/index/corpusRef"}},
		{`retrieval /retrievalProfiles/0/sensitivity/redactionPolicy := "x"`,
			[]string{"added retrieval-profile search sensitivity.redactionPolicy retrieval.yaml#/retrievalProfiles/0/sensitivity/redactionPolicy"}},
		{`retrieval /retrievalProfiles/0/sources/0/purpose := "x"`, []string{"changed retrieval-profile search sources.purpose retrieval.yaml#/retrievalProfiles/0/sources/0/purpose"}},
		{`permissions /permissions/0/conditions := ["Always."]`, []string{"changed permission may conditions permissions.yaml#/permissions/0/conditions"}},
		{`permissions /permissions/0/scope/branch := "all"`, []string{"changed permission may scope permissions.yaml#/permissions/0/scope"}},
		{`definitions /agentDefinitions/0/review/approvers := ["bot"]`, []string{"changed agent-definition bot_one review.approvers definitions.yaml#/agentDefinitions/0/review/approvers"}},
		{`memory /memoryScopes/1/prohibitedContent := ["x"]`, []string{"added memory-scope project prohibitedContent memory.yaml#/memoryScopes/1/prohibitedContent"}},
		{`memory /memoryScopes/1/retention := "x"`, []string{"changed memory-scope project retention memory.yaml#/memoryScopes/1/retention"}},
		{`project /project/policies/secretHandling := "x"`, []string{"changed project - policies.secretHandling project.yaml#/project/policies/secretHandling"}},
		{`workflow /workflow/dependencies/0/type := "y"`, []string{"changed workflow day dependencies.type workflow.yaml#/workflow/dependencies/0/type"}},
		{`extensions /extensions/- := {"id": "second"}`, []string{"added extension second - extensions.yaml#/extensions/1"}},
		{`tasks /tasks/0/status := "in_progress"`, []string{"changed task sweep status tasks.yaml#/tasks/0/status"}},
		{"project /metadata/name := \"x\"\nproject /metadata/labels := [\"x\"]",
			[]string{"added Project - metadata.labels project.yaml#/metadata/labels", "changed Project - metadata.name project.yaml#/metadata/name"}},
		{`project /manifests/actors := "x"`, []string{"added Project - manifests.actors project.yaml#/manifests/actors"}},
		{`workflow /metadata/name := "x"`, []string{"added Workflow day metadata.name workflow.yaml#/metadata/name"}},
		{`events /envelope/required := ["other"]`, []string{"changed EventSet - envelope.required events.yaml#/envelope/required"}},
		// names that no schema knows
		{`context /secret-member := 1`, []string{"added ContextSet - <redacted> context.yaml#/<redacted>"}},
		{`context /contextSources/0/secret-member := 1`, []string{"added context-source wiki <redacted> context.yaml#/contextSources/0/<redacted>"}},
		{`context /contextSources/0/access/secret~1member := 1`, []string{"added context-source wiki access.<redacted> context.yaml#/contextSources/0/access/<redacted>"}},
		{`context /metadata/secret-member := 1`, []string{"added ContextSet - metadata.<redacted> context.yaml#/metadata/<redacted>"}},
		{`retrieval /retrievalProfiles/0/sources/0/secret-member := 1`, []string{"added retrieval-profile search sources.<redacted> retrieval.yaml#/retrievalProfiles/0/sources/0/<redacted>"}},
	} {
		after := base.Apply(t, row.script)
		got := Compare(base.Index(), after.Index())
		if diff := cmp.Diff(row.want, textsOf(got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", row.script, diff)
		}
		for _, x := range got.Texts {
			if x.Near != "" {
				t.Errorf("%s: near %s", row.script, x.Near)
			}
		}
		if got.Inert != len(row.want) || len(got.Authority)+len(got.Behaviour) > 0 {
			t.Errorf("%s: %d inert, authority %+v, behaviour %+v", row.script, got.Inert, got.Authority, got.Behaviour)
		}
		checkMirror(t, row.script, base, after)
		structured, err := json.Marshal(got)
		if err != nil {
			t.Fatal(err)
		}
		var text bytes.Buffer
		got.WriteText(&text)
		if shown := text.String() + string(structured); strings.Contains(shown, "secret-") || strings.Contains(shown, "secret~") {
			t.Errorf("%s: a name is repeated in %s", row.script, shown)
		}
	}
}

// A source with another access and another purpose is told twice.
func TestTextsBesideAuthority(t *testing.T) {
	t.Parallel()
	base := estateFiles(t)
	got := Compare(base.Index(), base.Apply(t, `retrieval /retrievalProfiles/0/sources := [{"contextSourceRef": "wiki", "purpose": "Q.", "accessMode": "admin", "required": true, "maxClassification": "internal"}]`).Index())
	if diff := cmp.Diff([]string{"changed retrieval-profile search sources.purpose retrieval.yaml#/retrievalProfiles/0/sources/0/purpose"}, textsOf(got)); diff != "" {
		t.Errorf("texts (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"widened retrieval-profile search sources.accessMode wiki read>admin"}, entriesOf(got)); diff != "" {
		t.Errorf("authority (-want +got):\n%s", diff)
	}
}

// A subject whose new permission a denial outweighs is told, although another one's
// effect changed by the same edit.
func TestSubjectsWithoutEffectAreTold(t *testing.T) {
	t.Parallel()
	base := estateFiles(t).Apply(t, `permissions /permissions/- := {"id": "never", "subjects": ["timer"], "capabilities": ["look"], "effect": "deny"}`)
	got := Compare(base.Index(), base.Apply(t, `permissions /permissions/1 := {"id": "sees", "description": "S.", "subjects": ["owner", "bot", "timer"], "capabilities": ["look"], "effect": "allow"}`).Index())
	want := []string{"changed permission sees subjects permissions.yaml#/permissions/1/subjects"}
	if diff := cmp.Diff(want, textsOf(got)); diff != "" {
		t.Errorf("texts (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"narrowed effect owner - call allow>none", "widened effect bot - look none>allow"}, entriesOf(got)); diff != "" {
		t.Errorf("authority (-want +got):\n%s", diff)
	}
}

// A field that was to bound something and is misspelt is told by the name it is near.
func TestMisspeltAuthorityIsTold(t *testing.T) {
	t.Parallel()
	base := estateFiles(t)
	after := base.Apply(t, `context /contextSources/0/access := {"default": "read", "allowedActor": ["bot"], "deniedActors": ["timer"]}`)
	var b bytes.Buffer
	Compare(base.Index(), after.Index()).WriteText(&b)
	if want := "  !added  context-source  wiki  access.<redacted>, near allowedActors  context.yaml"; !strings.Contains(b.String(), want) {
		t.Errorf("the text lacks %q:\n%s", want, &b)
	}
	for _, x := range Compare(after.Index(), base.Index()).Texts {
		if x.Near != "" {
			t.Errorf("a misspelt field that went is near %s", x.Near)
		}
	}
}

func TestTextsAreBounded(t *testing.T) {
	t.Parallel()
	var many []string
	for i := range MaxChanges + 3 {
		many = append(many, fmt.Sprintf(`{"id": "x-%d"}`, i))
	}
	base := estateFiles(t)
	got := Compare(base.Index(), base.Apply(t, `extensions /extensions := [`+strings.Join(many, ",")+`]`).Index())
	if len(got.Texts) != MaxChanges || got.Inert != MaxChanges+4 || !got.Truncated {
		t.Errorf("%d texts of %d, truncated %t", len(got.Texts), got.Inert, got.Truncated)
	}
}

func TestDomainsThatCameAndWent(t *testing.T) {
	t.Parallel()
	base := estateFiles(t)
	got := Compare(base.Index(), base.Apply(t, `context /contextSources/0/allowedDomains := ["secret.example", "other.example"]`).Index())
	var told []string
	for _, x := range got.Authority {
		told = append(told, string(x.Class)+" "+x.Field+" "+x.what())
	}
	if diff := cmp.Diff([]string{"widened allowedDomains added 2", "narrowed allowedDomains removed 1", "changed allowedDomains added 2, removed 1"}, told); diff != "" {
		t.Errorf("changes (-want +got):\n%s", diff)
	}
}

func TestSetsOfDifferentProjects(t *testing.T) {
	t.Parallel()
	base := estateFiles(t)
	var same, other bytes.Buffer
	Compare(base.Index(), base.Index()).WriteText(&same)
	Compare(base.Index(), settest.Files(base).Apply(t, `project /project/id := "manor"`).Index()).WriteText(&other)
	if same.String() != "Nothing changed.\n" {
		t.Errorf("of equal sets it says %q", &same)
	}
	if !strings.HasPrefix(other.String(), "These are sets of different projects: manor, and estate before.\n") {
		t.Errorf("it begins with %.90q", &other)
	}
}
