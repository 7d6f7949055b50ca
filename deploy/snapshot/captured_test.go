package snapshot_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"terfyn/compiler"
	"terfyn/compiler/diag"
	"terfyn/deploy/snapshot"
	"terfyn/internal/canon"
)

const typedProject = `
agent Sort { model mock/default input Letter output Never }
agent Free { model mock/default input Later }
workflow w(letter: Letter) policy shell_safe { x = Free({any: 1}) return { ok: true } }
`

func compileFiles(t *testing.T, files fstest.MapFS) (*compiler.Result, diag.List) {
	t.Helper()
	return compiler.Compile(files, compiler.Options{Project: "demo"})
}

// TestBehaviour88CapturedSchemasDecide: a run reads the schemas its snapshot captured.
// What happens to the files afterwards, and a file that comes later, changes nothing.
func TestBehaviour88CapturedSchemasDecide(t *testing.T) {
	t.Parallel()
	files := fstest.MapFS{
		"main.agent":          {Data: []byte(typedProject)},
		"schemas/Letter.json": {Data: []byte(`{"type":"object","required":["id"]}`)},
		"schemas/Never.json":  {Data: []byte(`false`)},
	}
	r, ds := compileFiles(t, files)
	if ds.HasErrors() {
		t.Fatal(ds)
	}
	row, artifacts := build(t, snapshot.Content{Environment: "prod", Graph: r.Graph, Programs: r.Programs, Schemas: r.Schemas}, release)
	files["schemas/Letter.json"] = &fstest.MapFile{Data: []byte(`true`)}
	files["schemas/Never.json"] = &fstest.MapFile{Data: []byte(`{}`)}
	files["schemas/Later.json"] = &fstest.MapFile{Data: []byte(`false`)}
	l, err := snapshot.Load(t.Context(), put(row, artifacts), row.Digest)
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"schemas/Letter.json", "schemas/Never.json"} {
		schema, err := l.Schema(path)
		if err != nil || schema == nil || schema.Validate(canon.Object()) == nil {
			t.Errorf("%s accepts what it did not accept when it was captured: %v", path, err)
		}
	}
	free, _ := l.Graph.Agent("Free")
	if later, err := l.Schema("schemas/Later.json"); later != nil || err != nil || free.Input != "" {
		t.Errorf("a schema that was absent holds now: %v, %v, input %q", later, err, free.Input)
	}
	// Another apply takes the files as they are then.
	if _, ds := compileFiles(t, files); !ds.HasErrors() {
		t.Error("the changed files are not read")
	}
}

// TestBehaviour88ReferencesToOtherFiles: a schema that needs another file is refused
// when it is captured.
func TestBehaviour88ReferencesToOtherFiles(t *testing.T) {
	t.Parallel()
	_, ds := compileFiles(t, fstest.MapFS{
		"main.agent":          {Data: []byte(typedProject)},
		"schemas/Letter.json": {Data: []byte(`{"$ref":"other.json"}`)},
		"schemas/other.json":  {Data: []byte(`{}`)},
	})
	if !ds.HasErrors() || !strings.Contains(ds.String(), "other.json") || !strings.Contains(ds.String(), string(diag.BrokenSchema)) {
		t.Errorf("a schema in two files passes: %s", ds)
	}
}
