package export

import (
	"strconv"

	"terfyn/compiler/format"
	"terfyn/compiler/ir"
	"terfyn/compiler/resource"
	"terfyn/compiler/syntax"
)

// Source writes a graph and its programs as the text of one .agent file in its
// canonical form. Fields that follow from the programs, such as steps, are not
// looked at; Project is what guarantees that the text means the same. The error is
// a *RefusedError.
func Source(g resource.Graph, programs []ir.Program, schemas map[string][]byte) ([]byte, error) {
	return source(g, programs, schemas, nil)
}

// source is Source with instructions in files of their own, by agent.
func source(g resource.Graph, programs []ir.Program, schemas map[string][]byte, prompts map[string]string) ([]byte, error) {
	var refusals []Refusal
	of := func(kind resource.Kind, name string) writer {
		return writer{kind: kind, name: name, refusals: &refusals}
	}
	u := &syntax.Unit{}
	add := func(d syntax.Decl) { u.Decls = append(u.Decls, d) }
	project := of(resource.KindProject, g.Project)
	if g.Defaults != (resource.Defaults{}) {
		add(project.defaults(g.Defaults))
	}
	if l := project.limits(g.Limits); l != nil {
		add(&syntax.LimitsDecl{Limits: l})
	}
	for _, p := range g.Providers {
		add(of(resource.KindModelProvider, p.Name).provider(p))
	}
	for _, t := range g.Tools {
		add(of(resource.KindTool, t.Name).tool(t))
	}
	for _, p := range g.Policies {
		add(of(resource.KindPolicy, p.Name).policy(p))
	}
	for _, a := range g.Agents {
		add(of(resource.KindAgent, a.Name).agent(a, prompts[a.Name]))
	}
	for _, w := range workflows(g, programs, &refusals) {
		add(of(resource.KindWorkflow, w.resource.Name).workflow(w.resource, w.program, untypedName(schemas)))
	}
	for _, e := range g.Environments {
		add(of(resource.KindEnvironment, e.Name).environment(e))
	}
	if len(refusals) > 0 {
		return nil, &RefusedError{refusals}
	}
	return format.Unit(u), nil
}

// paired is a workflow with its program.
type paired struct {
	resource resource.Workflow
	program  ir.Program
}

func workflows(g resource.Graph, programs []ir.Program, refusals *[]Refusal) []paired {
	found := map[string]ir.Program{}
	for _, p := range programs {
		found[p.Workflow] = p
	}
	var out []paired
	for _, w := range g.Workflows {
		p, ok := found[w.Name]
		if !ok {
			writer{resource.KindWorkflow, w.Name, refusals}.refuse("program", "the workflow has no program")
			continue
		}
		out = append(out, paired{w, p})
	}
	return out
}

// untypedName is a type name that no schema of the project belongs to.
func untypedName(schemas map[string][]byte) string {
	name := "any"
	for n := 2; schemas["schemas/"+name+".json"] != nil; n++ {
		name = "any" + strconv.Itoa(n)
	}
	return name
}
