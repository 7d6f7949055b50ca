package rules

import (
	"terfyn/compiler/nexflow/code"
	"terfyn/compiler/nexflow/manifest"
	"terfyn/compiler/nexflow/refs"
	"terfyn/compiler/nexflow/team"
)

// gateTargets finds targets that do not name the gate which targets them.
func gateTargets(c *checker) {
	a := attachments{c: c, service: newService(c), capabilities: gatedCapabilities(c)}
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
	// capabilities has a gate and a capability when a permission that does not deny
	// the capability names the gate.
	capabilities map[[2]string]bool
}

// gatedCapabilities is the value of attachments.capabilities, with only the
// capabilities that gates target.
func gatedCapabilities(c *checker) map[[2]string]bool {
	targeted := map[string]bool{}
	for _, g := range c.firsts(refs.ApprovalGate) {
		for _, target := range g.Node.Get("targets").Items() {
			if target.Get("kind").Is("capability") {
				targeted[target.Get("id").Text()] = true
			}
		}
	}
	out := map[[2]string]bool{}
	for _, p := range c.index.All(refs.Permission) {
		gate := p.Node.Get("approvalGate").Text()
		if effectOf(p.Node) == team.Deny || gate == "" {
			continue
		}
		for _, id := range p.Node.Get("capabilities").Texts() {
			if targeted[id] {
				out[[2]string{gate, id}] = true
			}
		}
	}
	return out
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
		return a.service.has(d, gate)
	case refs.ContextSource, refs.WorkflowStep:
		return d.Node.Get("approvalGates").Lists(gate)
	case refs.MemoryScope, refs.Permission:
		return d.Node.Get("approvalGate").Is(gate)
	case refs.AgentDefinition:
		return d.Node.At("review", "approvalGate").Is(gate)
	case refs.Capability:
		return a.capabilities[[2]string{gate, d.ID}]
	}
	return true
}
