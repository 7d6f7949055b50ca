package export_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"

	"terfyn/compiler"
	"terfyn/compiler/export"
	"terfyn/compiler/format"
	"terfyn/compiler/resource"
	"terfyn/compiler/source"
)

func files(in map[string]string) fstest.MapFS {
	out := fstest.MapFS{}
	for name, text := range in {
		out[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return out
}

func memory(in export.Files) fstest.MapFS {
	out := fstest.MapFS{}
	for name, b := range in {
		out[name] = &fstest.MapFile{Data: b}
	}
	return out
}

func compile(t testing.TB, fsys fs.FS) export.Compiled {
	t.Helper()
	r, ds := compiler.Compile(fsys, compiler.Options{Project: "demo", SkipPolicyBounds: true})
	if ds.HasErrors() {
		t.Fatalf("the project does not compile:\n%s", ds)
	}
	return export.Compiled{Graph: r.Graph, Programs: r.Programs, Schemas: r.Schemas}
}

// checkRoundTrip exports, loads and compares; it gives the text.
func checkRoundTrip(t testing.TB, c export.Compiled) string {
	t.Helper()
	out, err := export.Project(c)
	if err != nil {
		text, _ := export.Source(c.Graph, c.Programs, c.Schemas)
		t.Fatalf("%v\n%s", err, text)
	}
	text := out[export.SourceFile]
	again := compile(t, memory(out))
	if diff := export.Differences(c, again); diff != nil {
		t.Fatalf("%v\n%s", diff, text)
	}
	if a, b := resource.Encode(c.Graph), resource.Encode(again.Graph); !bytes.Equal(a, b) {
		t.Fatalf("graphs differ:\n%s\n%s", a, b)
	}
	for i, p := range c.Programs {
		if p.Digest() != again.Programs[i].Digest() {
			t.Fatalf("programs differ:\n%s\n%s", p.Dump(), again.Programs[i].Dump())
		}
	}
	formatted, ds := format.Source(source.NewFile("project.agent", text))
	if ds.HasErrors() || !bytes.Equal(formatted, text) {
		t.Fatalf("the text is not in its canonical form:\n%s\n--- formatted\n%s", text, formatted)
	}
	second, err := export.Project(again)
	if err != nil || !bytes.Equal(second[export.SourceFile], text) {
		t.Fatalf("a second export differs (%v):\n%s\n--- second\n%s", err, text, second[export.SourceFile])
	}
	return string(text)
}

// TestRoundTripOfEveryProject takes all projects that the tests of the compiler
// have and those of the examples.
func TestRoundTripOfEveryProject(t *testing.T) {
	t.Parallel()
	var compiled atomic.Int32
	t.Cleanup(func() {
		if n := compiled.Load(); n < 5 {
			t.Errorf("only %d projects compiled", n)
		}
	})
	for name, fsys := range projects(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, ds := compiler.Compile(fsys, compiler.Options{Project: "demo", SkipPolicyBounds: true})
			if ds.HasErrors() {
				return // the archive is about an error
			}
			compiled.Add(1)
			checkRoundTrip(t, export.Compiled{Graph: r.Graph, Programs: r.Programs, Schemas: r.Schemas})
		})
	}
}

// archive splits the sections of a txtar file.
func archive(text string) fstest.MapFS {
	out := fstest.MapFS{}
	sections := strings.Split("\n"+text, "\n-- ")
	for _, s := range sections[1:] {
		name, content, ok := strings.Cut(s, " --\n")
		if ok {
			out[name] = &fstest.MapFile{Data: []byte(content + "\n")}
		}
	}
	return out
}

func projects(t testing.TB) map[string]fs.FS {
	t.Helper()
	out := map[string]fs.FS{}
	archives, err := filepath.Glob("../*/testdata/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	facade, err := filepath.Glob("../testdata/*.txtar")
	samples, _ := filepath.Glob("../testdata/samples/*.txtar")
	facade = append(facade, samples...)
	if err != nil || len(archives) == 0 || len(facade) == 0 {
		t.Fatalf("the archives of the compiler are missing: %v", err)
	}
	for _, name := range append(archives, facade...) {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		out[strings.TrimPrefix(filepath.ToSlash(name), "../")] = archive(string(b))
	}
	examples, err := os.ReadDir("../../examples")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range examples {
		if e.IsDir() && e.Name() != "testdata" {
			out["examples/"+e.Name()] = os.DirFS("../../examples/" + e.Name())
		}
	}
	return out
}

// sources are the .agent files of a project.
func sources(t testing.TB, fsys fs.FS) []string {
	t.Helper()
	var out []string
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(name, ".agent") {
			var b []byte
			b, err = fs.ReadFile(fsys, name)
			out = append(out, string(b))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}
