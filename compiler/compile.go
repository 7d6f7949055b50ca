package compiler

import (
	"fmt"
	"io/fs"
	"runtime/debug"

	"terfyn/compiler/check"
	"terfyn/compiler/diag"
	"terfyn/compiler/effects"
	"terfyn/compiler/internal/cores"
	"terfyn/compiler/ir"
	"terfyn/compiler/lower"
	"terfyn/compiler/resource"
	"terfyn/compiler/source"
	"terfyn/compiler/syntax"
	"terfyn/compiler/validate"
	"terfyn/internal/ordered"
)

// Options steer Compile and Build.
type Options struct {
	// Project is the name of the project: the base name of its directory.
	Project string
	// Limits are those of the layers below the project; they count where the project
	// sets none and become part of the graph.
	Limits resource.Limits
	// SkipPolicyBounds leaves out the comparison of effect bounds with policies,
	// which `run` does not make (language.md section 11).
	SkipPolicyBounds bool
}

// Status is how a layer ended.
type Status string

// The statuses.
const (
	Passed Status = "passed"
	Failed Status = "failed"
	NotRun Status = "not_run"
)

// Layer is one stage of Compile.
type Layer struct {
	Name   string // parse, check, validate, effects
	Status Status
}

// Result is a compiled project. Layers and Sources are always there; Graph,
// Programs, Schemas and Positions once check passed; Bounds once validate passed.
type Result struct {
	Graph    resource.Graph    // normalized
	Programs []ir.Program      // sorted by workflow
	Schemas  map[string][]byte // schema documents by project-relative path, those of native operations by native.SchemaPath
	// ProjectLimits are the limits the project itself sets; those of Graph hold also
	// what Options.Limits adds.
	ProjectLimits resource.Limits
	Bounds        effects.Bounds
	// Sources holds the bytes of the source files by path, for snippets.
	Sources map[string][]byte
	// Positions gives the place of a node by workflow and static call site, for
	// diagnostics. It enters no digest.
	Positions map[string]map[string]source.Span
	// Locate gives the place of a field of a resource, zero when it is not known; it
	// is nil until check passed.
	Locate validate.Locator
	Layers []Layer // in the order they run
}

// Source returns the bytes of a source file, nil when there is none; it fits
// diag.Snippet.
func (r *Result) Source(path string) []byte { return r.Sources[path] }

// maxDiagnostics is how many errors, and how many warnings, Compile reports.
const maxDiagnostics = 1000

// Compile compiles the project whose root is fsys. The Result is never nil and
// the list is sorted and bounded; the project is usable when the list holds no errors.
func Compile(fsys fs.FS, opts Options) (*Result, diag.List) {
	c := newCompilation(opts)
	c.fsys = fsys
	return c.guarded(c.run)
}

func newCompilation(opts Options) *compilation {
	return &compilation{opts: opts, result: &Result{
		Sources: map[string][]byte{},
		Layers:  []Layer{{"parse", NotRun}, {"check", NotRun}, {"validate", NotRun}, {"effects", NotRun}},
	}}
}

// guarded runs a compilation; a panic of it becomes a diagnostic.
func (c *compilation) guarded(run func()) (r *Result, ds diag.List) {
	defer func() {
		if p := recover(); p != nil {
			c.diags.Add(bug(p, debug.Stack()))
			r = c.result
		}
		c.diags.Sort()
		ds = c.diags.Limit(maxDiagnostics)
	}()
	run()
	return c.result, c.diags
}

type compilation struct {
	fsys   fs.FS
	opts   Options
	result *Result
	diags  diag.List
	// compiled lists schemas that check compiled, so that validate need not.
	compiled []string
}

// layer runs one stage and records how it ended. It reports whether the next may
// run.
func (c *compilation) layer(index int, stage func() diag.List) bool {
	c.result.Layers[index].Status = Failed // stands if the stage panics
	ds := stage()
	c.diags.Add(ds...)
	if ds.HasErrors() {
		return false
	}
	c.result.Layers[index].Status = Passed
	return true
}

func (c *compilation) run() {
	var units []*syntax.Unit
	if !c.layer(0, func() (ds diag.List) {
		units, ds = c.parse()
		return ds
	}) {
		c.checkPartial(units)
		return
	}
	var project *check.Project
	var raw resource.Graph
	if !c.layer(1, func() (ds diag.List) {
		project, raw, ds = c.check(units)
		return ds
	}) {
		return
	}
	c.rules(raw, newLocator(project, c.result.Positions).find)
}

// checkPartial looks for more errors in what did parse. The check layer counts
// as run only when it finds some.
func (c *compilation) checkPartial(units []*syntax.Unit) {
	_, ds := check.Check(check.Input{Units: units, Files: c.fsys, Partial: true})
	if ds.HasErrors() {
		c.result.Layers[1].Status = Failed
		c.diags.Add(ds...)
	}
}

// check gives the graph as the author wrote it, repeats included, for validate;
// the Result gets the normalized one.
func (c *compilation) check(units []*syntax.Unit) (*check.Project, resource.Graph, diag.List) {
	project, ds := check.Check(check.Input{Units: units, Files: c.fsys})
	if ds.HasErrors() {
		return nil, resource.Graph{}, ds
	}
	lowered := lower.Lower(c.opts.Project, project)
	ds.Add(c.mocks(project, &lowered.Graph)...)
	c.result.Programs = lowered.Programs
	c.result.Positions = lowered.Positions
	c.result.Schemas = project.Schemas()
	c.compiled = ordered.Keys(c.result.Schemas)
	c.normalize(&lowered.Graph)
	return project, lowered.Graph, ds
}

// parse reads and parses all source files, by path.
func (c *compilation) parse() ([]*syntax.Unit, diag.List) {
	files, ds := readSources(c.fsys)
	names := ordered.Keys(files)
	units := make([]*syntax.Unit, len(names))
	problems := make([]diag.List, len(names))
	cores.Each(len(names), func(i int) {
		units[i], problems[i] = syntax.Parse(source.NewFile(names[i], files[names[i]]), syntax.ParseLimits{})
	})
	for i, name := range names {
		c.result.Sources[name] = files[name]
		ds.Add(problems[i]...)
	}
	return units, ds
}

func bug(panicked any, stack []byte) diag.Diagnostic {
	return diag.Errorf(diag.Internal, source.Span{}, "a bug in terfyn, not in the project: %v; please report it with this trace:\n%s",
		fmt.Sprint(panicked), stack)
}
