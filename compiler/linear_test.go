package compiler_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"terfyn/compiler"
	"terfyn/compiler/check"
	"terfyn/compiler/diag"
	"terfyn/compiler/effects"
	"terfyn/compiler/lower"
	"terfyn/compiler/source"
	"terfyn/compiler/syntax"
	"terfyn/compiler/validate"
	"terfyn/internal/bigproject"
	"terfyn/internal/ordered"
)

// stages is a big project as each layer of Compile gets it.
type stages struct {
	files   fstest.MapFS
	units   []*syntax.Unit
	project *check.Project
	lowered lower.Result
}

func parseAll(files fstest.MapFS) (units []*syntax.Unit, all diag.List) {
	for _, name := range ordered.Keys(files) {
		if strings.HasSuffix(name, ".agent") {
			u, ds := syntax.Parse(source.NewFile(name, files[name].Data), syntax.ParseLimits{})
			units = append(units, u)
			all.Add(ds...)
		}
	}
	return units, all
}

func stagesOf(t *testing.T, declarations int) stages {
	t.Helper()
	s := stages{files: bigproject.Files(declarations)}
	var ds, checked diag.List
	s.units, ds = parseAll(s.files)
	s.project, checked = check.Check(check.Input{Units: s.units, Files: s.files})
	if ds.Add(checked...); ds.HasErrors() {
		t.Fatalf("%.2000s", ds)
	}
	s.lowered = lower.Lower("big", s.project)
	return s
}

// TestWorkIsLinear counts the work of every layer for a project and for one of
// twice the declarations.
func TestWorkIsLinear(t *testing.T) {
	for _, layer := range []struct {
		name string
		run  func(s stages)
	}{
		{"parse", func(s stages) { parseAll(s.files) }},
		{"check", func(s stages) { check.Check(check.Input{Units: s.units, Files: s.files}) }},
		{"lower", func(s stages) { lower.Lower("big", s.project) }},
		{"validate", func(s stages) { validate.Graph(s.lowered.Graph, s.project.Schemas(), nil) }},
		{"effects", func(s stages) { effects.Compute(s.lowered.Graph) }},
		{"compile", func(s stages) { compiler.Compile(s.files, compiler.Options{Project: "big"}) }},
	} {
		t.Run(layer.name, func(t *testing.T) {
			bigproject.Linear(t, func(declarations int) func() {
				s := stagesOf(t, declarations)
				return func() { layer.run(s) }
			})
		})
	}
}

// TestLongWorkflowIsLinear has its declarations in one body: statements that call
// the same agent under one name, each with the result of the one before.
func TestLongWorkflowIsLinear(t *testing.T) {
	bigproject.Linear(t, func(statements int) func() {
		body := "agent Step { model mock/default }\nworkflow long(x: any) {\n" + strings.Repeat("    x2 = Step({ a: x, b: \"${x.id}\" })\n    Step({ c: x2 })\n", 3*statements) + "    return x2\n}\n"
		files := fstest.MapFS{"main.agent": {Data: []byte(body)}}
		return func() {
			if _, ds := compiler.Compile(files, compiler.Options{Project: "long"}); ds.HasErrors() {
				t.Fatalf("%.2000s", ds)
			}
		}
	})
}
