package compiler_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"terfyn/compiler"
	"terfyn/compiler/diag"
	"terfyn/compiler/ir"
	"terfyn/compiler/resource"
)

// FuzzCompile asserts that no source makes a bug, and that what compiles also
// survives its serialised forms.
func FuzzCompile(f *testing.F) {
	archives, err := filepath.Glob("*/testdata/*.txtar")
	if err != nil {
		f.Fatal(err)
	}
	own, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range append(archives, own...) {
		b, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		for _, part := range strings.Split(string(b), "\n-- ") {
			if file, text, ok := strings.Cut(part, " --\n"); ok && strings.HasSuffix(file, ".agent") {
				f.Add(text)
			}
		}
	}
	f.Add(twoFiles + flows)
	f.Fuzz(func(t *testing.T, text string) {
		r, ds := compiler.Compile(files(map[string]string{"a.agent": text, "schemas/T.json": `{"type":"object"}`}), compiler.Options{Project: "p"})
		for _, d := range ds {
			if d.Code == diag.Internal {
				t.Fatal(d.Message())
			}
		}
		if ds.HasErrors() {
			return
		}
		if _, err := ir.DecodeSet(ir.EncodeSet(r.Programs)); err != nil {
			t.Fatal(err)
		}
		if _, err := resource.Decode(resource.Encode(r.Graph)); err != nil {
			t.Fatal(err)
		}
	})
}
