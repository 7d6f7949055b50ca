package risk

import (
	"fmt"

	"terfyn/compiler/effects"
	"terfyn/compiler/resource"
	"terfyn/planner/authority"
)

// In is what is compared.
type In struct {
	// Environment is the one the plan is for; its runtime and approvers count.
	Environment string
	// Before is empty when nothing is applied.
	Before, After resource.Graph
	BeforeBounds  effects.Bounds // of Before
	AfterBounds   effects.Bounds // of After
	// BeforeCalls and AfterCalls are what policy answers on each side, by workflow.
	BeforeCalls, AfterCalls map[string]authority.Calls
	Delta                   authority.Delta
	Schemas                 Schemas
	Repeats                 Repeats
	Programs                Programs
}

// Assess lists the items of a change, sorted.
func Assess(in In) []Item {
	a := &assessment{In: in, old: index(in.Before)}
	a.authority()
	a.effects()
	a.policies()
	a.governance()
	a.gates()
	a.tools()
	a.agents()
	a.checks()
	a.limits()
	a.repeated()
	a.providers()
	a.triggers()
	a.runtime()
	a.deciders()
	a.moved()
	a.statements()
	Sort(a.items)
	return a.items
}

type assessment struct {
	In
	old   byName // of Before
	items []Item
}

// byName finds resources that are looked up once for each resource of the other
// side.
type byName struct {
	agents    map[string]resource.Agent
	tools     map[string]resource.Tool
	workflows map[string]resource.Workflow
}

func index(g resource.Graph) byName {
	b := byName{
		agents:    make(map[string]resource.Agent, len(g.Agents)),
		tools:     make(map[string]resource.Tool, len(g.Tools)),
		workflows: make(map[string]resource.Workflow, len(g.Workflows)),
	}
	for _, a := range g.Agents {
		b.agents[a.Name] = a
	}
	for _, t := range g.Tools {
		b.tools[t.Name] = t
	}
	for _, w := range g.Workflows {
		b.workflows[w.Name] = w
	}
	return b
}

func (a *assessment) add(c Category, s Severity, target, format string, args ...any) {
	a.items = append(a.items, Item{Category: c, Severity: s, Target: target, Reason: fmt.Sprintf(format, args...)})
}

func id(kind resource.Kind, name string) string { return string(kind) + "/" + name }
