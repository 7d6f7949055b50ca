package soundness

import (
	"fmt"
	"slices"

	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/converter"
	"go.temporal.io/sdk/testsuite"

	"terfyn/internal/canon"
	"terfyn/policy"
	"terfyn/store"
	"terfyn/workflows/contract"
)

// people decide the open requests of one run at random, by update and by signal.
type people struct {
	*world
	env   *testsuite.TestWorkflowEnvironment
	run   string
	tries map[string]int // decisions sent, by approval
	// waiting counts the recorded decisions of the run when the last one for an
	// approval was sent: another is sent when its answer is there.
	waiting map[string]int
}

// maxTries is how often people try to decide on a request before they give up and
// cancel the run: some requests nobody may decide.
const maxTries = 25

// letPass marks a request nobody looks at before its deadline has passed.
const letPass = -1

// attend has people look at the desk after everything that may have changed it. The
// test environment does not tell which local activity ended.
func (p *people) attend() {
	look := func(*activity.Info, converter.EncodedValue, error) { p.env.RegisterDelayedCallback(p.look, 0) }
	p.env.SetOnLocalActivityCompletedListener(look)
	p.env.SetOnActivityCompletedListener(look)
}

// look decides what is open and not being decided.
func (p *people) look() {
	if p.env.IsWorkflowCompleted() {
		return
	}
	open, err := p.store.ListApprovals(p.t.Context(), store.ApprovalFilter{RunID: p.run, Status: store.ApprovalOpen})
	if err != nil {
		p.t.Fatal(err)
	}
	if len(open) == 0 {
		return
	}
	// Every decision that reaches the run is recorded, taken or refused.
	events, err := p.store.Events(p.t.Context(), store.EventFilter{RunID: p.run, Type: string(contract.HitlDecisionSubmitted), Limit: 10000})
	if err != nil {
		p.t.Fatal(err)
	}
	for _, a := range open {
		if n, sent := p.waiting[a.ID]; sent && (n == len(events) || n == letPass && p.env.Now().Before(a.ExpiresAt)) {
			continue
		}
		p.waiting[a.ID] = len(events)
		p.decide(a)
	}
}

func (p *people) decide(a store.Approval) {
	p.tries[a.ID]++
	d := throw(p.seed, fmt.Sprintf("decide %s %d", a.ID, p.tries[a.ID]))
	switch {
	case p.tries[a.ID] > maxTries || d.chance(3):
		p.env.CancelWorkflow()
	case !a.ExpiresAt.IsZero() && p.tries[a.ID] == 1 && d.chance(40):
		p.count.add("decisions", "none in time")
		p.waiting[a.ID] = letPass
	default:
		p.send(d, p.decision(d, a))
	}
}

func (p *people) send(d dice, dec policy.Decision) {
	p.count.add("decisions", dec.Decision)
	if d.chance(40) {
		p.env.SignalWorkflow(contract.SignalDecision, dec)
		return
	}
	again := func(error) { // a refused update may leave no record
		delete(p.waiting, dec.ApprovalID)
		p.env.RegisterDelayedCallback(p.look, 0)
	}
	p.env.UpdateWorkflow(contract.UpdateDecide, "", &testsuite.TestUpdateCallback{
		OnAccept: func() {}, OnReject: again,
		OnComplete: func(_ any, err error) {
			if err != nil {
				again(err)
			}
		},
	}, dec)
}

// decision is mostly one that is allowed.
func (p *people) decision(d dice, a store.Approval) policy.Decision {
	actors := a.Approvers
	if len(actors) == 0 || d.chance(5) {
		actors = []string{"ann", "ben", "sam"}
	}
	dec := policy.Decision{ApprovalID: a.ID, Revision: a.Revision, Actor: pick(d, actors), Reason: "thrown", Decision: p.word(d, a)}
	if dec.Decision == policy.Edit {
		dec.Edit = canon.Object()
		for _, path := range some(d, a.EditPaths, 50) {
			dec.Edit = dec.Edit.With(path, pick(d, []canon.Value{canon.Int(7), canon.String("edited"), record(d, 1)}))
		}
	}
	if d.chance(3) {
		dec.Revision = canon.Sum([]byte("another call"))
	}
	return dec
}

func (p *people) word(d dice, a store.Approval) string {
	switch {
	case d.chance(4):
		return pick(d, []string{"switch", "answer", "maybe"})
	case d.chance(10) && slices.Contains(a.Allowed, policy.Reject):
		return policy.Reject
	}
	yes := slices.DeleteFunc(slices.Clone(a.Allowed), func(w string) bool { return w == policy.Reject })
	if len(yes) == 0 {
		return policy.Reject
	}
	return pick(d, yes)
}
