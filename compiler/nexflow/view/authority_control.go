package view

import (
	"slices"
	"strings"

	"terfyn/compiler/nexflow/manifest"
	"terfyn/compiler/nexflow/refs"
	"terfyn/compiler/nexflow/team"
)

// maxRoots is how many of those to whom an authority comes down are named.
const maxRoots = 20

// Behind is who stands behind an actor.
type Behind struct {
	// OperatedBy and RepresentedBy are as written.
	OperatedBy    []Named `json:"operatedBy"`
	RepresentedBy []Named `json:"representedBy"`
	// ComesDownTo is whom the representatives come down to in the end, authorities
	// among them resolved in turn.
	ComesDownTo []Named `json:"comesDownTo"`
	// NobodyHuman says that an authority does not come down to humans alone.
	NobodyHuman bool `json:"noHumanBehind"`
}

// Approver is somebody whom a gate asks, with who stands behind.
type Approver struct {
	Named
	Behind
}

func (v viewer) behind(id string) Behind {
	out := Behind{OperatedBy: []Named{}, RepresentedBy: []Named{}, ComesDownTo: []Named{}}
	if !v.index.HasActors() {
		return out
	}
	actor, _ := v.index.Find(refs.Actor, id)
	for _, r := range actor.Node.Get("operatedBy").Items() {
		out.OperatedBy = append(out.OperatedBy, v.named(refs.Actor, r.Get("id").Text()))
	}
	for _, r := range actor.Node.Get("representedBy").Items() {
		out.RepresentedBy = append(out.RepresentedBy, v.named(refs.Actor, r.Get("id").Text()))
	}
	for _, root := range v.control.Roots(id, maxRoots) {
		out.ComesDownTo = append(out.ComesDownTo, v.named(refs.Actor, root))
	}
	out.NobodyHuman = actor.Node.Get("kind").Is("authority") && v.control.Verdict(id) == team.ComesDownToOthers
	return out
}

// text is who stands behind in a few words, "" where nobody does.
func (b Behind) text() string {
	switch {
	case len(b.OperatedBy) > 0:
		return "operated by " + joinedUpTo(mostNamed, b.OperatedBy)
	case len(b.ComesDownTo) > 0:
		return "through " + joinedUpTo(mostNamed, b.ComesDownTo)
	case b.NobodyHuman:
		return "through nobody"
	}
	return ""
}

func (a Approver) text() string {
	if behind := a.Behind.text(); behind != "" {
		return a.Named.text() + " (" + behind + ")"
	}
	return a.Named.text()
}

func (v viewer) gate(id string) Gate {
	g, built := v.known[id]
	if !built {
		g = v.newGate(id)
		v.known[id] = g
	}
	return g
}

func (v viewer) newGate(id string) Gate {
	d, ok := v.index.Find(refs.ApprovalGate, id)
	g := Gate{ID: manifest.Shown(id), Declared: ok, Approvers: []Approver{}, Marks: []Mark{}}
	var named []Named
	machine, nobody := false, false
	for _, who := range d.Node.Get("requiredApprovers").Texts() {
		a := Approver{v.named(refs.Participant, who), v.behind(who)}
		g.Approvers = append(g.Approvers, a)
		named = append(append(named, a.Named), a.ComesDownTo...)
		machine = machine || v.team.NonHuman(who)
		nobody = nobody || a.NobodyHuman
	}
	if !ok || undeclared(named) {
		g.Marks = append(g.Marks, MarkUndeclared)
	}
	if ok && len(g.Approvers) == 0 {
		g.Marks = append(g.Marks, MarkNoApprover)
	}
	if machine {
		g.Marks = append(g.Marks, MarkNonhumanApprover)
	}
	if nobody {
		g.Marks = append(g.Marks, MarkNobodyHuman)
	}
	return g
}

// reviewsItself says whether those who own or review a definition include whoever
// acts with it, in person or as one to whom an authority comes down.
func (v viewer) reviewsItself(definition manifest.Node, who string) bool {
	reviewers := append(definition.At("review", "approvers").Texts(), definition.Get("owner").Text())
	return slices.ContainsFunc(reviewers, func(r string) bool {
		return r == who || v.index.HasActors() && slices.Contains(v.control.Roots(r, maxRoots), who)
	})
}

// joinedUpTo is a list cut at a number of entries.
func joinedUpTo(most int, list []Named) string {
	var out []string
	for _, n := range list {
		out = append(out, n.text())
	}
	return cutList(out, most)
}

func agreement(g Gate) string {
	if len(g.Approvers) == 0 {
		return "nobody"
	}
	var out []string
	for _, a := range g.Approvers {
		out = append(out, a.text())
	}
	return strings.TrimSpace(cutList(out, mostNamed))
}
