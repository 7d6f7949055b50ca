package activities

import (
	"testing"

	"terfyn/compiler/native"
	"terfyn/compiler/resource"
	"terfyn/deploy/snapshot"
)

// Behaviour 141: a model sees the pinned schema of a native operation, the author's
// where there is one, and the built-in one for snapshots from before they were pinned.
func TestBehaviour141NativeSchemasForTheModel(t *testing.T) {
	t.Parallel()
	tool := resource.Tool{Name: "ws", Type: native.ToolType, Description: "The workspace.", OperationsDeclared: true, Operations: []resource.Operation{
		{Name: "change", RemoteName: "edit", Description: "Changes a file."}, {Name: "glob", Schema: "schemas/Gone.json"},
		{Name: "grep", Schema: "schemas/Grep.json"}, {Name: "read_file"},
	}}
	l := &snapshot.Loaded{Content: snapshot.Content{Graph: resource.Graph{Tools: []resource.Tool{tool}}, Schemas: map[string][]byte{
		"native:read_file": []byte(`{"type":"object","required":["pinned"]}`), "schemas/Grep.json": []byte(`{"type":"object","required":["own"]}`),
	}}}
	for capability, want := range map[string]struct{ required, description string }{
		"tool.ws.read_file": {`["pinned"]`, "The workspace."},
		"tool.ws.grep":      {`["own"]`, "The workspace."},
		"tool.ws.change":    {`["path","old_string","new_string"]`, "Changes a file."},
		"tool.ws.glob":      {`null`, "The workspace."}, // a missing schema of the author stays permissive
	} {
		d, err := toolDef(l, resource.Shown{Name: "shown", Capability: capability})
		if err != nil {
			t.Fatal(err)
		}
		if got := d.Parameters.At("required").JSON(); got != want.required || d.Description != want.description || d.Name != "shown" {
			t.Errorf("%s: %+v", capability, d)
		}
	}
}
