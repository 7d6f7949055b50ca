package team

import (
	"slices"

	"terfyn/compiler/nexflow/manifest"
	"terfyn/compiler/nexflow/refs"
)

// Effect is what permissions say together.
type Effect string

// The effects. None is that no permission speaks, which is no permission.
const (
	Deny             Effect = "deny"
	ApprovalRequired Effect = "approval_required"
	Allow            Effect = "allow"
	None             Effect = "none"
)

// Rules is some permissions and whom and what they list. It keeps no table of
// pairs: one permission may list thousands of each.
type Rules struct {
	// Permissions comes in the order of the effects, and within one effect in that of
	// the documents. The numbers of the rolls are about it.
	Permissions            []refs.Declaration
	Subjects, Capabilities *Roll
	// Leading is how many of the permissions have the first of the effects.
	Leading int
	// documented is the place of each permission among all of the set.
	documented []int
}

// rulesOf is the permissions with one of two effects.
func rulesOf(x *refs.Index, is func(Effect) (rank int, among bool)) *Rules {
	r := &Rules{}
	var subjects, capabilities []manifest.Node
	for rank := range 2 {
		for i, p := range x.All(refs.Permission) {
			if at, among := is(Effect(p.Node.Get("effect").Text())); !among || at != rank {
				continue
			}
			r.Permissions = append(r.Permissions, p)
			r.documented = append(r.documented, i)
			subjects = append(subjects, p.Node.Get("subjects"))
			capabilities = append(capabilities, p.Node.Get("capabilities"))
		}
		if rank == 0 {
			r.Leading = len(r.Permissions)
		}
	}
	r.Subjects, r.Capabilities = NewRoll(subjects), NewRoll(capabilities)
	return r
}

// Strict is the permissions that deny, which lead, and those that ask for approval.
// Among them the first that lists both subject and capability decides.
func (t *Team) Strict() *Rules { return t.strict }

// strictRank puts denials first.
func strictRank(e Effect) (rank int, among bool) {
	if e == Deny {
		return 0, true
	}
	return 1, e == ApprovalRequired
}

// laxRank is about all other permissions; those whose effect means nothing follow
// the ones that allow.
func laxRank(e Effect) (rank int, among bool) {
	_, strict := strictRank(e)
	if e == Allow {
		return 0, true
	}
	return 1, !strict
}

// Class stands for all subjects, or all capabilities, that the same permissions
// list. What holds of one of a class holds of all.
type Class struct{ strict, lax int }

// SubjectClass is the class of a subject.
func (t *Team) SubjectClass(id string) Class {
	return Class{t.strict.Subjects.Class(id), t.lax.Subjects.Class(id)}
}

// CapabilityClass is the class of a capability.
func (t *Team) CapabilityClass(id string) Class {
	return Class{t.strict.Capabilities.Class(id), t.lax.Capabilities.Class(id)}
}

// Effect is the effect of all permissions of the set that list both subject and
// capability: a denial wins over approval, approval over allowance (nexflow.md
// 7.2).
func (t *Team) Effect(subject, capability string) Effect {
	return t.EffectOf(t.SubjectClass(subject), t.CapabilityClass(capability))
}

// EffectOf is Effect for everyone in a class and everything in another.
func (t *Team) EffectOf(subject, capability Class) Effect {
	s, c := t.strict.Subjects.Numbers(subject.strict), t.strict.Capabilities.Numbers(capability.strict)
	if p, ok := s.First(c); ok {
		if p < t.strict.Leading {
			return Deny
		}
		return ApprovalRequired
	}
	s, c = t.lax.Subjects.Numbers(subject.lax), t.lax.Capabilities.Numbers(capability.lax)
	if p, ok := s.First(c); ok && p < t.lax.Leading {
		return Allow
	}
	return None
}

// Steps is how many steps EffectOf takes at most.
func (t *Team) Steps(subject, capability Class) int {
	strict := min(t.strict.Subjects.Numbers(subject.strict).Size(), t.strict.Capabilities.Numbers(capability.strict).Size())
	return 1 + strict + min(t.lax.Subjects.Numbers(subject.lax).Size(), t.lax.Capabilities.Numbers(capability.lax).Size())
}

// Permissions is the permissions that list both subject and capability, in the
// order of the documents.
func (t *Team) Permissions(subject, capability string) []manifest.Node {
	var places []int
	for _, r := range []*Rules{t.strict, t.lax} {
		for p := range r.Subjects.Of(subject).Common(r.Capabilities.Of(capability)) {
			places = append(places, r.documented[p])
		}
	}
	slices.Sort(places)
	var out []manifest.Node
	for _, p := range places {
		out = append(out, t.index.All(refs.Permission)[p].Node)
	}
	return out
}
