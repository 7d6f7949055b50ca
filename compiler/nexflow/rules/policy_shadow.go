package rules

import (
	"slices"

	"terfyn/compiler/nexflow/code"
	"terfyn/compiler/nexflow/manifest"
	"terfyn/compiler/nexflow/refs"
	"terfyn/compiler/nexflow/team"
)

// shadowedPermissions finds permissions that a stricter one takes back for at least
// one subject and capability.
func shadowedPermissions(c *checker) {
	s := newShadows(c)
	for i, p := range s.permissions {
		if first, _ := c.target(refs.Permission, p.IDNode); first.Path() != p.Node.Path() {
			continue
		}
		switch effectOf(p.Node) {
		case team.Allow:
			s.byDeny(i)
			s.byGate(i)
		case team.ApprovalRequired:
			s.byDeny(i)
		}
	}
}

// shadows knows the permissions with what they list, as far as it resolves.
type shadows struct {
	c           *checker
	permissions []refs.Declaration
	// bySubject and byCapability list the permissions of an effect, by number.
	bySubject, byCapability map[listed][]int
	// stamps holds per permission the last call of meeting that found a common
	// subject; it saves that call a set.
	stamps []int
	calls  int
}

// maxRelated is how many places one finding names. Permissions of a hostile set
// could all meet all others; no more than this is of use to a reader.
const maxRelated = 200

type listed struct {
	effect team.Effect
	id     string
}

func newShadows(c *checker) *shadows {
	s := &shadows{c: c, permissions: c.index.All(refs.Permission), bySubject: map[listed][]int{}, byCapability: map[listed][]int{}}
	for i, p := range s.permissions {
		effect := effectOf(p.Node)
		for _, id := range s.c.resolved(refs.Participant, p.Node.Get("subjects")) {
			at := listed{effect, id}
			s.bySubject[at] = append(s.bySubject[at], i)
		}
		for _, id := range s.c.resolved(refs.Capability, p.Node.Get("capabilities")) {
			at := listed{effect, id}
			s.byCapability[at] = append(s.byCapability[at], i)
		}
	}
	s.stamps = make([]int, len(s.permissions))
	return s
}

// resolved is the ids of a list that are declared.
func (c *checker) resolved(space refs.Space, list manifest.Node) []string {
	return slices.DeleteFunc(list.Texts(), func(id string) bool {
		_, ok := c.index.Find(space, id)
		return !ok
	})
}

// meeting is the permissions of an effect that share a subject and a capability
// with permission i, in the order of the documents. Sharing one of each is sharing
// a pair, since a permission is about all of its pairs.
func (s *shadows) meeting(i int, effect team.Effect) []int {
	p := s.permissions[i].Node
	s.calls++
	shared := false
	for _, id := range s.c.resolved(refs.Participant, p.Get("subjects")) {
		for _, q := range s.bySubject[listed{effect, id}] {
			s.stamps[q], shared = s.calls, true
		}
	}
	if !shared {
		return nil
	}
	var out []int
	for _, id := range s.c.resolved(refs.Capability, p.Get("capabilities")) {
		for _, q := range s.byCapability[listed{effect, id}] {
			if s.stamps[q] == s.calls {
				s.stamps[q] = 0
				out = append(out, q)
			}
		}
	}
	slices.Sort(out)
	return out
}

func (s *shadows) byDeny(i int) {
	related := s.effects(s.meeting(i, team.Deny))
	if related == nil {
		return
	}
	p := s.permissions[i]
	s.c.report(p.Node.Get("effect"), finding{
		severity: manifest.Warning, code: code.PolicyShadowedByDeny,
		message:    "Permission " + manifest.Shown(p.ID) + " gives something that another permission denies, and the denial wins.",
		related:    related,
		suggestion: "Remove from the permission what is denied.",
	})
}

// byGate leaves out what a denial decides: there the allowance does not lose to
// the approval.
func (s *shadows) byGate(i int) {
	p := s.permissions[i]
	gating := slices.DeleteFunc(s.meeting(i, team.ApprovalRequired), func(q int) bool {
		return !s.needsApproval(p.Node, s.permissions[q].Node)
	})
	related := s.effects(gating)
	if related == nil {
		return
	}
	s.c.report(p.Node.Get("effect"), finding{
		severity: manifest.Warning, code: code.PolicyShadowedByGate,
		message:    "Permission " + manifest.Shown(p.ID) + " allows something that another permission makes subject to approval, and the approval is needed.",
		related:    related,
		suggestion: "Remove from the permission what is subject to approval.",
	})
}

// needsApproval reports whether approval decides about a subject and a capability
// that both permissions list.
func (s *shadows) needsApproval(p, q manifest.Node) bool {
	capabilities := s.c.resolved(refs.Capability, q.Get("capabilities"))
	shared := members(p.Get("capabilities"))
	subjects := members(p.Get("subjects"))
	for _, subject := range s.c.resolved(refs.Participant, q.Get("subjects")) {
		if !subjects[subject] {
			continue
		}
		for _, capability := range capabilities {
			if shared[capability] && s.c.team.Effect(subject, capability) == team.ApprovalRequired {
				return true
			}
		}
	}
	return false
}

func (s *shadows) effects(permissions []int) []manifest.Node {
	var out []manifest.Node
	for _, i := range permissions[:min(len(permissions), maxRelated)] {
		out = append(out, s.permissions[i].Node.Get("effect"))
	}
	return out
}

// members is the ids of a list as a set.
func members(list manifest.Node) map[string]bool {
	out := map[string]bool{}
	for _, id := range list.Texts() {
		out[id] = true
	}
	return out
}
