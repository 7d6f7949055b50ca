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

// beat is how often a running activity reports that it lives.
const beat = 2 * time.Second

// heartbeat reports until ctx ends; a killed worker is noticed by its silence.
func heartbeat(ctx context.Context) {
	t := time.NewTicker(beat)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
			activity.RecordHeartbeat(ctx)
		}
	}
}

// callTool makes one tool call after the guard's check.
func (a *Activities) callTool(ctx context.Context, in contract.CallToolIn) (contract.CallToolOut, error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	go heartbeat(ctx)
	adm, refusal, err := a.guard.Admit(ctx, in)
	if err != nil {
		return contract.CallToolOut{}, err
	}
	if refusal != nil {
		return a.refuse(ctx, in, refusal)
	}
	if adm.SideEffects && in.Reconciles == "" {
		return a.effect(ctx, in, adm)
	}
	return a.read(ctx, in, adm)
}

// refuse records why a call was not made.
func (a *Activities) refuse(ctx context.Context, in contract.CallToolIn, r *guard.Refusal) (contract.CallToolOut, error) {
	out := contract.CallToolOut{Outcome: r.Outcome, Rule: r.Rule, Fault: &r.Fault, Deciders: r.Deciders}
	err := a.inTx(ctx, func(tx store.Tx) error {
		if r.Outcome == contract.OutcomeNeedsApproval {
			return record.Append(ctx, tx, in.Ref)
		}
		failed := stepRow(in, 1, store.StepFailed, nil, &r.Fault)
		return record.Work(ctx, tx, in.Ref, []store.Step{failed}, execution(in, 1, false, &r.Fault, ""))
	})
	return out, err
}

// read makes a call without side effects; repeating it is harmless.
func (a *Activities) read(ctx context.Context, in contract.CallToolIn, adm guard.Admission) (contract.CallToolOut, error) {
	result, err := a.send(ctx, in, adm, "")
	if retry := a.retryRead(ctx, adm, err); retry != nil {
		return contract.CallToolOut{}, retry
	}
	if err != nil && ctx.Err() != nil {
		return contract.CallToolOut{}, ctx.Err()
	}
	out := contract.CallToolOut{Outcome: contract.OutcomeSucceeded, OperationID: adm.OperationID, ProviderID: result.ProviderID}
	if err != nil {
		out.Outcome = contract.OutcomeFailed
		out.Fault = toolFault(in, err)
	} else if result.Output, out.Fault = limitOutput(in, adm, result.Output); out.Fault != nil {
		out.Outcome = contract.OutcomeFailed
	}
	return a.recordCall(ctx, in, adm, 1, result.Output, out, nil)
}

// send passes the call to its transport under the operation's deadline.
func (a *Activities) send(ctx context.Context, in contract.CallToolIn, adm guard.Admission, operationID string) (tool.Result, error) {
	timeout := time.Duration(adm.Operation.TimeoutSeconds) * time.Second
	if timeout == 0 {
		timeout = contract.DefaultToolTimeout
	}
	return a.config.Tools.Call(ctx, tool.Call{
		Tool: adm.Tool, Operation: adm.Operation, Arguments: adm.Arguments, OperationID: operationID,
		ProjectRoot: a.config.ProjectRoot, Timeout: timeout,
	})
}

// recordCall writes everything about a finished call in one transaction: the
// result as artifact where it is referred to, the step, the trace. settle, when
// set, runs first.
func (a *Activities) recordCall(ctx context.Context, in contract.CallToolIn, adm guard.Admission, attempt int, value canon.Value, out contract.CallToolOut, settle func(tx store.Tx, ref canon.Digest) error) (contract.CallToolOut, error) {
	// The call has happened: losing its record to a cancelled context would lose the effect.
	ctx = context.WithoutCancel(ctx)
	if settle == nil && !in.ByReference { // one statement's worth: no transaction to open
		if out.Outcome == contract.OutcomeSucceeded {
			out.Value = value
		}
		return out, a.recordOutcome(ctx, a.store, in, adm, attempt, value, out)
	}
	err := a.inTx(ctx, func(tx store.Tx) error {
		var ref canon.Digest
		if out.Outcome == contract.OutcomeSucceeded && (in.ByReference || adm.SideEffects) {
			d, err := record.Payload(ctx, tx, value)
			if err != nil {
				return err
			}
			ref = d
		}
		if settle != nil {
			if err := settle(tx, ref); err != nil {
				return err
			}
		}
		out.Ref, out.Value = "", canon.Null()
		if in.ByReference {
			out.Ref = ref
		} else if out.Outcome == contract.OutcomeSucceeded {
			out.Value = value
		}
		return a.recordOutcome(ctx, tx, in, adm, attempt, value, out)
	})
	return out, err
}

