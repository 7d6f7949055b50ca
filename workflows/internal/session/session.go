// Package session owns the state of one run that its parts share: identity,
// pinned bundle, trace events that wait for a ride, money and time spent, and
// what observers see. It leaves out control flow (interp), tool calls (toolcall)
// and decisions (decision).
package session

import (
	"fmt"
	"strings"
	"time"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"terfyn/internal/canon"
	"terfyn/policy"
	"terfyn/workflows/contract"
	"terfyn/workflows/internal/call"
)

// Session is the shared state of one run. One workflow coroutine uses it at a time.
type Session struct {
	Bundle  *contract.Bundle
	Request contract.RunIn
	Budget  policy.Budget

	ref        contract.Ref
	attributes bool // the namespace has our search attributes
	shown      bool // they were set in this run
	rollover   int  // history length to continue as new at, 0 = as the server suggests
	events     []contract.Event
	ordinals   map[string]int // next ordinal by event key; looked up, never ranged
	costUSD    string
	tokensIn   int64
	tokensOut  int64
	started    time.Time
	waited     time.Duration // total time spent waiting for people
	waiting    []string      // open approval ids, in order of opening
	waitSince  time.Time
	site       string
}

// New builds the state of a run that was opened as out.
func New(ctx workflow.Context, ref contract.Ref, request contract.RunIn, out contract.OpenRunOut, bundle *contract.Bundle) *Session {
	ref.Snapshot, ref.Environment = out.Snapshot, out.Environment
	s := &Session{
		Bundle: bundle, Request: request, Budget: policy.BudgetFor(&bundle.Graph, request.Workflow),
		ref: ref, attributes: out.SearchAttributes, ordinals: map[string]int{}, costUSD: "0", started: workflow.Now(ctx), rollover: out.RolloverEvents,
	}
	if c := request.Carried; c != nil {
		s.restore(c)
	}
	return s
}

// RunID is the id of the run.
func (s *Session) RunID() string { return s.ref.RunID }

// FirstExecID is the Temporal run id of the first execution in the chain.
func (s *Session) FirstExecID() string { return s.ref.FirstExecID }

// Environment is the environment the run was started in.
func (s *Session) Environment() string { return s.ref.Environment }

// Snapshot is the pinned snapshot.
func (s *Session) Snapshot() canon.Digest { return s.ref.Snapshot }

// Ref identifies the run to an activity and takes all waiting events along.
func (s *Session) Ref() contract.Ref {
	ref := s.ref
	ref.Events, s.events = s.events, nil
	return ref
}

// PutBack returns the events of a call that did not happen.
func (s *Session) PutBack(ref contract.Ref) {
	s.events = append(ref.Events, s.events...)
}

// Trace queues an event of the workflow itself for the next activity.
func (s *Session) Trace(ctx workflow.Context, site string, t contract.EventType, data canon.Value) {
	key := site + " " + string(t)
	s.events = append(s.events, contract.Event{
		CallSite: site, Type: t, Ordinal: s.ordinals[key], ActorType: contract.ActorSystem, At: workflow.Now(ctx), Data: data,
	})
	s.ordinals[key]++
}

// Flush appends the waiting events now.
func (s *Session) Flush(ctx workflow.Context) error {
	if len(s.events) == 0 {
		return nil
	}
	ref := s.Ref()
	if _, err := call.Local(ctx, contract.RecordEvents, contract.RecordEventsIn{Ref: ref}); err != nil {
		s.PutBack(ref)
		return err
	}
	return nil
}

// At notes where the run stands, for queries.
func (s *Session) At(site string) { s.site = site }

// Spend books the cost of a model turn and faults when the run's budget is passed.
func (s *Session) Spend(ctx workflow.Context, site, costUSD string, in, out int64) error {
	s.tokensIn += in
	s.tokensOut += out
	total, err := policy.AddCost(s.costUSD, costUSD)
	if err != nil {
		return &contract.Fault{Type: contract.FaultModel, Message: "cost of " + site + ": " + err.Error()}
	}
	s.costUSD = total
	over, err := s.Budget.OverCost(total)
	if err != nil {
		return &contract.Fault{Type: contract.FaultBudget, Message: err.Error()}
	}
	if !over {
		return nil
	}
	s.Trace(ctx, site, contract.LimitHit, canon.Object(canon.F("kind", canon.String("max_cost")),
		canon.F("maxTotalCostUsd", number(s.Budget.MaxCostUSD)), canon.F("accumulatedUsd", number(total))))
	return s.Denied(ctx, site, contract.FaultBudget, "max_cost",
		fmt.Sprintf("max_cost: the run has spent %s USD, its policy allows %s", total, s.Budget.MaxCostUSD))
}

