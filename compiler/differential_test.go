package compiler_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"terfyn/compiler"
	"terfyn/compiler/check"
	"terfyn/compiler/diag"
	"terfyn/compiler/ir"
	"terfyn/compiler/lower"
	"terfyn/compiler/native"
	"terfyn/compiler/resource"
	"terfyn/compiler/source"
	"terfyn/compiler/syntax"
	"terfyn/internal/ordered"
)

// TestBothDoorsAgree compiles every project of this repository from source, takes
// from it what a producer of values would have, and goes in by the typed door.
func TestBothDoorsAgree(t *testing.T) {
	t.Parallel()
	projects := differentialProjects(t)
	for _, name := range ordered.Keys(projects) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			fsys := projects[name]
			want, said := compiler.Compile(fsys, compiler.Options{Project: "demo"})
			if want.Layers[1].Status != compiler.Passed {
				t.Fatalf("the source does not pass check, so there is nothing to build: %s", said)
			}
			for seed := range uint64(5) {
				in := produced(t, fsys, want, rand.New(rand.NewPCG(seed, 1)))
				got, diags := compiler.Build(in, compiler.Options{Project: "demo"})
				sameResult(t, want, got)
				if d := cmp.Diff(spoken(said), spoken(diags)); d != "" {
					t.Fatalf("diagnostics differ (-source +values):\n%s", d)
				}
			}
		})
	}
}

// differentialProjects lists the projects under test: the archives of the compiler's
// packages that get beyond check, and the examples.
func differentialProjects(t *testing.T) map[string]fs.FS {
	t.Helper()
	out := map[string]fs.FS{}
	for _, pattern := range []string{"testdata/*.txtar", "testdata/samples/*.txtar", "lower/testdata/*.txtar", "runnable/testdata/*.txtar"} {
		paths, err := filepath.Glob(pattern)
		if err != nil || len(paths) == 0 {
			t.Fatalf("no archives under %s: %v", pattern, err)
		}
		for _, path := range paths {
			if path == "testdata/errors.txtar" {
				continue
			}
			archive, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			fsys := fstest.MapFS{}
			for _, f := range archive.Files {
				if !strings.HasPrefix(f.Name, "out/") {
					fsys[f.Name] = &fstest.MapFile{Data: f.Data}
				}
			}
			out[path] = fsys
		}
	}
	examples, err := filepath.Glob("../examples/*/main.agent")
	if err != nil || len(examples) == 0 {
		t.Fatalf("no examples: %v", err)
	}
	for _, path := range examples {
		out[filepath.Dir(path)] = os.DirFS(filepath.Dir(path))
	}
	return out
}

// produced is the project of fsys as a producer of values would have it: nothing
// that follows from a program, everything in any order.
func produced(t *testing.T, fsys fs.FS, compiled *compiler.Result, r *rand.Rand) compiler.Input {
	t.Helper()
	g := lowered(t, fsys, compiled)
	for i := range g.Agents {
		a, _ := compiled.Graph.Agent(g.Agents[i].Name)
		g.Agents[i].MockScript = a.MockScript
		shuffle(r, g.Agents[i].Grants)
	}
	for i := range g.Tools {
		tool, _ := compiled.Graph.Tool(g.Tools[i].Name)
		g.Tools[i].MockScript = tool.MockScript
		shuffle(r, g.Tools[i].Operations)
	}
	for _, e := range g.Environments {
		done, _ := compiled.Graph.Environment(e.Name)
		for name, o := range e.Agents {
			o.MockScript = done.Agents[name].MockScript
			e.Agents[name] = o
		}
	}
	for i := range g.Policies {
		shuffle(r, g.Policies[i].Approvals.RequiredFor)
		shuffle(r, g.Policies[i].Effects.Permit)
	}
	for i := range g.Workflows {
		w := &g.Workflows[i]
		w.Steps, w.Calls, w.ProgramDigest, w.Params, w.Result = nil, nil, "", nil, ""
		shuffle(r, w.Effects)
	}
	shuffle(r, g.Agents)
	shuffle(r, g.Tools)
	shuffle(r, g.Policies)
	shuffle(r, g.Workflows)
	shuffle(r, g.Environments)
	shuffle(r, g.Providers)
	programs, err := ir.DecodeSet(ir.EncodeSet(compiled.Programs))
	if err != nil {
		t.Fatal(err)
	}
	shuffle(r, programs)
	schemas := maps.Clone(compiled.Schemas)
	maps.DeleteFunc(schemas, func(path string, _ []byte) bool { return native.IsSchemaPath(path) })
	schemas["schemas/Unused.json"] = []byte("{}")
	return compiler.Input{Graph: g, Programs: programs, Schemas: schemas}
}

func shuffle[T any](r *rand.Rand, s []T) {
	r.Shuffle(len(s), func(i, j int) { s[i], s[j] = s[j], s[i] })
}

// lowered is the graph before it is normalized.
func lowered(t *testing.T, fsys fs.FS, compiled *compiler.Result) resource.Graph {
	t.Helper()
	var units []*syntax.Unit
	for _, name := range ordered.Keys(compiled.Sources) {
		unit, ds := syntax.Parse(source.NewFile(name, compiled.Sources[name]), syntax.ParseLimits{})
		if ds.HasErrors() {
			t.Fatal(ds)
		}
		units = append(units, unit)
	}
	project, ds := check.Check(check.Input{Units: units, Files: fsys})
	if ds.HasErrors() {
		t.Fatal(ds)
	}
	return lower.Lower("", project).Graph
}

func sameResult(t *testing.T, want, got *compiler.Result) {
	t.Helper()
	if d := cmp.Diff(indent(t, resource.Encode(want.Graph)), indent(t, resource.Encode(got.Graph))); d != "" {
		t.Fatalf("graphs differ (-source +values):\n%s", d)
	}
	if !bytes.Equal(ir.EncodeSet(want.Programs), ir.EncodeSet(got.Programs)) {
		t.Fatal("programs differ")
	}
	if d := cmp.Diff(want.Bounds.Dump(), got.Bounds.Dump()); d != "" {
		t.Fatalf("bounds differ (-source +values):\n%s", d)
	}
	if d := cmp.Diff(want.Schemas, got.Schemas); d != "" {
		t.Fatalf("schemas differ (-source +values):\n%s", d)
	}
	if d := cmp.Diff(want.Layers[1:], got.Layers[1:]); d != "" {
		t.Fatalf("layers differ (-source +values):\n%s", d)
	}
}

// ofSource are complaints about how something is written down, which values cannot
// have: a grant repeated in a set, a type name or a script without a file, a token
// of a template that is not closed.
var ofSource = []diag.Code{diag.RepeatedCapability, diag.UnknownType, diag.UnknownMockScript, diag.UnclosedToken}

// spoken is a list of diagnostics without places.
func spoken(ds diag.List) []string {
	out := []string{}
	for _, d := range ds {
		if d.Severity == diag.Warning && slices.Contains(ofSource, d.Code) {
			continue
		}
		out = append(out, fmt.Sprintf("%s %s: %s", d.Code, d.Severity, d.Message()))
	}
	slices.Sort(out)
	return slices.Compact(out)
}
