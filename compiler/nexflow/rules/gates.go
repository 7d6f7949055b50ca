package rules

import (
	"terfyn/compiler/nexflow/code"
	"terfyn/compiler/nexflow/manifest"
	"terfyn/compiler/nexflow/refs"
)

// gateRules is the part of nexflow.md 7.2 about gates: who decides at them, and
// whether anything leads there.
var gateRules = []func(*checker){gateApprovers, gateTargets, unusedGates}

// guarded is what stands under a gate.
type guarded struct {
	permissions []refs.Declaration
	tasks       []refs.Declaration
}

// guardedByGate lists for every gate the permissions that name it and the tasks
// that it serves.
func guardedByGate(c *checker) map[string]*guarded {
	out := map[string]*guarded{}
	at := func(gate string) *guarded {
		if out[gate] == nil {
			out[gate] = &guarded{}
		}
		return out[gate]
	}
	for _, p := range c.firsts(refs.Permission) {
		if gate := p.Node.Get("approvalGate").Text(); gate != "" {
			at(gate).permissions = append(at(gate).permissions, p)
		}
	}
	s := newService(c)
	for _, task := range c.firsts(refs.Task) {
		seen := map[string]bool{}
		for _, list := range s.lists(task) {
			for _, gate := range list.Texts() {
				if !seen[gate] {
					seen[gate] = true
					at(gate).tasks = append(at(gate).tasks, task)
				}
			}
		}
	}
	return out
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
			if _, resolved := c.target(refs.Participant, at); !resolved || !c.team.NonHuman(at.Text()) {
				continue
			}
			c.nonhumanApprover(g, at, under[g.ID])
		}
	}
}

func (c *checker) nonhumanApprover(gate refs.Declaration, at manifest.Node, under *guarded) {
	approver := manifest.Shown(at.Text())
	c.report(at, finding{
		severity: manifest.Warning, code: code.GateNonhumanApprover,
		message:    "Gate " + manifest.Shown(gate.ID) + " lists approver " + approver + ", who is no human.",
		suggestion: "List a human instead.",
	})
	related := under.workOf(at.Text())
	if related == nil {
		return
	}
	c.report(at, finding{
		severity: manifest.Warning, code: code.GateSelfApproval,
		message:    "Gate " + manifest.Shown(gate.ID) + " lists approver " + approver + ", who would approve what the gate guards against them.",
		related:    related,
		suggestion: "List a human who does not do the work that the gate guards.",
	})
}

// workOf is the places that put someone under the gate: the subjects of its
// permissions and the owners of its tasks.
func (g *guarded) workOf(id string) []manifest.Node {
	if g == nil {
		return nil
	}
	var out []manifest.Node
	for _, p := range g.permissions {
		if subjects := p.Node.Get("subjects"); subjects.Lists(id) {
			out = append(out, subjects)
		}
	}
	for _, task := range g.tasks {
		if owner := task.Node.Get("owner"); owner.Is(id) {
			out = append(out, owner)
		}
	}
	return out
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
