package rules

import (
	"terfyn/compiler/nexflow/code"
	"terfyn/compiler/nexflow/manifest"
	"terfyn/compiler/nexflow/refs"
	"terfyn/compiler/nexflow/team"
)

// shadowedPermissions finds permissions that a stricter one takes back for at least
// one subject and capability.
func shadowedPermissions(c *checker) {
	s := newShadows(c)
	for _, p := range c.firsts(refs.Permission) {
		effect := effectOf(p.Node)
		if effect != team.Allow && effect != team.ApprovalRequired {
			continue
		}
		l := s.listed(p.Node)
		meeting := s.meeting(l)
		s.byDeny(p, meeting)
		if effect == team.Allow {
			s.byGate(p, l, meeting)
		}
	}
}

// shadows knows the permissions that can take something back: those that deny,
// which come first, and those that ask for approval.
type shadows struct {
	c      *checker
	strict *team.Rules
	places []manifest.Place // of the effects of the strict permissions
	effort *effort
	// bySubject and byCapability are what meeting finds, for one permission at a time.
	bySubject, byCapability team.Bits
}

func newShadows(c *checker) *shadows {
	s := &shadows{c: c, strict: c.team.Strict(), effort: c.effort()}
	for _, p := range s.strict.Permissions {
		s.places = append(s.places, p.Node.Get("effect").Place())
	}
	n := len(s.places)
	s.bySubject, s.byCapability = team.NewBits(n), team.NewBits(n)
	return s
}

// listed is who and what a permission lists, as far as it is declared and listed by
// a strict permission too: one number set for each class.
type listed struct{ subjects, capabilities []team.Numbers }

func (s *shadows) listed(p manifest.Node) listed {
	return listed{
		s.c.classed(refs.Participant, p.Get("subjects"), s.strict.Subjects),
		s.c.classed(refs.Capability, p.Get("capabilities"), s.strict.Capabilities),
	}
}

// classed is the classes of the declared ids of a list, each once.
func (c *checker) classed(space refs.Space, list manifest.Node, roll *team.Roll) []team.Numbers {
	var out []team.Numbers
	seen := map[int]bool{}
	for _, id := range list.Texts() {
		class := roll.Class(id)
		if class == team.Unlisted || seen[class] {
			continue
		}
		if _, declared := c.index.Find(space, id); declared {
			seen[class] = true
			out = append(out, roll.Numbers(class))
		}
	}
	return out
}

// resolved is the ids of a list that are declared.
func (c *checker) resolved(space refs.Space, list manifest.Node) []string {
	out := list.Texts()
	kept := out[:0]
	for _, id := range out {
		if _, ok := c.index.Find(space, id); ok {
			kept = append(kept, id)
		}
	}
	return kept
}

// meeting is the strict permissions that share a subject and a capability with
// what is listed. Sharing one of each is sharing a pair, since a permission is
// about all of its pairs. The answer holds until the next call.
func (s *shadows) meeting(l listed) team.Bits {
	s.union(s.bySubject, l.subjects)
	s.union(s.byCapability, l.capabilities)
	for w := range s.bySubject {
		s.bySubject[w] &= s.byCapability[w]
	}
	return s.bySubject
}

func (s *shadows) union(all team.Bits, of []team.Numbers) {
	clear(all)
	s.effort.spend(len(all))
	for _, n := range of {
		n.AddTo(all)
		s.effort.spend(n.Size())
	}
}

func (s *shadows) byDeny(p refs.Declaration, meeting team.Bits) {
	var denying []int
	for q := range meeting.All() {
		if q >= s.strict.Leading || len(denying) > maxRelated {
			break
		}
		denying = append(denying, q)
	}
	if denying == nil {
		return
	}
	message := "Permission " + manifest.Shown(p.ID) + " gives something that another permission denies, and the denial wins."
	if len(denying) > maxRelated {
		message = "Permission " + manifest.Shown(p.ID) + " gives something that the related permissions and others deny, and the denial wins."
	}
	s.c.report(p.Node.Get("effect"), finding{
		severity: manifest.Warning, code: code.PolicyShadowedByDeny,
		message:    message,
		places:     s.related(denying),
		suggestion: "Remove from the permission what is denied.",
	})
}

// byGate leaves out what a denial decides: there the allowance does not lose to
// the approval.
func (s *shadows) byGate(p refs.Declaration, l listed, meeting team.Bits) {
	gating, open := s.gating(l, meeting)
	message := "Permission " + manifest.Shown(p.ID) + " allows something that another permission makes subject to approval, and the approval is needed."
	switch {
	case len(gating) == 0 && len(open) == 0:
		return
	case len(gating) == 0:
		gating = open
		message = "Permission " + manifest.Shown(p.ID) + " may allow something that another permission makes subject to approval" + notCompared
	case len(gating) > maxRelated:
		message = "Permission " + manifest.Shown(p.ID) + " allows something that the related permissions and others make subject to approval, and the approval is needed."
	}
	s.c.report(p.Node.Get("effect"), finding{
		severity: manifest.Warning, code: code.PolicyShadowedByGate,
		message:    message,
		places:     s.related(gating),
		suggestion: "Remove from the permission what is subject to approval.",
	})
}

func (s *shadows) related(permissions []int) []manifest.Place {
	out := make([]manifest.Place, 0, min(len(permissions), maxRelated))
	for _, i := range permissions[:cap(out)] {
		out = append(out, s.places[i])
	}
	return out
}
