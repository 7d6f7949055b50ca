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
	known map[string]*served         // task to what of found
	// permitting is the gates of the permissions of team.Strict, by their numbers.
	permitting []permitting
}

// permitting is the gate of a permission.
type permitting struct {
	id               string
	exists, resolved bool
}

func newService(c *checker) *service {
	s := &service{c: c, steps: map[string][]manifest.Node{}, known: map[string]*served{}}
	for _, d := range c.index.All(refs.WorkflowStep) {
		if gates := d.Node.Get("approvalGates"); gates.Len() > 0 {
			task := d.Node.Get("task").Text()
			s.steps[task] = append(s.steps[task], gates)
		}
	}
	for _, p := range c.team.Strict().Permissions {
		gate := p.Node.Get("approvalGate")
		_, resolved := c.index.Find(refs.ApprovalGate, gate.Text())
		s.permitting = append(s.permitting, permitting{gate.Text(), gate.Exists(), resolved})
	}
	return s
}

// served is the gates of one task. unclear says that one of them is not declared,
// so that it may be meant as any.
type served struct {
	gates   map[string]bool
	inOrder []string // the gates, each once
	unclear bool
}

// of is the gates that serve a task.
func (s *service) of(task refs.Declaration) *served {
	if known := s.known[task.ID]; known != nil {
		return known
	}
	out := &served{gates: map[string]bool{}}
	for _, list := range append([]manifest.Node{task.Node.Get("approvalGates")}, s.steps[task.ID]...) {
		for _, id := range list.Texts() {
			if out.gates[id] {
				continue
			}
			out.gates[id] = true
			out.inOrder = append(out.inOrder, id)
			if _, resolved := s.c.index.Find(refs.ApprovalGate, id); !resolved {
				out.unclear = true
			}
		}
	}
	s.known[task.ID] = out
	return out
}

// taskCapabilities compares what tasks need with what their people may do.
func taskCapabilities(c *checker) {
	gates, e := newService(c), c.effort()
	for _, task := range c.firsts(refs.Task) {
		owner := task.Node.Get("owner").Text()
		if _, resolved := c.index.Find(refs.Participant, owner); !resolved {
			continue
		}
		n := &needs{c: c, effort: e, service: gates, task: task, class: c.team.SubjectClass(owner), known: map[team.Class]answer{}}
		for _, at := range task.Node.Get("capabilitiesRequired").Items() {
			if _, resolved := c.index.Find(refs.Capability, at.Text()); resolved {
				n.compare(at)
			}
		}
	}
}

func (n *needs) compare(at manifest.Node) {
	capability := n.c.team.CapabilityClass(at.Text())
	a, known := n.known[capability]
	if !known {
		a = n.answer(at.Text(), capability)
		n.known[capability] = a
	}
	task, need, owner := manifest.Shown(n.task.ID), manifest.Shown(at.Text()), manifest.Shown(n.task.Node.Get("owner").Text())
	f := finding{severity: manifest.Warning, message: "Task " + task + " needs capability " + need}
	switch a {
	case denied:
		f.severity, f.code = manifest.Error, code.PolicyTaskCapabilityDenied
		f.message += ", which is denied to its owner " + owner + "."
		f.suggestion = "Give the task to an owner who may do this, or take the need out of the task."
	case unauthorized, perhapsUnauthorized:
		f.code = code.PolicyTaskCapabilityUnauthorized
		f.suggestion = "Give the task to an owner who may do this, or take the need out of the task."
		if f.message += ", for which neither its owner nor a participant has permission."; a == perhapsUnauthorized {
			f.message = "Task " + task + " may need capability " + need + " without anyone on it who has permission" + notCompared
		}
	case ungatedNeed, perhapsUngatedNeed:
		f.code = code.PolicyTaskGateMissing
		f.suggestion = "Name the gate of the permission on the task."
		if f.message += ", for which its owner " + owner + " needs approval, and neither the task nor a step that runs it names the gate."; a == perhapsUngatedNeed {
			f.message = "Task " + task + " may need capability " + need + " without naming the gate that its owner " + owner + " needs" + notCompared
		}
	default:
		return
	}
	n.c.report(at, f)
}
