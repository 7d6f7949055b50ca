package rules

import (
	"terfyn/compiler/nexflow/code"
	"terfyn/compiler/nexflow/manifest"
	"terfyn/compiler/nexflow/refs"
)

// overrideAuthorities finds override authorities that do not come down to humans.
func overrideAuthorities(c *checker) {
	h := humanity{index: c.index, known: map[string]verdict{}}
	for _, a := range c.set.Project().At("policies", "humanOverride", "authorities").Items() {
		id := a.Get("id")
		if h.of(id.Text()) != isNotHuman {
			continue
		}
		c.report(id, finding{
			severity: manifest.Error, code: code.OverrideAuthorityNotHuman,
			message:    "Override authority " + manifest.Shown(id.Text()) + " is neither a human nor an authority that only humans represent, so that control does not rest with people.",
			suggestion: "Name an actor of kind human.",
		})
	}
}

// verdict is whether an actor comes down to humans. The zero verdict is that this
// cannot be said, because a reference on the way does not resolve.
type verdict int

const (
	cannotTell verdict = iota
	isHuman
	isNotHuman
)

// humanity decides about actors. known holds isNotHuman for an actor that is being
// decided, so that whoever comes back to it in a circle is none.
type humanity struct {
	index *refs.Index
	known map[string]verdict
}

func (h humanity) of(id string) verdict {
	if v, decided := h.known[id]; decided {
		return v
	}
	actor, ok := h.index.Find(refs.Actor, id)
	if !ok {
		return cannotTell
	}
	switch actor.Node.Get("kind").Text() {
	case "human":
		return isHuman
	case "authority":
		h.known[id] = isNotHuman
		v := h.ofAll(actor.Node.Get("representedBy").Items())
		h.known[id] = v
		return v
	}
	return isNotHuman
}

// ofAll is isHuman for one representative or more who all are; one who is not
// decides against, whatever the others are.
func (h humanity) ofAll(representatives []manifest.Node) verdict {
	if len(representatives) == 0 {
		return isNotHuman
	}
	out := isHuman
	for _, r := range representatives {
		switch h.of(r.Get("id").Text()) {
		case isNotHuman:
			return isNotHuman
		case cannotTell:
			out = cannotTell
		}
	}
	return out
}
