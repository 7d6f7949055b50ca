package activities

import (
	"context"
	"errors"
	"fmt"
	"time"

	"go.temporal.io/sdk/activity"

	"terfyn/activities/guard"
	"terfyn/activities/record"
	"terfyn/activities/tool"
	"terfyn/internal/canon"
	"terfyn/store"
	"terfyn/workflows/contract"
)

// effect makes a call with side effects under the ledger: the row says dispatching
// in a committed transaction before the request leaves, and an attempt that finds
// it so did crash in flight (execution.md section 5).
func (a *Activities) effect(ctx context.Context, in contract.CallToolIn, adm guard.Admission) (contract.CallToolOut, error) {
	row, granted, err := a.beginDispatch(ctx, in, adm)
	if errors.Is(err, store.ErrConflict) || errors.Is(err, store.ErrNotFound) {
		return a.refuse(ctx, in, &guard.Refusal{Outcome: contract.OutcomeDenied, Rule: "one permit, one dispatch",
			Fault: contract.Fault{Type: contract.FaultPolicy, Message: fmt.Sprintf("approval %s does not admit this call: %v", adm.ApprovalID, err)}})
	}
	if err != nil {
		return contract.CallToolOut{}, err
	}
	if !granted {
		if row.State != store.EffectDispatching || !repeatable(adm) {
			return a.replayed(ctx, in, adm, row)
		}
		// The same key or a harmless repetition: sending again cannot double the effect.
	}
	result, err := a.send(ctx, in, adm, adm.OperationID)
	return a.settleSend(ctx, in, adm, sending{attempt: row.Attempts, again: !granted}, result, err)
}

// sending is one request on its way: the dispatch it belongs to, and whether an
// earlier attempt of that dispatch may have had its effect already.
type sending struct {
	attempt int
	again   bool
}

// repeatable reports whether the operation may be sent again whatever became of
// the attempt before.
func repeatable(adm guard.Admission) bool {
	return adm.Operation.Idempotency == "key" || adm.Operation.Idempotency == "safe"
}

func (a *Activities) beginDispatch(ctx context.Context, in contract.CallToolIn, adm guard.Admission) (row store.Effect, granted bool, err error) {
	err = a.inTx(ctx, func(tx store.Tx) error {
		row, granted, err = tx.BeginDispatch(ctx, store.Dispatch{
			ApprovalID: adm.ApprovalID, At: time.Now().UTC(),
			Effect: store.Effect{
				OperationID: adm.OperationID, RunID: in.Ref.RunID, CallSite: in.Site, Tool: in.Tool, Operation: in.Operation,
				Revision: adm.Revision, ApprovalID: adm.ApprovalID,
			},
		})
		if err != nil {
			return err
		}
		if !granted {
			return record.Append(ctx, tx, in.Ref)
		}
		return record.Append(ctx, tx, in.Ref, effectEvent(in, row.Attempts, contract.EffectDispatching,
			canon.F("operationId", canon.String(adm.OperationID)), canon.F("revision", canon.String(string(adm.Revision))), canon.F("approvalId", canon.String(adm.ApprovalID))))
	})
	return row, granted, err
}

func effectEvent(in contract.CallToolIn, attempt int, t contract.EventType, fields ...canon.Field) contract.Event {
	actorType, id := actorOf(in)
	fields = append(fields, canon.F("uses", canon.String("tool."+in.Tool+"."+in.Operation)))
	return contract.Event{CallSite: in.Site, Attempt: attempt, Type: t, ActorType: actorType, ActorID: id, At: time.Now().UTC(), Data: canon.Object(fields...)}
}

// replayed answers an attempt that may not send from what the ledger knows.
func (a *Activities) replayed(ctx context.Context, in contract.CallToolIn, adm guard.Admission, row store.Effect) (contract.CallToolOut, error) {
	out := contract.CallToolOut{OperationID: row.OperationID, ProviderID: row.ProviderID}
	switch row.State {
	case store.EffectSucceeded:
		out.Outcome = contract.OutcomeSucceeded
		if in.ByReference {
			out.Ref = row.ResultRef
			return out, nil
		}
		v, err := record.Load(ctx, a.store, row.ResultRef)
		out.Value = v
		return out, err
	case store.EffectFailed:
		out.Outcome = contract.OutcomeFailed
		out.Fault = &contract.Fault{Type: contract.FaultTool, Message: row.ErrorText}
		return out, nil
	case store.EffectUnknown:
		out.Outcome = contract.OutcomeUnknown
		out.Fault = &contract.Fault{Type: contract.FaultTool, Message: row.ErrorText}
		return out, nil
	}
	return a.unknown(ctx, in, adm, row.Attempts, "the worker that sent it stopped before it could record an answer")
}

