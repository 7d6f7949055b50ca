package view

import (
	"slices"

	"terfyn/compiler/nexflow/manifest"
	"terfyn/compiler/nexflow/refs"
	"terfyn/compiler/nexflow/team"
)

// maxPairs is how many pairs of participant and capability are compared.
const maxPairs = 200_000

// effectKind is the kind of changes to what permissions say together.
const effectKind = "effect"

type grantPair struct{ who, capability string }

// effectOrder rises with what can happen. A denial is below silence: silence can be
// filled by another permission.
var effectOrder = []team.Effect{team.Deny, team.None, team.ApprovalRequired, team.Allow}

func (c *comparison) effects() {
	c.moved = map[grantPair]bool{}
	seen := map[grantPair]bool{}
	for _, x := range []*refs.Index{c.later, c.earlier} {
		for _, p := range x.All(refs.Permission) {
			for _, who := range p.Node.Get("subjects").Texts() {
				for _, capability := range p.Node.Get("capabilities").Texts() {
					pair := grantPair{who, capability}
					if seen[pair] {
						continue
					}
					if len(seen) == maxPairs {
						c.truncated = true
						return
					}
					seen[pair] = true
					c.effect(pair)
				}
			}
		}
	}
}

func (c *comparison) effect(p grantPair) {
	was, is := c.before.Effect(p.who, p.capability), c.after.Effect(p.who, p.capability)
	x := Change{Kind: effectKind, ID: manifest.Shown(p.who), Item: manifest.Shown(p.capability), From: string(was), To: string(is)}
	x.File, x.Path = c.pairPlace(p)
	switch {
	case was == is:
		if was == team.ApprovalRequired {
			c.pairGates(p, x)
		}
		return
	case slices.Index(effectOrder, is) > slices.Index(effectOrder, was):
		x.Class = Widened
	default:
		x.Class = Narrowed
	}
	c.moved[p] = true
	c.file(authority, x)
}

// pairPlace is the first permission about a pair, in the later set if there is one.
func (c *comparison) pairPlace(p grantPair) (file, path string) {
	for _, t := range []*team.Team{c.after, c.before} {
		if all := t.Permissions(p.who, p.capability); len(all) > 0 {
			at := all[0].Get("effect")
			return at.File(), at.Path()
		}
	}
	return "", ""
}

// pairGates compares the gates of a pair that needs approval in both sets, as far
// as permissions began or ceased to be about it. A permission that names another
// gate is reported itself.
func (c *comparison) pairGates(p grantPair, x Change) {
	was, is := pairApprovals(c.before, p), pairApprovals(c.after, p)
	for _, side := range []struct {
		class    Class
		of, than []approval
	}{{Narrowed, is, was}, {Widened, was, is}} {
		var told []string
		for _, a := range side.of {
			kept := slices.ContainsFunc(side.than, func(b approval) bool { return b.permission == a.permission || b.gate == a.gate })
			if kept || a.gate == "" || slices.Contains(told, a.gate) {
				continue
			}
			told = append(told, a.gate)
			x.Class, x.Field, x.From, x.To = side.class, "approvalGate", "", manifest.Shown(a.gate)
			if side.class == Widened {
				x.From, x.To = x.To, ""
			}
			c.moved[p] = true
			c.file(authority, x)
		}
	}
}

type approval struct{ permission, gate string }

func pairApprovals(t *team.Team, p grantPair) []approval {
	var out []approval
	for _, n := range t.Permissions(p.who, p.capability) {
		if n.Get("effect").Is(string(team.ApprovalRequired)) {
			out = append(out, approval{n.Get("id").Text(), n.Get("approvalGate").Text()})
		}
	}
	return out
}

// leftBehind reports whether somebody, or a capability, came to or went from a
// permission without a change in any effect, although other changes of it have one.
func (c *comparison) leftBehind(field string, e, l manifest.Node) bool {
	other := "capabilities"
	switch {
	case field == "effect" || e.Get("subjects").Len()*e.Get("capabilities").Len() > maxPairs || l.Get("subjects").Len()*l.Get("capabilities").Len() > maxPairs:
		return false
	case field == other:
		other = "subjects"
	}
	for _, side := range [][2]manifest.Node{{e, l}, {l, e}} {
		for _, i := range missing(textItems(side[0].Get(field)), textItems(side[1].Get(field))) {
			if !slices.ContainsFunc(side[0].Get(other).Texts(), func(with string) bool {
				pair := grantPair{i.key, with}
				if field == "capabilities" {
					pair = grantPair{with, i.key}
				}
				return c.moved[pair]
			}) {
				return true
			}
		}
	}
	return false
}

// movedBy reports whether a pair that a permission is about changed. It takes that
// for granted of a permission with more pairs than are compared.
func (c *comparison) movedBy(permission manifest.Node) bool {
	if permission.Get("subjects").Len()*permission.Get("capabilities").Len() > maxPairs {
		return true
	}
	for _, who := range permission.Get("subjects").Texts() {
		for _, capability := range permission.Get("capabilities").Texts() {
			if c.moved[grantPair{who, capability}] {
				return true
			}
		}
	}
	return false
}