func (a *Activities) recordOutcome(ctx context.Context, tx store.Tx, in contract.CallToolIn, adm guard.Admission, attempt int, value canon.Value, out contract.CallToolOut) error {
	status := store.StepSucceeded
	switch out.Outcome {
	case contract.OutcomeFailed:
		status = store.StepFailed
	case contract.OutcomeUnknown:
		status = store.StepWaiting
	}
	step := stepRow(in, attempt, status, record.View(value, adm.RedactKeys...).Encode(), out.Fault)
	step.Input = record.View(in.Arguments, adm.RedactKeys...).Encode()
	step.FinishedAt = time.Now().UTC()
	events := []contract.Event{}
	if in.Agent != "" {
		events = append(events, selection(in, attempt))
	}
	if adm.SideEffects && in.Reconciles == "" {
		events = append(events, effectEvent(in, attempt, contract.EffectOutcome, canon.F("outcome", canon.String(string(out.Outcome))), canon.F("providerId", canon.String(out.ProviderID))))
	}
	events = append(events, execution(in, attempt, out.Outcome == contract.OutcomeSucceeded, out.Fault, value.Digest()))
	ref := in.Ref
	if adm.SideEffects && in.Reconciles == "" {
		ref.Events = nil // they were appended with effect_dispatching
	}
	return record.Work(ctx, tx, ref, []store.Step{step}, events...)
}

// limitOutput applies the output limit of the operation, tool or project.
func limitOutput(in contract.CallToolIn, adm guard.Admission, v canon.Value) (canon.Value, *contract.Fault) {
	limit := adm.Limits.MaxToolOutputBytes
	if adm.Operation.MaxOutputBytes > 0 {
		limit = adm.Operation.MaxOutputBytes
	}
	n := int64(len(v.Encode()))
	if n <= limit {
		return v, nil
	}
	if adm.Limits.ToolOutputExceedPolicy == "fail" {
		return v, &contract.Fault{Type: contract.FaultTool, Message: fmt.Sprintf("tool_output exceeds limit: %s.%s returned %d bytes, at most %d are allowed", in.Tool, in.Operation, n, limit)}
	}
	cut, _ := tool.Limit(v, limit)
	return cut, nil
}

// toolFault turns a transport's error into data; its text is bounded.
func toolFault(in contract.CallToolIn, err error) *contract.Fault {
	f := &contract.Fault{Type: contract.FaultTool, Message: record.Text(fmt.Sprintf("%s.%s at %s: %v", in.Tool, in.Operation, in.Site, err))}
	var e *tool.Error
	if errors.As(err, &e) && e.Class == tool.BadInput {
		f.Type = contract.FaultArguments
	}
	return f
}

func stepRow(in contract.CallToolIn, attempt int, status store.StepStatus, output []byte, fault *contract.Fault) store.Step {
	s := store.Step{
		RunID: in.Ref.RunID, CallSite: in.Site, Attempt: attempt, Kind: "tool", Name: in.Tool + "." + in.Operation,
		Status: status, StartedAt: in.At, CostUSD: "0", Output: output,
	}
	if fault != nil {
		s.ErrorType, s.ErrorText, s.Output = string(fault.Type), record.Text(fault.Message), nil
	}
	return s
}

func actorOf(in contract.CallToolIn) (actorType, id string) {
	if in.Agent != "" {
		return contract.ActorAgent, in.Agent
	}
	return contract.ActorSystem, ""
}

func selection(in contract.CallToolIn, attempt int) contract.Event {
	actorType, id := actorOf(in)
	return contract.Event{
		CallSite: in.Site, Attempt: attempt, Type: contract.ToolSelection, ActorType: actorType, ActorID: id, At: in.At,
		Data: canon.Object(canon.F("tool", canon.String(in.Tool)), canon.F("uses", canon.String("tool."+in.Tool+"."+in.Operation)),
			canon.F("argumentsDigest", canon.String(string(in.Arguments.Digest())))),
	}
}

func execution(in contract.CallToolIn, attempt int, success bool, fault *contract.Fault, output canon.Digest) contract.Event {
	actorType, id := actorOf(in)
	now := time.Now().UTC()
	fields := []canon.Field{
		canon.F("tool", canon.String(in.Tool)), canon.F("uses", canon.String("tool."+in.Tool+"."+in.Operation)),
		canon.F("success", canon.Bool(success)), canon.F("durationMs", canon.Int(now.Sub(in.At).Milliseconds())), canon.F("costUsd", canon.String("0")),
		canon.F("argumentsDigest", canon.String(string(in.Arguments.Digest()))),
	}
	if output != "" {
		fields = append(fields, canon.F("outputDigest", canon.String(string(output))))
	}
	if fault != nil {
		fields = append(fields, canon.F("error", canon.String(string(fault.Type))), canon.F("message", canon.String(fault.Message)))
	}
	return contract.Event{CallSite: in.Site, Attempt: attempt, Type: contract.ToolExecution, ActorType: actorType, ActorID: id, At: now, Data: canon.Object(fields...)}
}
