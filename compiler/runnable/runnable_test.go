package runnable_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"terfyn/compiler"
	"terfyn/compiler/diag"
	"terfyn/compiler/runnable"
	"terfyn/internal/golden"
)

// compile fails the test on errors.
func compile(t *testing.T, files map[string][]byte) *compiler.Result {
	t.Helper()
	fsys := fstest.MapFS{}
	for name, b := range files {
		fsys[name] = &fstest.MapFile{Data: b}
	}
	r, ds := compiler.Compile(fsys, compiler.Options{Project: "demo"})
	if ds.HasErrors() {
		t.Fatalf("the project does not compile:\n%s", ds)
	}
	return r
}

func TestGolden(t *testing.T) {
	t.Parallel()
	golden.Archives(t, "testdata", func(t *testing.T, in map[string][]byte) map[string]string {
		r := compile(t, in)
		out := map[string]string{"gaps": list(runnable.Gaps(r.Graph, r.Programs))}
		for _, w := range r.Graph.Workflows {
			if text := list(runnable.Run(r.Graph, r.Programs, w.Name)); text != "" {
				out["run/"+w.Name] = text
			}
		}
		return out
	})
}

func list(all []runnable.Gap) string {
	var b strings.Builder
	for _, g := range all {
		advisory := ""
		if g.Advisory {
			advisory = " (advisory)"
		}
		fmt.Fprintf(&b, "%s %s %s: %s%s\n", g.Kind, g.Name, g.Field, g.Construct, advisory)
	}
	return b.String()
}

// TestCompileWarns: validate names every gap at its place and stays successful.
func TestCompileWarns(t *testing.T) {
	t.Parallel()
	fsys := fstest.MapFS{"a.agent": {Data: []byte("agent A { model mock/m mayEscalate true }\nworkflow w(x: any) {\n    for i in x { A(i) }\n}\n")}}
	_, ds := compiler.Compile(fsys, compiler.Options{Project: "demo"})
	want := []string{"a.agent:1:24", "a.agent:3:5"}
	if len(ds) != len(want) {
		t.Fatalf("diagnostics:\n%s", ds)
	}
	for i, d := range ds {
		if d.Code != diag.NotRunnable || d.Severity != diag.Warning || d.At.String() != want[i] {
			t.Errorf("%s %v: %s", d.Code, d.At, d.Message())
		}
	}
}
