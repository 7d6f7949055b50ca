package build

import (
	"maps"
	"slices"

	"terfyn/compiler/ir"
	"terfyn/compiler/resource"
)

// Project collects the parts of a project. Build it with New.
type Project struct {
	graph     resource.Graph
	workflows []*Workflow
	schemas   map[string][]byte
}

// New starts a project of that name.
func New(name string) *Project {
	return &Project{graph: resource.Graph{Project: name}, schemas: map[string][]byte{}}
}

// Defaults sets what applies where a resource leaves a field out.
func (p *Project) Defaults(d resource.Defaults) { p.graph.Defaults = d }

// Limits sets the limits of the project.
func (p *Project) Limits(l resource.Limits) { p.graph.Limits = l }

// Agent adds agents.
func (p *Project) Agent(a ...resource.Agent) { p.graph.Agents = append(p.graph.Agents, a...) }

// Tool adds tools.
func (p *Project) Tool(t ...resource.Tool) { p.graph.Tools = append(p.graph.Tools, t...) }

// Policy adds policies.
func (p *Project) Policy(d ...resource.Policy) { p.graph.Policies = append(p.graph.Policies, d...) }

// Environment adds environments.
func (p *Project) Environment(e ...resource.Environment) {
	p.graph.Environments = append(p.graph.Environments, e...)
}

// Provider adds model providers.
func (p *Project) Provider(m ...resource.Provider) {
	p.graph.Providers = append(p.graph.Providers, m...)
}

// Schema adds the JSON Schema of a type and gives the reference that agents,
// parameters and operations name it by.
func (p *Project) Schema(typeName, document string) string {
	path := "schemas/" + typeName + ".json"
	p.schemas[path] = []byte(document)
	return path
}

// Workflow adds a workflow with a body that write fills. Of w only what is no part
// of the program counts: name, description, policy, effects, triggers and the like,
// and Result, the reference of the declared result type.
func (p *Project) Workflow(w resource.Workflow, params []ir.Param, write func(b *Block)) {
	added := &Workflow{resource: w, params: params}
	added.body = added.block(write)
	p.workflows = append(p.workflows, added)
}

// Param is a parameter; schema is "" when it is untyped.
func Param(name, schema string) ir.Param { return ir.Param{Name: name, Schema: schema} }

// Parts gives what compiler.Input takes. The project can be added to afterwards and
// asked again.
func (p *Project) Parts() (resource.Graph, []ir.Program, map[string][]byte) {
	callees := map[string]ir.Program{}
	for _, w := range p.workflows {
		callees[w.resource.Name] = w.program()
	}
	g := p.graph
	g.Workflows = nil
	var programs []ir.Program
	for _, w := range p.workflows {
		g.Workflows = append(g.Workflows, w.resource)
		program := w.program()
		program.Body = withFlags(program.Body, callees)
		programs = append(programs, program)
	}
	return g, programs, maps.Clone(p.schemas)
}

// Workflow is one workflow under construction.
type Workflow struct {
	resource resource.Workflow
	params   []ir.Param
	body     []ir.Node
}

func (w *Workflow) program() ir.Program {
	return ir.Program{
		Workflow: w.resource.Name, Params: w.params, Result: w.resource.Result,
		Envelope: ir.Enveloped(w.body), Body: w.body,
	}
}

// withFlags sets what calls of workflows take from their callees.
func withFlags(nodes []ir.Node, callees map[string]ir.Program) []ir.Node {
	out := make([]ir.Node, len(nodes))
	inside := func(nodes []ir.Node) []ir.Node { return withFlags(nodes, callees) }
	for i, n := range nodes {
		switch n := n.(type) {
		case ir.Workflow:
			callee := callees[n.Workflow]
			n.WholeDocument = len(callee.Params) == 1 && len(n.Args) == 1
			n.ProjectValue = callee.Envelope
			out[i] = n
		case ir.If:
			n.Then, n.Else = inside(n.Then), inside(n.Else)
			out[i] = n
		case ir.For:
			n.Body = inside(n.Body)
			out[i] = n
		case ir.While:
			n.Body = inside(n.Body)
			out[i] = n
		case ir.Retry:
			n.Body = inside(n.Body)
			out[i] = n
		case ir.Fork:
			n.Branches = slices.Clone(n.Branches)
			for j := range n.Branches {
				n.Branches[j] = inside(n.Branches[j])
			}
			out[i] = n
		case ir.Graph:
			n.Tasks = slices.Clone(n.Tasks)
			for j := range n.Tasks {
				n.Tasks[j].Body = inside(n.Tasks[j].Body)
			}
			out[i] = n
		default:
			out[i] = n
		}
	}
	return out
}
