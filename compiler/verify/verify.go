package verify

import (
	"slices"
	"strings"

	"terfyn/compiler/diag"
	"terfyn/compiler/ir"
	"terfyn/compiler/resource"
	"terfyn/compiler/source"
	"terfyn/compiler/types"
)

// Input is what Programs works on.
type Input struct {
	Graph    resource.Graph // as built; steps, calls and digests are not read
	Programs []ir.Program   // in any order
	// Schemas holds schema documents by project-relative path. One that is absent
	// or broken makes its type untyped here; package validate complains.
	Schemas map[string][]byte
}

// Programs checks every program against its graph. With an error in the list the
// programs must not be encoded: they may hold what has no encoding. The list is
// sorted by place.
func Programs(in Input) diag.List {
	v := &verifier{
		schemas:   in.Schemas,
		loaded:    map[string]types.Type{},
		agents:    map[string]resource.Agent{},
		tools:     map[string]resource.Tool{},
		workflows: map[string]ir.Program{},
		edges:     map[string][]edge{},
	}
	for _, a := range in.Graph.Agents {
		v.agents[a.Name] = a
	}
	for _, t := range in.Graph.Tools {
		v.tools[t.Name] = t
	}
	programs := slices.Clone(in.Programs)
	slices.SortStableFunc(programs, func(a, b ir.Program) int { return strings.Compare(a.Workflow, b.Workflow) })
	v.pairs(in.Graph, programs)
	for _, p := range programs {
		v.program(p)
	}
	for _, w := range in.Graph.Workflows {
		if p, ok := v.workflows[w.Name]; ok {
			for _, t := range w.Triggers {
				v.trigger(t, p)
			}
		}
	}
	v.recursion()
	v.diags.Sort()
	return v.diags
}

type verifier struct {
	schemas   map[string][]byte
	loaded    map[string]types.Type
	agents    map[string]resource.Agent
	tools     map[string]resource.Tool
	workflows map[string]ir.Program
	edges     map[string][]edge // workflow calls by caller, in source order
	diags     diag.List
}

// pairs checks that workflows and programs belong together one to one.
func (v *verifier) pairs(g resource.Graph, programs []ir.Program) {
	declared := map[string]bool{}
	for _, w := range g.Workflows {
		declared[w.Name] = true
	}
	for _, p := range programs {
		if _, twice := v.workflows[p.Workflow]; twice {
			v.add(malformed(workflowPlace(p.Workflow), "workflow %s has two programs; give it one", p.Workflow))
			continue
		}
		v.workflows[p.Workflow] = p
		if !declared[p.Workflow] {
			v.add(malformed(workflowPlace(p.Workflow), "there is a program for workflow %q, which the graph does not have; add the workflow", p.Workflow))
		}
	}
	for _, w := range g.Workflows {
		if _, ok := v.workflows[w.Name]; !ok {
			v.add(malformed(workflowPlace(w.Name), "workflow %s has no program; give it one", w.Name))
		}
	}
}

func (v *verifier) add(ds ...diag.Diagnostic) { v.diags.Add(ds...) }

// typeAt is the type of the schema at a path, untyped for "".
func (v *verifier) typeAt(path string) types.Type {
	if t, ok := v.loaded[path]; ok {
		return t
	}
	t := types.Untyped()
	if b, ok := v.schemas[path]; ok {
		if schema, err := types.Load(path, b); err == nil {
			t = types.Of(schema)
		}
	}
	v.loaded[path] = t
	return t
}

// typed reports whether a path leads to a schema that can be used.
func (v *verifier) typed(path string) bool {
	b, ok := v.schemas[path]
	if !ok {
		return false
	}
	_, err := types.Load(path, b)
	return err == nil
}

// typeName is the name the language has for a schema.
func typeName(path string) string {
	name, inFolder := strings.CutPrefix(path, "schemas/")
	name, document := strings.CutSuffix(name, ".json")
	if !inFolder || !document {
		return path
	}
	return name
}

// workflowPlace names a workflow, or a call site in it, where a span is asked for.
func workflowPlace(name string, site ...string) source.Span {
	return source.Span{File: strings.Join(append([]string{"workflow/" + name}, site...), "/")}
}
