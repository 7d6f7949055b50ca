package rules

import (
	"terfyn/compiler/nexflow/code"
	"terfyn/compiler/nexflow/manifest"
	"terfyn/compiler/nexflow/refs"
	"terfyn/compiler/nexflow/team"
)

// gateTargets finds targets that do not name the gate which targets them.
func gateTargets(c *checker) {
	a := attachments{c: c, service: newService(c), guards: newGuards(c), lists: map[manifest.Place]map[string]bool{}}
	for _, g := range c.firsts(refs.ApprovalGate) {
		for _, target := range g.Node.Get("targets").Items() {
			if a.has(target, g.ID) {
				continue
			}
			kind, id := target.Get("kind").Text(), target.Get("id").Text()
			c.report(target, finding{
				severity: manifest.Warning, code: code.GateTargetNotAttached,
				message:    "Gate " + manifest.Shown(g.ID) + " targets " + kind + " " + manifest.Shown(id) + ", which does not name the gate, so that it is not asked there.",
				suggestion: "Name the gate there as well.",
			})
		}
	}
}

// attachments knows which gates are named where.
type attachments struct {
	c       *checker
	service *service
	guards  guards
	lists   map[manifest.Place]map[string]bool // lists of gates that were asked about
}

// guards counts the permissions that do not deny a capability, for the capabilities
// that gates target: all of them, and those that name a gate.
type guards struct {
	all   map[string]int
	named map[[2]string]int // by gate and capability
}

func newGuards(c *checker) guards {
	g := guards{all: map[string]int{}, named: map[[2]string]int{}}
	for _, gate := range c.firsts(refs.ApprovalGate) {
		for _, target := range gate.Node.Get("targets").Items() {
			if target.Get("kind").Is("capability") {
				g.all[target.Get("id").Text()] = 0
			}
		}
	}
	for _, p := range c.index.All(refs.Permission) {
		if effectOf(p.Node) == team.Deny {
			continue
		}
		gate := p.Node.Get("approvalGate").Text()
		for id := range p.Node.Get("capabilities").TextSet() {
			if _, targeted := g.all[id]; targeted {
				g.all[id]++
				g.named[[2]string{gate, id}]++
			}
		}
	}
	return g
}

// complete reports whether every permission that does not deny the capability names
// the gate, so that no way to it goes past the gate.
func (g guards) complete(gate, capability string) bool {
	return g.named[[2]string{gate, capability}] == g.all[capability]
}

// has reports whether a target names the gate at its own place. It is true too for
// targets of kinds that have no such place, and for those that are not declared.
func (a attachments) has(target manifest.Node, gate string) bool {
	space := refs.Space(target.Get("kind").Text())
	scope := target.At("scope", "id").Text()
	if space == refs.WorkflowStep {
		if _, declared := a.c.index.Find(refs.Workflow, scope); !declared {
			return true
		}
	} else {
		scope = ""
	}
	d, declared := a.c.index.FindIn(space, scope, target.Get("id").Text())
	if !declared {
		return true
	}
	switch space {
	case refs.Task:
		return a.service.of(d).gates[gate]
	case refs.ContextSource, refs.WorkflowStep:
		return a.names(d.Node.Get("approvalGates"), gate)
	case refs.MemoryScope, refs.Permission:
		return d.Node.Get("approvalGate").Is(gate)
	case refs.AgentDefinition:
		return d.Node.At("review", "approvalGate").Is(gate)
	case refs.Capability:
		return a.guards.complete(gate, d.ID)
	}
	return true
}

// names reports whether a list has a gate.
func (a attachments) names(list manifest.Node, gate string) bool {
	known, asked := a.lists[list.Place()]
	if !asked {
		known = list.TextSet()
		a.lists[list.Place()] = known
	}
	return known[gate]
}
