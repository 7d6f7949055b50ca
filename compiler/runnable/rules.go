package runnable

import (
	"slices"
	"strings"

	"terfyn/compiler/ir"
	"terfyn/compiler/resource"
	"terfyn/internal/ordered"
)

// speakers are the built-in providers whose models can be called, and
// declaredSpeakers the types of declared providers whose models can be.
var (
	speakers         = []string{"gemini", "grok", "kimi", "mock", "openai"}
	declaredSpeakers = []string{"openai"}
)

// gaps collects what the rules find.
type gaps []Gap

func (gs *gaps) add(found bool, g Gap) {
	if found {
		*gs = append(*gs, g)
	}
}

func (gs *gaps) project(g resource.Graph) {
	other := g.Defaults.Runtime != "" && g.Defaults.Runtime != "local"
	gs.add(other, Gap{Kind: resource.KindProject, Name: g.Project, Field: "defaults.runtime", Construct: "runtime " + g.Defaults.Runtime})
	gs.limits(Gap{Kind: resource.KindProject, Name: g.Project}, g.Limits)
	for _, p := range g.Providers {
		gs.add(p.WorkspaceIDFrom != "", Gap{
			Kind: resource.KindModelProvider, Name: p.Name, Field: "workspaceIdFrom", Construct: "workspaceIdFrom", Advisory: true,
		})
	}
}

// limits finds the limits that differ from the built-in ones and that nothing
// compares with what a run holds. checkpointExceedPolicy has one value only.
func (gs *gaps) limits(at Gap, l resource.Limits) {
	at.Advisory = true
	builtin := resource.BuiltinLimits()
	for _, field := range []struct {
		name         string
		set, without int64
	}{
		{"maxCheckpointBytes", l.MaxCheckpointBytes, builtin.MaxCheckpointBytes},
		{"maxStateBytes", l.MaxStateBytes, builtin.MaxStateBytes},
	} {
		at.Field, at.Construct = "limits."+field.name, field.name
		gs.add(field.set != 0 && field.set != field.without, at)
	}
}

func (gs *gaps) agent(g resource.Graph, a resource.Agent) {
	at := func(field, construct string) Gap {
		return Gap{Kind: resource.KindAgent, Name: a.Name, Field: field, Construct: construct}
	}
	gs.add(!spoken(g, a.Model), at("model", "the model "+a.Model))
	for _, m := range a.FallbackModels {
		gs.add(!spoken(g, m), at("fallbackModels", "the model "+m))
	}
	gs.add(len(a.FallbackModels) > 0, at("fallbackModels", "fallbackModels"))
	gs.add(a.MayEscalate, at("mayEscalate", "mayEscalate"))
	gs.add(a.WorkingTree, at("workingTree", "workingTree exclusive"))
	for _, c := range a.Grants {
		gs.add(!strings.HasPrefix(c, "tool."), at("grants."+c, "the grant "+c))
	}
}

// spoken reports whether this build has a client for a model; an alias of the
// project wins over a built-in provider.
func spoken(g resource.Graph, model string) bool {
	provider, _, _ := strings.Cut(model, "/")
	if p, ok := g.Provider(provider); ok {
		return slices.Contains(declaredSpeakers, p.Type)
	}
	return model == "" || slices.Contains(speakers, provider)
}

func (gs *gaps) tool(t resource.Tool) {
	at := func(field, construct string) Gap {
		return Gap{Kind: resource.KindTool, Name: t.Name, Field: field, Construct: construct}
	}
	gs.add(t.Type == "mcp" || t.Type == "temporal", at("type", "type "+t.Type))
	gs.limits(Gap{Kind: resource.KindTool, Name: t.Name}, t.Limits)
	gs.add(t.Exclusive != "", at("exclusive", "exclusive"))
	for _, o := range t.Operations {
		field := "operations." + o.Name + "."
		gs.add(o.OutputSchema != "", at(field+"outputSchema", "outputSchema of operation "+o.Name))
		gs.add(o.Delivered != "", at(field+"delivered", "delivered of operation "+o.Name))
	}
}

func (gs *gaps) policy(p resource.Policy) {
	at := func(field, construct string) Gap {
		return Gap{Kind: resource.KindPolicy, Name: p.Name, Field: field, Construct: construct}
	}
	advisory := func(field, construct string) Gap {
		g := at(field, construct)
		g.Advisory = true
		return g
	}
	gs.add(p.Approvals.Signed, at("approvals.signed", "approvals.signed"))
	gs.add(p.EgressDeclared, at("egress", "egress"))
	gs.add(len(p.Hitl.ToolSwitchMap) > 0, advisory("hitl.toolSwitchMap", "hitl.toolSwitchMap"))
	switches := false
	for _, r := range p.Hitl.InterruptOn { // only whether any does; the order does not matter
		switches = switches || len(r.SwitchMap)+len(r.AllowedEditTools) > 0 || slices.Contains(r.AllowedDecisions, "switch")
	}
	gs.add(switches, advisory("hitl.interruptOn", "the decision switch in hitl.interruptOn"))
}

func (gs *gaps) environment(g resource.Graph, e resource.Environment) {
	for _, name := range ordered.Keys(e.Agents) {
		m := e.Agents[name].Model
		gs.add(!spoken(g, m), Gap{Kind: resource.KindEnvironment, Name: e.Name, Field: "agents." + name + ".model", Construct: "the model " + m})
	}
	gs.add(e.Runtime != resource.Runtime{}, Gap{Kind: resource.KindEnvironment, Name: e.Name, Field: "runtime", Construct: "runtime"})
}

func (gs *gaps) workflow(w resource.Workflow) {
	at := func(field, construct string) Gap {
		return Gap{Kind: resource.KindWorkflow, Name: w.Name, Field: field, Construct: construct}
	}
	gs.add(w.WorkingTree, at("workingTree", "workingTree exclusive"))
	if len(w.Triggers) > 0 {
		g := at("trigger", "trigger")
		g.Advisory = true
		gs.add(true, g)
	}
}

// nodes finds the nodes that the interpreter does not walk.
func (gs *gaps) nodes(workflow, prefix string, nodes []ir.Node) {
	for _, n := range nodes {
		site := prefix + n.Site()
		construct := ""
		switch n := n.(type) {
		case ir.Fork:
			construct = "parallel { }"
		case ir.For:
			construct = "for"
			if n.Parallel {
				construct = "parallel for"
			}
		case ir.Retry:
			construct = "retry until"
		case ir.Workflow:
			construct = "the call of workflow " + n.Workflow
		case ir.Graph:
			construct = "a task graph"
		}
		gs.add(construct != "", Gap{Kind: resource.KindWorkflow, Name: workflow, Field: "calls." + site, Construct: construct})
		for _, b := range ir.Blocks(n) {
			gs.nodes(workflow, b.Prefix(site), b.Nodes)
		}
	}
}
