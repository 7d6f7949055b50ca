package rules

import (
	"terfyn/compiler/nexflow/code"
	"terfyn/compiler/nexflow/manifest"
	"terfyn/compiler/nexflow/refs"
)

// gateRules is the part of nexflow.md 7.2 about gates: who decides at them, and
// whether anything leads there.
var gateRules = []func(*checker){gateApprovers, gateTargets, unusedGates}

// guarded is the places that put someone who is no human and decides at a gate
// under it: the subjects of its permissions and the owners of its tasks.
type guarded struct {
	// places has everyone who matters, also who has none; at most one more than a
	// finding names.
	places map[string][]manifest.Place
}

func (g *guarded) add(id string, at manifest.Node) {
	if places, matters := g.places[id]; matters && len(places) <= maxRelated {
		g.places[id] = append(places, at.Place())
	}
}

// guardedByGate is the value for every gate that has approvers who are no humans.
func guardedByGate(c *checker) map[string]*guarded {
	out := map[string]*guarded{}
	for _, g := range c.firsts(refs.ApprovalGate) {
		for _, at := range g.Node.Get("requiredApprovers").Items() {
			if !c.isNonhuman(at) {
				continue
			}
			if out[g.ID] == nil {
				out[g.ID] = &guarded{places: map[string][]manifest.Place{}}
			}
			out[g.ID].places[at.Text()] = nil
		}
	}
	if len(out) == 0 {
		return nil
	}
	for _, p := range c.firsts(refs.Permission) {
		if gate := p.Node.Get("approvalGate").Text(); gate != "" && out[gate] != nil {
			subjects := p.Node.Get("subjects")
			for id := range subjects.TextSet() {
				out[gate].add(id, subjects)
			}
		}
	}
	s := newService(c)
	for _, task := range c.firsts(refs.Task) {
		owner := task.Node.Get("owner")
		for _, gate := range s.of(task).inOrder {
			if g := out[gate]; g != nil && owner.Exists() {
				g.add(owner.Text(), owner)
			}
		}
	}
	return out
}

// isNonhuman reports whether a reference leads to a participant who is no human.
func (c *checker) isNonhuman(at manifest.Node) bool {
	_, resolved := c.target(refs.Participant, at)
	return resolved && c.team.NonHuman(at.Text())
}

// gateApprovers finds gates that nobody decides at, and approvers who are no
// humans.
func gateApprovers(c *checker) {
	under := guardedByGate(c)
	for _, g := range c.firsts(refs.ApprovalGate) {
		approvers := g.Node.Get("requiredApprovers")
		if approvers.Len() == 0 {
			c.report(approvers, finding{
				severity: manifest.Warning, code: code.GateNoApprover,
				message:    "Gate " + manifest.Shown(g.ID) + " lists no approvers, so that nobody can let anything through.",
				suggestion: "List the humans who decide.",
			})
		}
		for _, at := range approvers.Items() {
			if c.isNonhuman(at) {
				c.nonhumanApprover(g, at, under[g.ID].places[at.Text()])
			}
		}
	}
}

func (c *checker) nonhumanApprover(gate refs.Declaration, at manifest.Node, work []manifest.Place) {
	approver := manifest.Shown(at.Text())
	c.report(at, finding{
		severity: manifest.Warning, code: code.GateNonhumanApprover,
		message:    "Gate " + manifest.Shown(gate.ID) + " lists approver " + approver + ", who is no human.",
		suggestion: "List a human instead.",
	})
	if len(work) == 0 {
		return
	}
	which := "what the gate guards against them."
	if len(work) > maxRelated {
		work = work[:maxRelated]
		which = "what the gate guards against them, at the related places and others."
	}
	c.report(at, finding{
		severity: manifest.Warning, code: code.GateSelfApproval,
		message:    "Gate " + manifest.Shown(gate.ID) + " lists approver " + approver + ", who would approve " + which,
		places:     work,
		suggestion: "List a human who does not do the work that the gate guards.",
	})
}

// unusedGates finds gates that nothing leads to.
func unusedGates(c *checker) {
	named := map[string]bool{}
	for r := range c.index.References {
		if r.To == refs.ApprovalGate {
			named[r.ID] = true
		}
	}
	for _, g := range c.firsts(refs.ApprovalGate) {
		if named[g.ID] || g.Node.Get("targets").Len() > 0 || g.Node.Get("appliesTo").Len() > 0 {
			continue
		}
		c.report(g.IDNode, finding{
			severity: manifest.Info, code: code.GateUnused,
			message:    "Nothing names gate " + manifest.Shown(g.ID) + ", and it has no targets, so that it is never asked.",
			suggestion: "Name the gate where it is to be asked.",
		})
	}
}
