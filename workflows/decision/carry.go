package decision

import (
	"go.temporal.io/sdk/workflow"

	"terfyn/policy"
	"terfyn/workflows/contract"
	"terfyn/workflows/internal/session"
)

// Idle reports whether the desk has nothing in hand: no handler is at work and no
// signal waits. Only then may a run continue as new.
func (d *Desk) Idle(ctx workflow.Context) bool {
	return workflow.AllHandlersFinished(ctx) && workflow.GetSignalChannel(ctx, contract.SignalDecision).Len() == 0
}

// Carry adds the desk's state to c. Requests that are still open cannot be
// carried: a safe point has none.
func (d *Desk) Carry(c *contract.Carried) {
	c.Rounds, c.Recorded, c.Refusals = session.Counters(d.rounds), d.recorded, d.refusals
	for _, e := range d.ended {
		o := e.outcome
		c.Decided = append(c.Decided, contract.Decided{Gate: e.gate, Status: o.Status, Decision: o.Decision.Decision, By: o.By, At: o.At})
	}
}

func (d *Desk) restore(c *contract.Carried) {
	d.recorded, d.refusals = c.Recorded, c.Refusals
	for _, r := range c.Rounds {
		d.rounds[r.Name] = r.N
	}
	for _, x := range c.Decided {
		e := &entry{gate: x.Gate, stored: true, claimed: true}
		d.entries[x.Gate.ID] = e
		d.settle(e, Outcome{Status: x.Status, Decision: policy.Decision{ApprovalID: x.Gate.ID, Decision: x.Decision, Actor: x.By}, By: x.By, At: x.At})
	}
}