// Denied queues the system_error of a denial and returns its fault.
func (s *Session) Denied(ctx workflow.Context, site string, t contract.FaultType, reason, message string) error {
	s.Trace(ctx, site, contract.SystemError, canon.Object(canon.F("reason", canon.String(reason)), canon.F("message", canon.String(message))))
	return &contract.Fault{Type: t, Message: message}
}

// CheckTime faults when the run's active time is used up; waiting for people
// does not count (execution.md section 3).
func (s *Session) CheckTime(ctx workflow.Context, site string) error {
	if s.Budget.MaxActive == 0 {
		return nil
	}
	active := workflow.Now(ctx).Sub(s.started) - s.waited
	if active <= s.Budget.MaxActive {
		return nil
	}
	s.Trace(ctx, site, contract.LimitHit, canon.Object(canon.F("kind", canon.String("max_wall_clock")),
		canon.F("maxWallClockSeconds", canon.Int(int64(s.Budget.MaxActive/time.Second)))))
	return s.Denied(ctx, site, contract.FaultBudget, "max_wall_clock",
		fmt.Sprintf("the run was active for %s, its policy allows %s", active.Round(time.Second), s.Budget.MaxActive))
}

// Wait notes that the run waits for a decision and shows it to observers.
func (s *Session) Wait(ctx workflow.Context, approvalID, details string) error {
	if len(s.waiting) == 0 {
		s.waitSince = workflow.Now(ctx)
	}
	s.waiting = append(s.waiting, approvalID)
	workflow.SetCurrentDetails(ctx, details)
	return s.show(ctx)
}

// Resume notes that approvalID waits no more.
func (s *Session) Resume(ctx workflow.Context, approvalID string) error {
	left := make([]string, 0, len(s.waiting))
	for _, id := range s.waiting {
		if id != approvalID {
			left = append(left, id)
		}
	}
	s.waiting = left
	if len(left) == 0 {
		s.waited += workflow.Now(ctx).Sub(s.waitSince)
		workflow.SetCurrentDetails(ctx, "")
	}
	return s.show(ctx)
}

// Waiting lists the open requests.
func (s *Session) Waiting() []string { return s.waiting }

// Attribute keys; registered by setup and by the embedded server.
var (
	attrStatus  = temporal.NewSearchAttributeKeyKeyword(contract.AttrStatus)
	attrWaiting = temporal.NewSearchAttributeKeyKeyword(contract.AttrWaitingFor)
)

func (s *Session) show(ctx workflow.Context) error {
	if !s.attributes {
		return nil
	}
	s.shown = true
	return workflow.UpsertTypedSearchAttributes(ctx, attrStatus.ValueSet(s.status()), attrWaiting.ValueSet(strings.Join(s.waiting, " ")))
}

func (s *Session) status() string {
	if len(s.waiting) > 0 {
		return "interrupted"
	}
	return "running"
}

// Finish closes the run in the store.
func (s *Session) Finish(ctx workflow.Context, status string, output canon.Value, fault *contract.Fault) error {
	_, err := call.Local(ctx, contract.FinishRun, contract.FinishRunIn{
		Ref: s.Ref(), Status: status, Output: output, Fault: fault,
		CostUSD: s.costUSD, TokensIn: s.tokensIn, TokensOut: s.tokensOut, At: workflow.Now(ctx),
	})
	if err == nil && s.shown { // a run that never waited has no status but Temporal's own
		err = workflow.UpsertTypedSearchAttributes(ctx, attrStatus.ValueSet(status), attrWaiting.ValueUnset())
	}
	return err
}

// State is the answer to the state query.
func (s *Session) State() contract.State {
	return contract.State{Status: s.status(), CallSite: s.site, Waiting: s.waiting, CostUSD: s.costUSD}
}

// number reads an amount for a trace event; an unreadable one is shown as text.
func number(s string) canon.Value {
	v, err := canon.Number(s)
	if err != nil {
		return canon.String(s)
	}
	return v
}
