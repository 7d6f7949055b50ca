package decision

import (
	"fmt"
	"time"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"terfyn/policy"
	"terfyn/workflows/contract"
	"terfyn/workflows/internal/call"
)

// validate is the update validator: it refuses at once and leaves no trace in
// history. It must not change anything.
//
// A task that was lost is done again, and people may answer a request it had
// stored before it comes back to it. So an unknown id is not refused while the
// task is busy; the handler looks again when the task has come to rest.
func (d *Desk) validate(ctx workflow.Context, dec contract.Decision) error {
	if d.unsure(dec) {
		return nil
	}
	if _, r := d.check(dec); r != nil {
		return temporal.NewNonRetryableApplicationError(r.Message, string(r.Code), nil)
	}
	return nil
}

// unsure reports whether the request dec names may be about to be opened.
func (d *Desk) unsure(dec policy.Decision) bool {
	_, known := d.entries[dec.ApprovalID]
	return !known && (d.session == nil || d.busy.Working())
}

func (d *Desk) check(dec policy.Decision) (*entry, *policy.Refusal) {
	e, ok := d.entries[dec.ApprovalID]
	switch {
	case !ok:
		return nil, &policy.Refusal{Code: policy.RefusedUnknown,
			Message: fmt.Sprintf("this run has no approval request %q; decisions are never kept for later requests", dec.ApprovalID)}
	case e.settled && e.outcome.Status == Expired:
		return nil, &policy.Refusal{Code: policy.RefusedLate,
			Message: fmt.Sprintf("%s expired at %s; the decision came too late", e.gate.ID, stamp(e.outcome.At))}
	case e.late && !e.settled:
		return nil, &policy.Refusal{Code: policy.RefusedLate, Message: fmt.Sprintf("the deadline of %s has passed; the decision came too late", e.gate.ID)}
	case e.claimed:
		return nil, &policy.Refusal{Code: policy.RefusedDecided, Message: e.decided()}
	}
	for _, v := range e.votes {
		if v == dec.Actor {
			return nil, &policy.Refusal{Code: policy.RefusedDecided, Message: fmt.Sprintf("%s already approved %s; it needs %d different approvers", v, e.gate.ID, e.gate.Deciders.MinApprovals)}
		}
	}
	return e, policy.CheckDecision(e.gate, dec)
}

// decided tells who won, also while the winner is being recorded.
func (e *entry) decided() string {
	o := e.outcome
	return fmt.Sprintf("%s is already decided: %s by %s at %s", e.gate.ID, o.Decision.Decision, o.By, stamp(o.At))
}

func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// decide is the update handler.
func (d *Desk) decide(ctx workflow.Context, dec contract.Decision) (contract.Verdict, error) {
	waited := d.unsure(dec)
	if err := workflow.Await(ctx, func() bool { return !d.unsure(dec) }); err != nil {
		return contract.Verdict{}, err
	}
	e, r := d.check(dec)
	if r == nil {
		return d.accept(ctx, e, dec)
	}
	if waited { // nothing but this handler saw the attempt
		d.refuse(ctx, dec, r)
	}
	return contract.Verdict{}, temporal.NewNonRetryableApplicationError(r.Message, string(r.Code), nil)
}

// accept claims e for dec, records it, and settles e.
func (d *Desk) accept(ctx workflow.Context, e *entry, dec policy.Decision) (contract.Verdict, error) {
	s, now := d.session, workflow.Now(ctx)
	status, done := e.verdict(dec)
	o := Outcome{Status: status, Decision: dec, Args: e.args, Revision: e.gate.Revision, By: dec.Actor, At: now}
	in := contract.RecordDecisionIn{Gate: e.gate, Decision: dec, Status: status, At: now, Waiting: len(s.Waiting()) > 1}
	if dec.Decision == policy.Edit {
		o.Args = policy.ApplyEdit(e.args, dec.Edit)
		o.Revision = policy.Revision(e.gate.Tool, e.gate.Operation, o.Args, e.gate.Site, s.Snapshot())
		in.Edited = &contract.EditedCall{Arguments: o.Args, Revision: o.Revision}
	}
	if done {
		e.claimed, e.outcome = true, o
	} else {
		e.votes = append(e.votes, dec.Actor)
	}
	// Records are written in the order of acceptance: the vote that closes the
	// request must not overtake an earlier one.
	turn := e.arrived
	e.arrived++
	if err := workflow.Await(ctx, func() bool { return e.stored && e.written == turn }); err != nil {
		return contract.Verdict{}, err
	}
	defer func() { e.written++ }()
	in.Ref = s.Ref()
	d.recorded++
	out, err := call.Record(ctx, contract.RecordDecision, fmt.Sprintf("%s/decision%d", e.gate.ID, d.recorded), in)
	if err == nil && out.Refused != "" {
		err = temporal.NewNonRetryableApplicationError(out.Refused, string(policy.RefusedEdit), nil)
	}
	if err != nil {
		e.release(dec, done)
		return contract.Verdict{}, err
	}
	if done {
		d.settle(e, o)
	}
	return contract.Verdict{ApprovalID: e.gate.ID, Status: orOpen(status), Decision: dec.Decision, Granted: o.Revision, By: dec.Actor, At: now}, nil
}

// release undoes a claim whose recording was refused.
func (e *entry) release(dec policy.Decision, done bool) {
	if done {
		e.claimed, e.outcome = false, Outcome{}
		return
	}
	kept := make([]string, 0, len(e.votes))
	for _, v := range e.votes {
		if v != dec.Actor {
			kept = append(kept, v)
		}
	}
	e.votes = kept
}

// verdict is the status a decision gives the request, "" for a vote that is not
// the last one needed. A rejection needs no majority.
func (e *entry) verdict(dec policy.Decision) (status string, done bool) {
	if dec.Decision == policy.Reject {
		return Rejected, true
	}
	if dec.Decision == policy.Approve && len(e.votes)+1 < e.gate.Deciders.MinApprovals {
		return "", false
	}
	return Approved, true
}

func orOpen(status string) string {
	if status == "" {
		return "open"
	}
	return status
}
