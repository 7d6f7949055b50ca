package rules

import (
	"terfyn/compiler/nexflow/refs"
	"terfyn/compiler/nexflow/team"
)

// answer is what is wrong with a need of a task.
type answer int

const (
	nothing answer = iota
	denied
	unauthorized
	ungatedNeed
	// The effort did not suffice to say that there is nothing wrong.
	perhapsUnauthorized
	perhapsUngatedNeed
)

// needs compares the needs of one task with its people and gates.
type needs struct {
	c       *checker
	effort  *effort
	service *service
	task    refs.Declaration
	class   team.Class            // of the owner
	known   map[team.Class]answer // by class of capability
	others  *others
}

func (n *needs) answer(capability string, class team.Class) answer {
	switch n.c.team.EffectOf(n.class, class) {
	case team.Deny:
		return denied
	case team.ApprovalRequired:
		return n.gate(capability, class)
	case team.None:
		return n.authority(class)
	}
	return nothing
}

// others is the participants of a task beside its owner. unclear says that one of
// them is not declared, so that it may be anyone.
type others struct {
	classes []team.Class
	unclear bool
}

func (c *checker) othersOn(task refs.Declaration) *others {
	o := &others{}
	seen := map[team.Class]bool{}
	for _, id := range task.Node.Get("participants").Texts() {
		if _, resolved := c.index.Find(refs.Participant, id); !resolved {
			o.unclear = true
		}
		if class := c.team.SubjectClass(id); !seen[class] {
			seen[class] = true
			o.classes = append(o.classes, class)
		}
	}
	return o
}

// authority is about a need for which the owner has no permission: someone else on
// the task may have. Where one is not declared nothing is said.
func (n *needs) authority(capability team.Class) answer {
	if n.others == nil {
		n.others = n.c.othersOn(n.task)
	}
	if n.others.unclear {
		return nothing
	}
	for _, class := range n.others.classes {
		if !n.effort.take(n.c.team.Steps(class, capability)) {
			return perhapsUnauthorized
		}
		if e := n.c.team.EffectOf(class, capability); e == team.Allow || e == team.ApprovalRequired {
			return nothing
		}
	}
	return unauthorized
}

// stepsPerGate is what looking for one gate counts.
const stepsPerGate = 4

// gate is about a need for which the owner needs approval: one of the gates that
// can give it must be on the way. A gate that is not declared may be any.
func (n *needs) gate(capability string, class team.Class) answer {
	served := n.service.of(n.task)
	strict := n.c.team.Strict()
	if !n.effort.take(n.c.team.Steps(n.class, class)) {
		return perhapsUngatedNeed
	}
	named := false
	owner := n.task.Node.Get("owner").Text()
	for p := range strict.Subjects.Of(owner).Common(strict.Capabilities.Of(capability)) {
		if !n.effort.take(stepsPerGate) {
			return perhapsUngatedNeed
		}
		gate := n.service.permitting[p]
		if !gate.exists {
			continue
		}
		if !gate.resolved || served.gates[gate.id] {
			return nothing
		}
		named = true
	}
	if !named || served.unclear {
		return nothing
	}
	return ungatedNeed
}
