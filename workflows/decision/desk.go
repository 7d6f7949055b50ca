// Package decision owns the desk of a run: the requests that wait for people and
// the ways in for their answers, as updates and as signals. A decision is matched
// by approval id only, and of any number of answers to one request exactly one
// is taken. It leaves out why a request is opened (toolcall, interp) and who may
// decide (policy).
package decision

import (
	"fmt"
	"time"

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
	arrived int // decisions accepted so far
	written int // decisions whose recording has ended
	stored  bool
	late    bool // the deadline has passed
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
	out, err := call.Local(ctx, contract.OpenApproval, contract.OpenApprovalIn{
		Ref: s.Ref(), Gate: g, Arguments: q.Args, At: workflow.Now(ctx), PreApprovedBy: q.PreApprovedBy,
	})
	if err == nil && out.Fault != nil {
		err = out.Fault
	}
	if err != nil {
		delete(d.entries, g.ID)
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
	// An answer that was accepted in time counts; one whose recording is refused,
	// such as an edit that violates the schema, leaves the request expired. What
	// comes now is late.
	e.late = true
	if err := workflow.Await(ctx, func() bool { return e.settled || e.written == e.arrived }); err != nil || e.settled {
		return err
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
		e.late = false // it waits on, now without a deadline
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

// details is the markdown that Temporal's own UI shows beside a waiting run.
func details(s *session.Session, e *entry) string {
	g := e.gate
	return fmt.Sprintf("**Waiting for a decision** on `%s.%s` at `%s`\n\nApproval `%s`, revision `%s`.\n\nDecide with `terfyn approve %s` or with the signal `%s`.",
		g.Tool, g.Operation, g.Site, g.ID, g.Revision, g.ID, contract.SignalDecision)
}
