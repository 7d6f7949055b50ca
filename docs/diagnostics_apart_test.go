package docs

import (
	"bytes"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"terfyn/compiler"
	"terfyn/compiler/config"
	"terfyn/compiler/diag"
	"terfyn/compiler/ir"
	"terfyn/compiler/migrate"
	"terfyn/compiler/resource"
	"terfyn/compiler/source"
	"terfyn/compiler/syntax"
	"terfyn/compiler/validate"
)

// shownApart lists the codes that no text of a project gives, or none of a size fit
// for a page, with the function that gives them.
var shownApart = map[diag.Code]func(*testing.T, codePage) (diag.List, func(string) []byte){
	diag.InvalidUTF8:         notUTF8,
	diag.FileTooLarge:        largeFile,
	diag.NestingTooDeep:      deepNesting,
	diag.TooManyErrors:       manyErrors,
	diag.UnreadableFile:      linkOutside,
	diag.OldForm:             oldManifest,
	diag.OldFieldLeftOut:     oldManifest,
	diag.BadConfig:           configuration,
	diag.UnknownConfigKey:    configuration,
	diag.BadStep:             stepsInACircle,
	diag.MalformedCapability: oddCapability,
	diag.BadProgram:          emptyProgram,
	diag.Internal:            brokenCompiler,
}

func project(text string) fstest.MapFS { return fstest.MapFS{"main.agent": {Data: []byte(text)}} }

func only(code diag.Code, ds diag.List) diag.List {
	var out diag.List
	for _, d := range ds {
		if d.Code == code {
			out.Add(d)
		}
	}
	return out
}

func notUTF8(*testing.T, codePage) (diag.List, func(string) []byte) {
	r := study(project("agent writer {\n    model mock/default\n    description \"caf\xe9\"\n}\n"))
	return r.list, r.lookup
}

func largeFile(*testing.T, codePage) (diag.List, func(string) []byte) {
	_, ds := syntax.Parse(source.NewFile("main.agent", bytes.Repeat([]byte("// pad\n"), 2_500_000)), syntax.ParseLimits{})
	return ds, nil
}

func deepNesting(*testing.T, codePage) (diag.List, func(string) []byte) {
	r := study(project("workflow w(ok: any) {\n    if " + strings.Repeat("!", 250) + "ok { }\n}\n"))
	return r.list, r.lookup
}

// manyErrors gives what follows a hundred other errors.
func manyErrors(*testing.T, codePage) (diag.List, func(string) []byte) {
	r := study(project(strings.Repeat("?\n", 150)))
	return only(diag.TooManyErrors, r.list), r.lookup
}

func linkOutside(*testing.T, codePage) (diag.List, func(string) []byte) {
	r := study(fstest.MapFS{
		"main.agent":   {Data: []byte("limits { }\n")},
		"shared.agent": {Data: []byte("../elsewhere/shared.agent"), Mode: fs.ModeSymlink},
	})
	return r.list, r.lookup
}

// oldManifest converts the old project of a page.
func oldManifest(_ *testing.T, p codePage) (diag.List, func(string) []byte) {
	r, ds := migrate.Project(fstest.MapFS{"project.yaml": {Data: []byte(p.yaml.text)}}, "project.agent")
	return ds, func(name string) []byte { return r.Sources[name] }
}

// configuration reads the user-local configuration of a page.
func configuration(_ *testing.T, p codePage) (diag.List, func(string) []byte) {
	text := []byte(p.yaml.text)
	_, ds := config.Parse(".agentic/local.yaml", text)
	return ds, func(string) []byte { return text }
}

func stepsInACircle(*testing.T, codePage) (diag.List, func(string) []byte) {
	return validate.Graph(resource.Graph{Project: "example", Workflows: []resource.Workflow{{Name: "publish", Steps: []resource.Step{
		{ID: "draft", Kind: "agent", Needs: []string{"review"}}, {ID: "review", Kind: "agent", Needs: []string{"draft"}},
	}}}}, nil, nil), nil
}

func oddCapability(*testing.T, codePage) (diag.List, func(string) []byte) {
	return validate.Graph(resource.Graph{Project: "example", Agents: []resource.Agent{
		{Name: "writer", Model: "mock/default", Grants: []string{"desk.read"}},
	}}, nil, nil), nil
}

func emptyProgram(*testing.T, codePage) (diag.List, func(string) []byte) {
	_, ds := compiler.Build(compiler.Input{
		Graph:    resource.Graph{Project: "example", Workflows: []resource.Workflow{{Name: "publish"}}},
		Programs: []ir.Program{{Workflow: "publish", Body: []ir.Node{&ir.Return{}}}},
	}, compiler.Options{})
	return only(diag.BadProgram, ds), nil
}

// brokenFS is a file system with a bug.
type brokenFS struct{}

func (brokenFS) Open(string) (fs.File, error) { panic("the file system has a bug") }

// brokenCompiler gives a bug without its trace, which differs from place to place.
func brokenCompiler(t *testing.T, _ codePage) (diag.List, func(string) []byte) {
	_, ds := compiler.Compile(brokenFS{}, compiler.Options{Project: "example"})
	for i := range ds {
		text, trace, ok := strings.Cut(ds[i].Detail, "trace:\n")
		if !ok || !bytes.Contains([]byte(trace), []byte("goroutine")) {
			t.Errorf("no trace in %q", ds[i].Detail)
		}
		ds[i].Detail = text + "trace: ..."
	}
	return ds, nil
}
