package rules

import (
	"terfyn/compiler/nexflow/code"
	"terfyn/compiler/nexflow/manifest"
	"terfyn/compiler/nexflow/refs"
	"terfyn/compiler/nexflow/team"
)

// service is the gates that tasks have: their own and those of the steps that run
// them, in whichever workflow.
type service struct {
	c     *checker
	steps map[string][]manifest.Node // task to the gate lists of its steps
}

func newService(c *checker) *service {
	s := &service{c: c, steps: map[string][]manifest.Node{}}
	for _, d := range c.index.All(refs.WorkflowStep) {
		if gates := d.Node.Get("approvalGates"); gates.Len() > 0 {
			task := d.Node.Get("task").Text()
			s.steps[task] = append(s.steps[task], gates)
		}
	}
	return s
}

// lists is every list of gates that serves a task.
func (s *service) lists(task refs.Declaration) []manifest.Node {
	return append([]manifest.Node{task.Node.Get("approvalGates")}, s.steps[task.ID]...)
}

// has reports whether a gate serves a task.
func (s *service) has(task refs.Declaration, gate string) bool {
	for _, list := range s.lists(task) {
		if list.Lists(gate) {
			return true
		}
	}
	return false
}

// taskCapabilities compares what tasks need with what their people may do.
func taskCapabilities(c *checker) {
	s := newService(c)
	for _, task := range c.firsts(refs.Task) {
		owner := task.Node.Get("owner").Text()
		if _, resolved := c.index.Find(refs.Participant, owner); !resolved {
			continue
		}
		var gates *served
		for _, at := range task.Node.Get("capabilitiesRequired").Items() {
			capability := at.Text()
			if _, resolved := c.index.Find(refs.Capability, capability); !resolved {
				continue
			}
			switch c.team.Effect(owner, capability) {
			case team.Deny:
				c.taskDenied(task, at)
			case team.None:
				c.taskUnauthorized(task, at)
			case team.ApprovalRequired:
				if gates == nil {
					gates = s.of(task)
				}
				c.taskGate(task, at, gates)
			}
		}
	}
}

func (c *checker) taskDenied(task refs.Declaration, at manifest.Node) {
	c.report(at, finding{
		severity: manifest.Error, code: code.PolicyTaskCapabilityDenied,
		message: "Task " + manifest.Shown(task.ID) + " needs capability " + manifest.Shown(at.Text()) +
			", which is denied to its owner " + manifest.Shown(task.Node.Get("owner").Text()) + ".",
		suggestion: "Give the task to an owner who may do this, or take the need out of the task.",
	})
}

// taskUnauthorized is about a task whose owner has no permission for what it
// needs: someone else on it may have. One who is not declared may be anyone, so
// then nothing is said.
func (c *checker) taskUnauthorized(task refs.Declaration, at manifest.Node) {
	for _, id := range task.Node.Get("participants").Texts() {
		if _, resolved := c.index.Find(refs.Participant, id); !resolved {
			return
		}
		if e := c.team.Effect(id, at.Text()); e == team.Allow || e == team.ApprovalRequired {
			return
		}
	}
	c.report(at, finding{
		severity: manifest.Warning, code: code.PolicyTaskCapabilityUnauthorized,
		message: "Task " + manifest.Shown(task.ID) + " needs capability " + manifest.Shown(at.Text()) +
			", for which neither its owner nor a participant has permission.",
		suggestion: "Give the task to an owner who may do this, or take the need out of the task.",
	})
}

// served is the gates of one task. unclear says that one of them is not declared,
// so that it may be meant as any.
type served struct {
	gates   map[string]bool
	unclear bool
}

func (s *service) of(task refs.Declaration) *served {
	out := &served{gates: map[string]bool{}}
	for _, list := range s.lists(task) {
		for _, id := range list.Texts() {
			out.gates[id] = true
			if _, resolved := s.c.index.Find(refs.ApprovalGate, id); !resolved {
				out.unclear = true
			}
		}
	}
	return out
}

// taskGate is about a task whose owner needs approval for something: one of the
// gates that can give it must be on the way.
func (c *checker) taskGate(task refs.Declaration, at manifest.Node, gates *served) {
	owner := task.Node.Get("owner").Text()
	named := false
	for _, p := range c.team.Permissions(owner, at.Text()) {
		gate := p.Get("approvalGate")
		if effectOf(p) != team.ApprovalRequired || !gate.Exists() {
			continue
		}
		if _, resolved := c.index.Find(refs.ApprovalGate, gate.Text()); !resolved || gates.gates[gate.Text()] {
			return
		}
		named = true
	}
	if !named || gates.unclear {
		return
	}
	c.report(at, finding{
		severity: manifest.Warning, code: code.PolicyTaskGateMissing,
		message: "Task " + manifest.Shown(task.ID) + " needs capability " + manifest.Shown(at.Text()) + ", for which its owner " +
			manifest.Shown(owner) + " needs approval, and neither the task nor a step that runs it names the gate.",
		suggestion: "Name the gate of the permission on the task.",
	})
}
