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

// rules is the permissions of a set with who and what they list. It keeps no table
// of pairs: one permission may list thousands of each.
type rules struct {
	permissions             []manifest.Node
	effects                 []Effect
	bySubject, byCapability map[string][]int // rising numbers of permissions
}

func newRules(x *refs.Index) *rules {
	r := &rules{bySubject: map[string][]int{}, byCapability: map[string][]int{}}
	for i, p := range x.All(refs.Permission) {
		r.permissions = append(r.permissions, p.Node)
		r.effects = append(r.effects, Effect(p.Node.Get("effect").Text()))
		list(r.bySubject, p.Node.Get("subjects"), i)
		list(r.byCapability, p.Node.Get("capabilities"), i)
	}
	return r
}

func list(by map[string][]int, ids manifest.Node, permission int) {
	for _, id := range ids.Texts() {
		if at := by[id]; len(at) == 0 || at[len(at)-1] != permission {
			by[id] = append(at, permission)
		}
	}
}

// about calls yield for every permission that lists both, in order.
func (r *rules) about(subject, capability string) func(yield func(permission int) bool) {
	few, many := r.bySubject[subject], r.byCapability[capability]
	if len(few) > len(many) {
		few, many = many, few
	}
	return func(yield func(int) bool) {
		rest := many
		for _, p := range few {
			at, both := slices.BinarySearch(rest, p)
			if rest = rest[at:]; both && !yield(p) {
				return
			}
		}
	}
}

// Effect is the effect of all permissions of the set that list both subject and
// capability: a denial wins over approval, approval over allowance (nexflow.md
// 7.2).
func (t *Team) Effect(subject, capability string) Effect {
	out := None
	for p := range t.rules.about(subject, capability) {
		switch e := t.rules.effects[p]; {
		case e == Deny:
			return Deny
		case e == ApprovalRequired:
			out = ApprovalRequired
		case e == Allow && out == None:
			out = Allow
		}
	}
	return out
}

// Permissions is the permissions that list both subject and capability, in the
// order of the documents.
func (t *Team) Permissions(subject, capability string) []manifest.Node {
	var out []manifest.Node
	for p := range t.rules.about(subject, capability) {
		out = append(out, t.rules.permissions[p])
	}
	return out
}
