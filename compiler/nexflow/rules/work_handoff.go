package rules

import (
	"terfyn/compiler/nexflow/code"
	"terfyn/compiler/nexflow/manifest"
	"terfyn/compiler/nexflow/refs"
	"terfyn/compiler/nexflow/team"
)

// handoffEndpoints finds handoffs that lack a side, and those with someone on both.
func handoffEndpoints(c *checker) {
	for _, h := range c.firsts(refs.Handoff) {
		from, to := h.Node.Get("from"), h.Node.Get("to")
		for _, side := range []manifest.Node{from, to} {
			if side.Len() > 0 {
				continue
			}
			c.report(side, finding{
				severity: manifest.Error, code: code.HandoffEndpointEmpty,
				message:    "Handoff " + manifest.Shown(h.ID) + " has nobody on one side, so that nothing passes.",
				suggestion: "Name the participant on that side.",
			})
		}
		givers := from.TextSet()
		var both []string
		for _, id := range c.resolved(refs.Participant, to) {
			if givers[id] {
				both = append(both, id)
			}
		}
		if both == nil {
			continue
		}
		c.report(to, finding{
			severity: manifest.Warning, code: code.HandoffSelf,
			message:    "Handoff " + manifest.Shown(h.ID) + " has " + manifest.Shown(both[0]) + " on both sides, where nothing passes.",
			details:    manifest.Details{Members: shownAll(both)},
			suggestion: "Name everyone on one side only.",
		})
	}
}

// handovers knows which handoffs name whom on which side. One that is declared under
// the id of another counts too: its mistake is the id.
type handovers struct {
	c        *checker
	from, to *team.Roll
	effort   *effort
}

func newHandovers(c *checker) *handovers {
	var from, to []manifest.Node
	for _, d := range c.index.All(refs.Handoff) {
		from, to = append(from, d.Node.Get("from")), append(to, d.Node.Get("to"))
	}
	return &handovers{c: c, from: team.NewRoll(from), to: team.NewRoll(to), effort: c.effort()}
}

// lead reports whether a handoff leads from one participant to another, possibly
// among others on either side.
func (h *handovers) lead(from, to string) bool {
	giving, taking := h.from.Of(from), h.to.Of(to)
	h.effort.spend(1 + min(giving.Size(), taking.Size()))
	_, found := giving.First(taking)
	return found
}

// check finds steps of a workflow that take over from a direct predecessor of
// another owner without a handoff.
func (h *handovers) check(f *flow) {
	if !h.c.set.Has(manifest.HandoffSet) {
		return
	}
	for _, s := range f.steps {
		receiver, ok := h.owner(s)
		if !ok {
			continue
		}
		for _, before := range f.order.Direct(s.id) {
			giver, known := h.owner(f.byID[before])
			if !known || giver == receiver || h.lead(giver, receiver) {
				continue
			}
			h.c.report(s.node.Get("dependsOn"), finding{
				severity: manifest.Info, code: code.HandoffMissing,
				message: "Step " + manifest.Shown(s.id) + " of " + manifest.Shown(receiver) + " follows step " + manifest.Shown(before) +
					" of " + manifest.Shown(giver) + ", and no handoff leads from the one owner to the other.",
				suggestion: "Declare the handoff between the two owners.",
			})
		}
	}
}

// owner is who owns the task of a step, false where one of them is not declared.
func (h *handovers) owner(s step) (string, bool) {
	task, ok := h.c.index.Find(refs.Task, s.task)
	if !ok {
		return "", false
	}
	owner := task.Node.Get("owner")
	_, ok = h.c.target(refs.Participant, owner)
	return owner.Text(), ok
}
