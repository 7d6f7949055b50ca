package view

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"terfyn/compiler/nexflow/manifest"
)

func TestUnknownFields(t *testing.T) {
	t.Parallel()
	if got := NewAuthority(estateFiles(t).Index()).UnknownFields; len(got) > 0 {
		t.Fatalf("the estate has unknown fields: %+v", got)
	}
	for _, row := range []struct{ script, want string }{
		{"context /contextSources/0/access delete\n" + `context /contextSources/0/access := {"default": "query", "allowedActor": ["bot"]}`,
			"! context.yaml#/contextSources/0/access 1 [allowedActors] []"},
		{`context /contextSources/0/access/allowedActor := []`, ""}, // the known one is there
		{`permissions /permissions/1/APPROVALGATE := "door"`, "! permissions.yaml#/permissions/1 1 [approvalGate] []"},
		{`permissions /permissions/1/approval_gate := "door"`, "! permissions.yaml#/permissions/1 1 [approvalGate] []"},
		{"memory /memoryScopes/0/updatemod := \"x\"\nmemory /memoryScopes/0/quite-other := 1", "! memory.yaml#/memoryScopes/0 2 [updateMode] []"},
		{`memory /memoryScopes/0/quite-other := 1`, ""},
		{`agents /agents/0/autonomylevel := 1`, "  agents.yaml#/agents/0 1 [autonomyLevel] []"}, // legacy, gives nothing
		{`project /approvalGates := []`, "! project.yaml# 1 [] [approvalGates of /project]"},
		{`project /project/policies/networkAccess/requireTls := true`,
			"! project.yaml#/project/policies/networkAccess 1 [] [requireTls of /project/policies/networkAccess/transport]"},
		{`definitions /agentDefinitions/0/capabilityRefs := []`, "! definitions.yaml#/agentDefinitions/0 1 [] [capabilityRefs of /agentDefinitions/0/components]"},
		{`context /contextSources/0/access/approvalGates := []`, "! context.yaml#/contextSources/0/access 1 [] [approvalGates of /contextSources/0]"},
		{`tasks /tasks/0/metadata := {}`, "  tasks.yaml#/tasks/0 1 [] [metadata of ]"},
		{`events /events/0/payload/anything := 1`, ""},
		{`permissions /permissions/0/scope := {"conditons": 1}`, ""},
	} {
		a := NewAuthority(estateFiles(t).Apply(t, row.script).Index())
		var got []string
		for _, u := range a.UnknownFields {
			mark := " "
			if slices.Contains(u.Marks, MarkStrayField) {
				mark = "!"
			}
			places := []string{}
			for _, m := range u.Misplaced {
				places = append(places, m.Field+" of "+m.In)
			}
			got = append(got, fmt.Sprintf("%s %s#%s %d %v %v", mark, u.File, u.Path, u.Count, u.Near, places))
		}
		if diff := cmp.Diff(row.want, strings.Join(got, "\n")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", row.script, diff)
		}
	}
}

func TestUnknownFieldsKeepTheirNames(t *testing.T) {
	t.Parallel()
	set := estateFiles(t).Apply(t, `
		permissions /permissions/0/aprovalGats := 1
		context /contextSources/0/secretword := 1
		project /approvalGates := []`)
	structured, err := json.Marshal(NewAuthority(set.Index()))
	if err != nil {
		t.Fatal(err)
	}
	text := string(authorityText(set))
	for _, out := range []string{string(structured), text} {
		if strings.Contains(out, "secretword") || strings.Contains(out, "aprovalGats") {
			t.Errorf("a name is repeated in %s", out)
		}
	}
	for _, want := range []string{
		"! 1         project.yaml  approvalGates of /project  stray-field\n",
		"a field that means nothing where it stands",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the text lacks %q:\n%s", want, text)
		}
	}
}

func TestUnknownFieldsAreBounded(t *testing.T) {
	t.Parallel()
	var many []string
	for i := range MaxUnknownFields + 20 {
		many = append(many, fmt.Sprintf(`{"id": "x-%d", "namespce": "n", "other": 1}`, i))
	}
	set := estateFiles(t).Apply(t, `extensions /extensions := [`+strings.Join(many, ",")+`]
		permissions /permissions/1/aprovalGate := "door"`)
	a := NewAuthority(set.Index())
	if len(a.UnknownFields) != MaxUnknownFields || !a.UnknownFieldsTruncated || a.UnknownFields[0].File != "permissions.yaml" {
		t.Errorf("%d objects are listed, truncated %t, first %+v", len(a.UnknownFields), a.UnknownFieldsTruncated, a.UnknownFields[0])
	}
}

// Whoever hides a name among very many draws attention by that.
func TestManyUnknownFieldsNeedALook(t *testing.T) {
	t.Parallel()
	var many []string
	for i := range maxCompared + 1 {
		many = append(many, fmt.Sprintf(`"another-%d": 1`, i))
	}
	set := estateFiles(t).Apply(t, `context /contextSources/0/access := {"default": "read", `+strings.Join(many, ",")+`, "zz": 1}`)
	a := NewAuthority(set.Index())
	if len(a.UnknownFields) != 1 || len(a.UnknownFields[0].Marks) != 1 || !a.UnknownFieldsTruncated {
		t.Errorf("truncated %t, %+v", a.UnknownFieldsTruncated, a.UnknownFields)
	}
}

// TestAuthorityObjects compares the places with those of the fields that count as
// authority in comparisons.
func TestAuthorityObjects(t *testing.T) {
	t.Parallel()
	want := map[string]bool{}
	for _, k := range comparedKinds {
		kind, at, _ := strings.Cut(declarationPaths[k.name], " ")
		for _, f := range k.fields {
			if f.means != authority && f.means != throughEffects {
				continue
			}
			object := at
			if i := strings.LastIndexByte(f.path, '.'); i >= 0 {
				object += "." + f.path[:i]
			}
			want[kind+" "+object] = true
		}
	}
	for _, f := range sourceFields {
		if f.means == authority {
			want["RetrievalProfileSet retrievalProfiles.*.sources.*"] = true
		}
	}
	got := map[string]bool{}
	for _, info := range manifest.Kinds() {
		for _, pattern := range authorityObjects[info.Kind] {
			got[string(info.Kind)+" "+pattern] = true
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("objects (-want +got):\n%s", diff)
	}
}
