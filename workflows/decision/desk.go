// Package decision owns the desk of a run: the requests that wait for people and
// the ways in for their answers, as updates and as signals. A decision is matched
// by approval id only, and of any number of answers to one request exactly one
// is taken. It leaves out why a request is opened (toolcall, interp) and who may
// decide (policy).
package decision

import (
	"fmt"
	"time"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"terfyn/internal/canon"
	"terfyn/policy"
	"terfyn/workflows/contract"
	"terfyn/workflows/internal/call"
	"terfyn/workflows/internal/session"
)

// Desk holds the requests of one run.
type Desk struct {
	session  *session.Session // nil until the run is open
	busy     *call.Busy
	entries  map[string]*entry
	ended    []*entry       // in order of their end
	rounds   map[string]int // requests opened so far by call site; looked up only
	refusals int
	recorded int // decisions handed to the store so far
}

// entry is one request. It takes answers from the moment it is being stored:
// people read the store, and may answer before the workflow task that opened the
// request is complete. claimed is set the moment an answer is accepted, before
// anything blocks, so a second one cannot pass the validator.
type entry struct {
	gate    policy.Gate
	args    canon.Value
	votes   []string
	stored  bool
	claimed bool
	settled bool
	outcome Outcome
}

// Question opens a request.
type Question struct {
	Gate          policy.Gate // without ID and Revision, which the desk sets
	Args          canon.Value
	PreApprovedBy string // set: the submitter decided in advance
}

// Outcome is how a request ended.
type Outcome struct {
	ApprovalID string
	Status     string // approved, rejected, expired
	Decision   policy.Decision
	// Args are the arguments that were approved: as asked, or as edited.
	Args     canon.Value
	Revision canon.Digest
	By       string
	At       time.Time
}

// The ends of a request.
const (
	Approved = "approved"
	Rejected = "rejected"
	Expired  = "expired"
)

// Register puts the desk's handlers in place. It is the first thing a run does:
// an update that arrives earlier would be refused as unknown (temporal-facts 4).
func Register(ctx workflow.Context, busy *call.Busy) (*Desk, error) {
	d := &Desk{busy: busy, entries: map[string]*entry{}, rounds: map[string]int{}}
	err := workflow.SetUpdateHandlerWithOptions(ctx, contract.UpdateDecide, d.decide, workflow.UpdateHandlerOptions{
		Validator:   d.validate,
		Description: "Decide on an approval request of this run.",
	})
	if err != nil {
		return nil, err
	}
	workflow.Go(ctx, d.receive)
	return d, nil
}

// Attach gives the desk its run, with what an execution before has decided.
func (d *Desk) Attach(s *session.Session) {
	if c := s.Request.Carried; c != nil {
		d.restore(c)
	}
	d.session = s
}

// Ask opens a request and waits for its end.
func (d *Desk) Ask(ctx workflow.Context, q Question) (Outcome, error) {
	e, err := d.open(ctx, q)
	if err != nil || e.settled {
		return e.outcome, err
	}
	s := d.session
	if err := s.Wait(ctx, e.gate.ID, details(s, e)); err != nil {
		return Outcome{}, err
	}
	if err := d.await(ctx, e); err != nil {
		return Outcome{}, err
	}
	return e.outcome, s.Resume(ctx, e.gate.ID)
}

func (d *Desk) open(ctx workflow.Context, q Question) (*entry, error) {
	s, g := d.session, q.Gate
	g.Revision = policy.Revision(g.Tool, g.Operation, q.Args, g.Site, s.Snapshot())
	g.Submitter = s.Request.Actor
	g.ID = policy.ApprovalID(s.RunID(), s.FirstExecID(), g.Site, g.Kind, g.Revision, d.rounds[g.Site])
	d.rounds[g.Site]++
	e := &entry{gate: g, args: q.Args, claimed: q.PreApprovedBy != ""}
	d.entries[g.ID] = e
	_, err := call.Local(ctx, contract.OpenApproval, contract.OpenApprovalIn{
		Ref: s.Ref(), Gate: g, Arguments: q.Args, At: workflow.Now(ctx), PreApprovedBy: q.PreApprovedBy,
	})
	if err != nil {
		return e, err
	}
	e.stored = true
	if q.PreApprovedBy != "" {
		d.settle(e, Outcome{
			Status: Approved, Args: q.Args, Revision: g.Revision, By: q.PreApprovedBy, At: workflow.Now(ctx),
			Decision: policy.Decision{ApprovalID: g.ID, Revision: g.Revision, Decision: policy.Approve, Actor: q.PreApprovedBy},
		})
	}
	return e, nil
}

// await blocks until e is settled, or its deadline passed with nobody answering.
func (d *Desk) await(ctx workflow.Context, e *entry) error {
	if e.gate.Timeout == 0 {
		return workflow.Await(ctx, e.isSettled)
	}
	ok, err := workflow.AwaitWithTimeout(ctx, e.gate.Timeout, e.isSettled)
	if err != nil || ok {
		return err
	}
	if e.claimed { // an answer was accepted in time and is being recorded
		return workflow.Await(ctx, e.isSettled)
	}
	return d.expire(ctx, e)
}

func (e *entry) isSettled() bool { return e.settled }

func (d *Desk) settle(e *entry, o Outcome) {
	o.ApprovalID = e.gate.ID
	e.outcome, e.settled = o, true
	d.ended = append(d.ended, e)
}

// expire applies the policy's onTimeout.
func (d *Desk) expire(ctx workflow.Context, e *entry) error {
	s := d.session
	switch e.gate.OnTimeout {
	case policy.OnTimeoutApprove:
		_, err := d.accept(ctx, e, policy.Decision{
			ApprovalID: e.gate.ID, Revision: e.gate.Revision, Decision: policy.Approve,
			Actor: "policy:onTimeout", Reason: "nobody answered within " + e.gate.Timeout.String() + "; the policy approves then",
		})
		return err
	case "escalate":
		s.Trace(ctx, e.gate.Site, contract.EscalationRaised, canon.Object(canon.F("approvalId", canon.String(e.gate.ID)),
			canon.F("reason", canon.String("nobody answered within "+e.gate.Timeout.String()))))
		if err := s.Flush(ctx); err != nil {
			return err
		}
		return workflow.Await(ctx, e.isSettled)
	}
	e.claimed = true
	now := workflow.Now(ctx)
	_, err := call.Local(ctx, contract.CloseApproval, contract.CloseApprovalIn{
		Ref: s.Ref(), ApprovalID: e.gate.ID, Site: e.gate.Site, Status: Expired,
		Reason: "nobody answered within " + e.gate.Timeout.String(), At: now, Waiting: len(s.Waiting()) > 1,
	})
	if err != nil {
		return err
	}
	d.settle(e, Outcome{Status: Expired, Args: e.args, At: now})
	return nil
}

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
	if err := workflow.Await(ctx, func() bool { return e.stored }); err != nil {
		return contract.Verdict{}, err
	}
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

// details is the markdown that Temporal's own UI shows beside a waiting run.
func details(s *session.Session, e *entry) string {
	g := e.gate
	return fmt.Sprintf("**Waiting for a decision** on `%s.%s` at `%s`\n\nApproval `%s`, revision `%s`.\n\nDecide with `terfyn approve %s` or with the signal `%s`.",
		g.Tool, g.Operation, g.Site, g.ID, g.Revision, g.ID, contract.SignalDecision)
}
