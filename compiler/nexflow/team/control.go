package team

import (
	"terfyn/compiler/nexflow/manifest"
	"terfyn/compiler/nexflow/refs"
)

// Verdict is whether an actor comes down to humans. The zero verdict is that this
// cannot be said, because a reference on the way does not resolve.
type Verdict int

// The verdicts.
const (
	CannotTell Verdict = iota
	ComesDownToHumans
	ComesDownToOthers
)

// Control says who stands behind the actors of a set. It is for one goroutine.
type Control struct {
	index *refs.Index
	// known holds ComesDownToOthers for an actor that is being decided, so that whoever
	// comes back to it in a circle is no human.
	known map[string]Verdict
}

// NewControl reads who represents whom when it is asked.
func NewControl(x *refs.Index) *Control {
	return &Control{index: x, known: map[string]Verdict{}}
}

// Verdict is about one actor: a human, or an authority all of whose representatives
// come down to humans, comes down to humans. An authority without representatives
// does not, and neither does one in a circle (nexflow.md 7.1).
func (c *Control) Verdict(id string) Verdict {
	if v, decided := c.known[id]; decided {
		return v
	}
	actor, ok := c.index.Find(refs.Actor, id)
	if !ok {
		return CannotTell
	}
	switch actor.Node.Get("kind").Text() {
	case "human":
		return ComesDownToHumans
	case "authority":
		c.known[id] = ComesDownToOthers
		v := c.ofAll(actor.Node.Get("representedBy").Items())
		c.known[id] = v
		return v
	}
	return ComesDownToOthers
}

// ofAll is ComesDownToHumans for one representative or more who all do; one who does
// not decides against, whatever the others are.
func (c *Control) ofAll(representatives []manifest.Node) Verdict {
	if len(representatives) == 0 {
		return ComesDownToOthers
	}
	out := ComesDownToHumans
	for _, r := range representatives {
		switch c.Verdict(r.Get("id").Text()) {
		case ComesDownToOthers:
			return ComesDownToOthers
		case CannotTell:
			out = CannotTell
		}
	}
	return out
}

// Roots is the actors to whom an authority comes down: its representatives, and in
// place of each authority among them those of that one. Ids that are not declared
// are among them; each comes once, in order, and at most as many as asked for. It is
// empty for an actor that is no authority.
func (c *Control) Roots(id string, most int) []string {
	var out []string
	seen := map[string]bool{id: true}
	var descend func(id string)
	descend = func(id string) {
		actor, ok := c.index.Find(refs.Actor, id)
		if !ok || !actor.Node.Get("kind").Is("authority") {
			return
		}
		for _, r := range actor.Node.Get("representedBy").Items() {
			next := r.Get("id").Text()
			if len(out) == most || seen[next] {
				continue
			}
			seen[next] = true
			if d, declared := c.index.Find(refs.Actor, next); declared && d.Node.Get("kind").Is("authority") {
				descend(next)
				continue
			}
			out = append(out, next)
		}
	}
	descend(id)
	return out
}
