package compiler

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"terfyn/compiler/diag"
	"terfyn/compiler/ir"
	"terfyn/compiler/resource"
	"terfyn/compiler/source"
	"terfyn/compiler/steps"
	"terfyn/compiler/verify"
	"terfyn/internal/canon"
	"terfyn/internal/ordered"
)

// Input is a project that a machine built instead of writing source. Package
// build has short ways to construct one.
type Input struct {
	// Graph holds the resources. What follows from a program (steps, calls,
	// parameters, result, digest of a workflow) is read off it and need not be set.
	Graph resource.Graph
	// Programs holds the program of every workflow, in any order.
	Programs []ir.Program
	// Schemas holds JSON Schema documents by project-relative path; what nothing
	// refers to is left out of the Result.
	Schemas map[string][]byte
}

// Build compiles a project that comes as values. It is Compile without source: the
// same normaliser, step projection, rules and effects, the same codes, and an equal
// Result for an equal project; the layer parse has not run. Options.Project names
// the project where the graph does not.
//
// Diagnostics carry no position. The File of their place names the resource, and
// in a program the call site, as in workflow/review/if/then/note.
func Build(in Input, opts Options) (*Result, diag.List) {
	c := newCompilation(opts)
	return c.guarded(func() { c.build(in) })
}

func (c *compilation) build(in Input) {
	raw := in.Graph
	raw.Agents, raw.Tools = slices.Clone(raw.Agents), slices.Clone(raw.Tools)
	raw.Workflows, raw.Environments = slices.Clone(raw.Workflows), slices.Clone(raw.Environments)
	if raw.Project == "" {
		raw.Project = c.opts.Project
	}
	if !c.layer(1, func() diag.List {
		ds := verify.Programs(verify.Input{Graph: raw, Programs: in.Programs, Schemas: in.Schemas})
		ds.Add(documents(&raw)...)
		return ds
	}) {
		return
	}
	c.result.Programs = slices.Clone(in.Programs)
	slices.SortFunc(c.result.Programs, func(a, b ir.Program) int { return strings.Compare(a.Workflow, b.Workflow) })
	for i, w := range raw.Workflows {
		raw.Workflows[i] = steps.Project(w, programOf(c.result.Programs, w.Name))
	}
	c.result.Schemas = referenced(raw, in.Schemas)
	c.normalize(&raw)
	c.rules(raw, builtPlace)
}

// programOf finds a program that verify has found to be there.
func programOf(programs []ir.Program, workflow string) ir.Program {
	i := slices.IndexFunc(programs, func(p ir.Program) bool { return p.Workflow == workflow })
	return programs[i]
}

// builtPlace names a resource where a span is asked for.
func builtPlace(kind resource.Kind, name, field string) source.Span {
	place := strings.ToLower(string(kind)) + "/" + name
	if site, ok := strings.CutPrefix(field, "calls."); ok && kind == resource.KindWorkflow {
		place += "/" + site
	}
	return source.Span{File: place}
}

// documents checks the JSON documents that stand as text in a graph and brings them
// to their canonical form, on which identity rests.
func documents(g *resource.Graph) diag.List {
	var ds diag.List
	canonical := func(kind resource.Kind, name, what string, code diag.Code, text *string, check func(canon.Value) error) {
		if *text == "" {
			return
		}
		v, err := canon.Parse([]byte(*text))
		if err == nil && check != nil {
			err = check(v)
		}
		if err != nil {
			place := builtPlace(kind, name, "")
			ds.Add(diag.Errorf(code, place, "%s of %s cannot be used: %s", what, fmt.Sprint(strings.ToLower(string(kind)), " ", name), err))
			return
		}
		*text = v.JSON()
	}
	for i := range g.Agents {
		canonical(resource.KindAgent, g.Agents[i].Name, "the mock script", diag.BadMockScript, &g.Agents[i].MockScript, modelScript)
	}
	for i, e := range g.Environments {
		g.Environments[i].Agents = maps.Clone(e.Agents)
		for _, name := range ordered.Keys(e.Agents) {
			o := e.Agents[name]
			canonical(resource.KindEnvironment, e.Name, "the mock script of "+name, diag.BadMockScript, &o.MockScript, modelScript)
			g.Environments[i].Agents[name] = o
		}
	}
	for i := range g.Tools {
		canonical(resource.KindTool, g.Tools[i].Name, "the mock script", diag.BadMockScript, &g.Tools[i].MockScript, toolScript)
	}
	for i, w := range g.Workflows {
		g.Workflows[i].Triggers = slices.Clone(w.Triggers)
		for j := range w.Triggers {
			canonical(resource.KindWorkflow, w.Name, "the input of a trigger", diag.BadTrigger, &g.Workflows[i].Triggers[j].Input, nil)
		}
	}
	return ds
}

func modelScript(v canon.Value) error {
	_, err := resource.ParseMockScript(v)
	return err
}

func toolScript(v canon.Value) error {
	_, err := resource.ParseMockToolScript(v)
	return err
}

// referenced picks the schemas that a graph refers to.
func referenced(g resource.Graph, schemas map[string][]byte) map[string][]byte {
	out := map[string][]byte{}
	take := func(paths ...string) {
		for _, path := range paths {
			if b, ok := schemas[path]; ok {
				out[path] = b
			}
		}
	}
	for _, a := range g.Agents {
		take(a.Input, a.Output)
	}
	for _, t := range g.Tools {
		for _, o := range t.Operations {
			take(o.Schema, o.OutputSchema)
		}
	}
	for _, w := range g.Workflows {
		take(w.Result)
		for _, p := range w.Params {
			take(p.Schema)
		}
	}
	return out
}
