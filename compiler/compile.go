package compiler

import (
	"fmt"
	"io/fs"
	"runtime/debug"

	"terfyn/compiler/check"
	"terfyn/compiler/diag"
	"terfyn/compiler/effects"
	"terfyn/compiler/ir"
	"terfyn/compiler/lower"
	"terfyn/compiler/resource"
	"terfyn/compiler/source"
	"terfyn/compiler/syntax"
	"terfyn/compiler/validate"
	"terfyn/internal/ordered"
)

// Options steer Compile.
type Options struct {
	// Project is the name of the project: the base name of its directory.
	Project string
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
	Schemas  map[string][]byte // referenced schema documents by project-relative path
	Bounds   effects.Bounds
	// Sources holds the bytes of the source files by path, for snippets.
	Sources map[string][]byte
	// Positions gives the place of a node by workflow and static call site, for
	// diagnostics. It enters no digest.
	Positions map[string]map[string]source.Span
	Layers    []Layer // in the order they run
}

// Source returns the bytes of a source file, nil when there is none; it fits
// diag.Snippet.
func (r *Result) Source(path string) []byte { return r.Sources[path] }

// Compile compiles the project whose root is fsys. The Result is never nil and
// the list is sorted; the project is usable when the list holds no errors.
func Compile(fsys fs.FS, opts Options) (r *Result, ds diag.List) {
	c := &compilation{
		fsys: fsys,
		opts: opts,
		result: &Result{
			Sources: map[string][]byte{},
			Layers:  []Layer{{"parse", NotRun}, {"check", NotRun}, {"validate", NotRun}, {"effects", NotRun}},
		},
	}
	defer func() {
		if p := recover(); p != nil {
			c.diags.Add(bug(p, debug.Stack()))
			r = c.result
		}
		c.diags.Sort()
		ds = c.diags
	}()
	c.run()
	return c.result, c.diags
}

type compilation struct {
	fsys   fs.FS
	opts   Options
	result *Result
	diags  diag.List
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
	locate := locator{project: project, positions: c.result.Positions}
	if !c.layer(2, func() diag.List { return validate.Graph(raw, c.result.Schemas, locate.find) }) {
		return
	}
	c.layer(3, func() diag.List { return c.effects(locate) })
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
	ds.Add(lower.Unsupported(project)...)
	if ds.HasErrors() {
		return nil, resource.Graph{}, ds
	}
	lowered := lower.Lower(c.opts.Project, project)
	ds.Add(c.mocks(project, &lowered.Graph)...)
	c.result.Graph = resource.Normalize(lowered.Graph)
	c.result.Programs = lowered.Programs
	c.result.Positions = lowered.Positions
	c.result.Schemas = project.Schemas()
	return project, lowered.Graph, ds
}

func (c *compilation) effects(l locator) diag.List {
	var ds diag.List
	g := c.result.Graph
	c.result.Bounds = effects.Compute(g)
	for _, w := range g.Workflows {
		bound, ok := c.result.Bounds.Workflow(w.Name)
		if !ok {
			panic("compiler: workflow " + w.Name + " has no effect bound")
		}
		ds.Add(effects.CheckClause(w, bound, l.workflow(w.Name, "effects"))...)
		if !c.opts.SkipPolicyBounds {
			ds.Add(effects.CheckPolicy(g, w, bound, l.workflow(w.Name, "policy"))...)
		}
	}
	return ds
}

// parse reads and parses all source files.
func (c *compilation) parse() ([]*syntax.Unit, diag.List) {
	files, ds := readSources(c.fsys)
	var units []*syntax.Unit
	for _, name := range ordered.Keys(files) {
		c.result.Sources[name] = files[name]
		unit, problems := syntax.Parse(source.NewFile(name, files[name]), syntax.ParseLimits{})
		units = append(units, unit)
		ds.Add(problems...)
	}
	return units, ds
}

func bug(panicked any, stack []byte) diag.Diagnostic {
	return diag.Errorf(diag.Internal, source.Span{}, "a bug in terfyn, not in the project: %v; please report it with this trace:\n%s",
		fmt.Sprint(panicked), stack)
}
