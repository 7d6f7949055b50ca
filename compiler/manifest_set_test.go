package compiler

import (
	"strings"
	"testing"
	"testing/fstest"
)

// TestManifestSetBesideProject: a NexFlow manifest set is no project of the old form.
// Beside .agent files it is left alone, and without them its own command is named.
func TestManifestSetBesideProject(t *testing.T) {
	t.Parallel()
	source := &fstest.MapFile{Data: []byte("agent writer { model mock/default }\n")}
	for name, text := range map[string]string{
		"block": "# a set\nspecVersion: \"0.1\"\nkind: Project\n", "flow": `{"specVersion": "0.1", "kind": "Project"}`, "quoted": "'specVersion': \"0.1\"\n", "json": "{\n  \"specVersion\": \"0.1\"\n}\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			set := &fstest.MapFile{Data: []byte(text)}
			if r, ds := Compile(fstest.MapFS{"project.yaml": set, "main.agent": source}, Options{}); ds.HasErrors() || len(r.Graph.Agents) != 1 {
				t.Errorf("beside a project: %s", ds.String())
			}
			_, ds := Compile(fstest.MapFS{"project.yml": set}, Options{})
			if said := ds.String(); !strings.Contains(said, "terfyn nexflow validate") || strings.Contains(said, "migrate") {
				t.Errorf("alone: %s", said)
			}
		})
	}
	old := &fstest.MapFile{Data: []byte("apiVersion: v1\nkind: Project\nspec:\n  specVersion: 1\n")}
	_, ds := Compile(fstest.MapFS{"project.yaml": old, "main.agent": source}, Options{})
	if said := ds.String(); !strings.Contains(said, "TF2402") {
		t.Errorf("a project of the old form: %s", said)
	}
}
