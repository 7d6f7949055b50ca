package rules

import "terfyn/compiler/nexflow/team"

// gating is the permissions among those that meet what is listed which make
// something of it subject to approval where nothing denies it: at least the first
// ones and one more than a finding names, if there are as many. When the effort is
// spent, open has those about which nothing could be said.
func (s *shadows) gating(l listed, meeting team.Bits) (gating, open []int) {
	g := gates{s: s, rest: team.NewBits(len(s.places))}
	for q := range meeting.All() {
		if q >= s.strict.Leading {
			g.rest.Add(q)
			g.left++
		}
	}
	if g.left == 0 {
		return nil, nil
	}
	g.decided = team.NewBits(len(s.places))
	subjects, capabilities := g.meeting(l.subjects), g.meeting(l.capabilities)
	complete := g.compare(subjects, capabilities)
	for q := range g.decided.All() {
		if gating = append(gating, q); len(gating) > maxRelated {
			break
		}
	}
	if !complete {
		for q := range g.rest.All() {
			if open = append(open, q); len(open) == maxRelated {
				break
			}
		}
	}
	return gating, open
}

// gates looks for the permissions that decide about one that allows.
type gates struct {
	s *shadows
	// rest is the permissions that may decide, left their count; decided those that
	// do, and news that some came in since narrow looked at them.
	rest, decided team.Bits
	left          int
	news          bool
}

// meeting is the classes that one of the rest lists.
func (g *gates) meeting(classes []team.Numbers) []team.Numbers {
	var out []team.Numbers
	for _, n := range classes {
		g.s.effort.spend(n.Size())
		if n.Meets(g.rest) {
			out = append(out, n)
		}
	}
	return out
}

// compare goes through the pairs until nothing is left that could decide. It is
// false when the effort did not suffice.
func (g *gates) compare(subjects, capabilities []team.Numbers) bool {
	for _, subject := range subjects {
		if !g.s.effort.take(1 + subject.Size()) {
			return false
		}
		if !subject.Meets(g.rest) {
			continue
		}
		for _, capability := range capabilities {
			if !g.s.effort.take(1 + 2*min(subject.Size(), capability.Size())) {
				return false
			}
			if first, both := subject.First(capability); both && first >= g.s.strict.Leading {
				g.decide(subject, capability)
			}
			if g.left == 0 {
				return true
			}
		}
		if g.narrow(); g.left == 0 {
			return true
		}
	}
	return true
}

// decide is for a subject and a capability that nothing denies: every permission
// that lists both makes them subject to approval.
func (g *gates) decide(subject, capability team.Numbers) {
	for q := range subject.CommonAmong(capability, g.rest) {
		g.rest.Remove(q)
		g.decided.Add(q)
		g.left--
		g.news = true
	}
}

// narrow forgets permissions that come after more deciding ones than are named.
func (g *gates) narrow() {
	if !g.news {
		return
	}
	g.news = false
	named := 0
	for q := range g.decided.All() {
		if named++; named > maxRelated {
			g.left -= g.rest.CutFrom(q)
			return
		}
	}
}
