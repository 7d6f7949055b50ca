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
	Delta         authority.Delta
	// ChangedSchemas are the paths of schema documents that were changed or removed.
	ChangedSchemas []string
}

// Assess lists the items of a change, sorted.
func Assess(in In) []Item {
	a := &assessment{In: in}
	a.authority()
	a.effects()
	a.policies()
	a.governance()
	a.gates()
	a.tools()
	a.agents()
	a.providers()
	a.triggers()
	a.runtime()
	a.deciders()
	Sort(a.items)
	return a.items
}

type assessment struct {
	In
	items []Item
}

func (a *assessment) add(c Category, s Severity, target, format string, args ...any) {
	a.items = append(a.items, Item{Category: c, Severity: s, Target: target, Reason: fmt.Sprintf(format, args...)})
}

func id(kind resource.Kind, name string) string { return string(kind) + "/" + name }
