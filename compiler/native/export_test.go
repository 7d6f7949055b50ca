package native_test

import (
	"slices"
	"testing"
	"testing/fstest"

	"terfyn/compiler"
	"terfyn/compiler/export"
	"terfyn/internal/ordered"
)

// An exported project holds no built-in schemas: compiling it captures them again.
func TestExportLeavesBuiltinSchemasOut(t *testing.T) {
	t.Parallel()
	fsys := fstest.MapFS{"main.agent": {Data: []byte("tool ws { type native operations { read_file {} } }\nworkflow w() { x = ws.read_file(path: \"a\") return x }\n")}}
	r, ds := compiler.Compile(fsys, compiler.Options{Project: "demo"})
	if ds.HasErrors() || r.Schemas["native:read_file"] == nil {
		t.Fatalf("%v\n%s", ordered.Keys(r.Schemas), ds)
	}
	files, err := export.Project(export.Compiled{Graph: r.Graph, Programs: r.Programs, Schemas: r.Schemas})
	if err != nil {
		t.Fatal(err)
	}
	if names := ordered.Keys(files); !slices.Equal(names, []string{export.SourceFile}) {
		t.Errorf("exported %v", names)
	}
}