// settleSend records what became of a request that was sent.
func (a *Activities) settleSend(ctx context.Context, in contract.CallToolIn, adm guard.Admission, s sending, result tool.Result, err error) (contract.CallToolOut, error) {
	attempt := s.attempt
	out := contract.CallToolOut{OperationID: adm.OperationID, ProviderID: result.ProviderID, Outcome: contract.OutcomeSucceeded}
	var e *tool.Error
	switch {
	case err == nil:
		value, fault := limitOutput(in, adm, result.Output)
		if fault != nil { // the effect happened; only its answer is too long to keep whole
			value, _ = tool.Limit(result.Output, adm.Limits.MaxToolOutputBytes)
		}
		return a.recordCall(ctx, in, adm, attempt, value, out, a.settler(ctx, adm, store.Effect{State: store.EffectSucceeded, ProviderID: result.ProviderID}))
	case errors.As(err, &e) && e.Class == tool.NotSent && !s.again:
		return a.notSent(ctx, in, adm, attempt, e)
	case errors.As(err, &e) && (e.Class == tool.Unknown || s.again) && repeatable(adm) && int64(activity.GetInfo(ctx).Attempt) < adm.Tool.Retry.MaxAttempts:
		// The row stays dispatching: the next attempt sends the same operation id again.
		return contract.CallToolOut{}, retryLater(adm.Tool.Retry, int(activity.GetInfo(ctx).Attempt), e)
	case errors.As(err, &e) && e.Class != tool.Unknown && !s.again: // what was sent before may have worked
		out.Outcome, out.Fault = contract.OutcomeFailed, toolFault(in, err)
		return a.recordCall(ctx, in, adm, attempt, canon.Null(), out, a.settler(ctx, adm, store.Effect{State: store.EffectFailed, ErrorText: out.Fault.Message}))
	}
	return a.unknown(ctx, in, adm, attempt, record.Text(err.Error()))
}

func (a *Activities) settler(ctx context.Context, adm guard.Admission, e store.Effect) func(tx store.Tx, ref canon.Digest) error {
	ctx = context.WithoutCancel(ctx)
	e.OperationID, e.SettledAt = adm.OperationID, time.Now().UTC()
	return func(tx store.Tx, ref canon.Digest) error {
		e.ResultRef = ref
		return tx.Settle(ctx, e, store.EffectDispatching, store.EffectUnknown)
	}
}

// unknown settles the row as unknown: nobody sends again before it is settled.
func (a *Activities) unknown(ctx context.Context, in contract.CallToolIn, adm guard.Admission, attempt int, why string) (contract.CallToolOut, error) {
	out := contract.CallToolOut{OperationID: adm.OperationID, Outcome: contract.OutcomeUnknown,
		Fault: &contract.Fault{Type: contract.FaultTool, Message: fmt.Sprintf("%s.%s at %s: the outcome is unknown: %s", in.Tool, in.Operation, in.Site, why)}}
	return a.recordCall(ctx, in, adm, attempt, canon.Null(), out, a.settler(ctx, adm, store.Effect{State: store.EffectUnknown, ErrorText: out.Fault.Message}))
}

// notSent: the request cannot have had an effect. Within the tool's retry budget
// another attempt follows; after it the call failed.
func (a *Activities) notSent(ctx context.Context, in contract.CallToolIn, adm guard.Admission, attempt int, e *tool.Error) (contract.CallToolOut, error) {
	if int64(attempt) < adm.Tool.Retry.MaxAttempts {
		ctx := context.WithoutCancel(ctx)
		err := a.inTx(ctx, func(tx store.Tx) error {
			return a.settler(ctx, adm, store.Effect{State: store.EffectNotSent, ErrorText: record.Text(e.Error())})(tx, "")
		})
		if err != nil {
			return contract.CallToolOut{}, err
		}
		return contract.CallToolOut{}, retryLater(adm.Tool.Retry, attempt, e)
	}
	out := contract.CallToolOut{OperationID: adm.OperationID, Outcome: contract.OutcomeFailed, Fault: toolFault(in, e)}
	return a.recordCall(ctx, in, adm, attempt, canon.Null(), out, a.settler(ctx, adm, store.Effect{State: store.EffectFailed, ErrorText: out.Fault.Message}))
}

// settleEffect records what reconciliation or a person found out. An answer that
// arrived meanwhile wins.
func (a *Activities) settleEffect(ctx context.Context, in contract.SettleEffectIn) (contract.SettleEffectOut, error) {
	out := contract.SettleEffectOut{Succeeded: in.Sent, Value: in.Result}
	err := a.inTx(ctx, func(tx store.Tx) error {
		row, err := tx.Effect(ctx, in.OperationID)
		if err != nil {
			return err
		}
		if row.State == store.EffectSucceeded {
			out.Succeeded = true
			out.Value, err = record.Load(ctx, tx, row.ResultRef)
			return err
		}
		next := store.Effect{OperationID: in.OperationID, State: store.EffectNotSent, Reconciled: true, ProviderID: in.ProviderID, SettledAt: in.At}
		if in.Sent {
			next.State = store.EffectSucceeded
			if next.ResultRef, err = record.Payload(ctx, tx, in.Result); err != nil {
				return err
			}
		}
		if row.State != next.State {
			if err := tx.Settle(ctx, next, store.EffectUnknown); err != nil {
				return err
			}
		}
		return record.Append(ctx, tx, in.Ref, settled(in, row.Attempts))
	})
	return out, err
}

func settled(in contract.SettleEffectIn, attempt int) contract.Event {
	actorType := contract.ActorUser
	if in.By == "reconcile" {
		actorType = contract.ActorSystem
	}
	outcome := "reconciled(not_sent)"
	if in.Sent {
		outcome = "reconciled(succeeded)"
	}
	return contract.Event{
		CallSite: in.Site, Attempt: attempt, Ordinal: 1, Type: contract.EffectOutcome, ActorType: actorType, ActorID: in.By, At: in.At,
		Data: canon.Object(canon.F("operationId", canon.String(in.OperationID)), canon.F("outcome", canon.String(outcome)), canon.F("providerId", canon.String(in.ProviderID))),
	}
}
