package activities

import (
	"context"
	"errors"
	"fmt"
	"time"

	"go.temporal.io/sdk/activity"

	"terfyn/activities/model"
	"terfyn/activities/record"
	"terfyn/activities/transcript"
	"terfyn/compiler/resource"
	"terfyn/deploy/snapshot"
	"terfyn/internal/canon"
	"terfyn/policy"
	"terfyn/store"
	"terfyn/workflows/contract"
)

// closing tells an agent at its turn limit to come to an end.
const closing = "You have reached your turn limit. Answer now with what you have; no tools are available any more."

// generate makes one model turn. A turn that was recorded by an earlier attempt
// is answered from its record and never billed again.
func (a *Activities) generate(ctx context.Context, in contract.GenerateIn) (contract.GenerateOut, error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	go heartbeat(ctx)
	loaded, err := a.snapshots.Load(ctx, in.Ref.Snapshot)
	if snapshot.Unusable(err) {
		return contract.GenerateOut{Transcript: in.Transcript, CostUSD: "0", Fault: &contract.Fault{Type: contract.FaultSnapshot, Message: err.Error()}}, nil
	}
	if err != nil {
		return contract.GenerateOut{}, err
	}
	if activity.GetInfo(ctx).Attempt > 1 {
		out, done, err := a.recordedTurn(ctx, loaded, in)
		if done || err != nil {
			return out, err
		}
	}
	if late := tooLate(ctx, in); late != nil {
		return a.modelFailed(ctx, in, late)
	}
	turn, request, provider, err := a.prepareTurn(ctx, loaded, in)
	if err != nil {
		return contract.GenerateOut{}, err
	}
	if provider == nil {
		return contract.GenerateOut{}, fmt.Errorf("open the model of agent %s: no provider", in.Agent)
	}
	turn.Answer, err = ask(ctx, provider, request, in)
	if err != nil {
		return a.modelFailed(ctx, in, err)
	}
	for i := range turn.Answer.Calls { // a name no provider accepts would spoil every later request
		if !model.ValidName(turn.Answer.Calls[i].Name) {
			turn.Answer.Calls[i].Name = "invalid_name"
		}
	}
	return a.recordTurn(ctx, loaded, in, turn)
}

// defaultTurnTimeout bounds a request whose input names no timeout.
const defaultTurnTimeout = 5 * time.Minute

// ask makes one request within its time.
func ask(ctx context.Context, p model.Provider, r model.Request, in contract.GenerateIn) (model.Response, error) {
	timeout := in.Timeout
	if timeout <= 0 {
		timeout = defaultTurnTimeout
	}
	if !in.Deadline.IsZero() {
		timeout = min(timeout, time.Until(in.Deadline))
	}
	limited, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	out, err := p.Generate(limited, r)
	if err != nil && limited.Err() != nil && ctx.Err() == nil {
		return out, model.Timeout(err) // ours ran out, not the worker's
	}
	return out, err
}

// tooLate ends a turn that further attempts cannot save: the step's deadline has
// passed, or workers were lost in every attempt it may have.
func tooLate(ctx context.Context, in contract.GenerateIn) error {
	if !in.Deadline.IsZero() && !time.Now().Before(in.Deadline) {
		return &model.Error{Class: model.Permanent, Message: "the step has passed its timeoutSeconds"}
	}
	if n := activity.GetInfo(ctx).Attempt; n > maxTurnAttempts {
		return &model.Error{Class: model.Permanent, Message: fmt.Sprintf("no answer in %d attempts", n-1)}
	}
	return nil
}

// recordedTurn finds the completion an earlier attempt recorded before its answer
// reached Temporal.
func (a *Activities) recordedTurn(ctx context.Context, l *snapshot.Loaded, in contract.GenerateIn) (contract.GenerateOut, bool, error) {
	events, err := a.store.Events(ctx, store.EventFilter{RunID: in.Ref.RunID, Type: string(contract.LLMCompletion), Limit: 10000})
	if err != nil {
		return contract.GenerateOut{}, false, err
	}
	for _, e := range events {
		if e.CallSite != turnSite(in) {
			continue
		}
		data, err := canon.Parse(e.Data)
		if err != nil {
			return contract.GenerateOut{}, false, err
		}
		d := canon.Digest(data.Str("transcript"))
		turn, err := transcript.Read(ctx, a.store, d)
		if err != nil {
			return contract.GenerateOut{}, false, err
		}
		return outcome(l, in, turn, d), true, nil
	}
	return contract.GenerateOut{}, false, nil
}

func turnSite(in contract.GenerateIn) string { return fmt.Sprintf("%s/turn%d", in.Site, in.Turn) }

// modelFailed retries what a retry may cure; the rest is the step's fault.
func (a *Activities) modelFailed(ctx context.Context, in contract.GenerateIn, cause error) (contract.GenerateOut, error) {
	if retry := retryModel(ctx, cause); retry != nil {
		return contract.GenerateOut{}, retry
	}
	if ctx.Err() != nil && errors.Is(cause, ctx.Err()) {
		return contract.GenerateOut{}, ctx.Err()
	}
	fault := &contract.Fault{Type: contract.FaultModel, Message: record.Text(fmt.Sprintf("agent %s at %s, turn %d: %v", in.Agent, in.Site, in.Turn, cause))}
	out := contract.GenerateOut{Transcript: in.Transcript, Fault: fault, CostUSD: "0"}
	err := a.inTx(ctx, func(tx store.Tx) error {
		step, err := stepSoFar(in, out, store.StepFailed)
		if err != nil {
			return err
		}
		return record.Work(ctx, tx, in.Ref, []store.Step{turnRow(in, out), step}, contract.Event{
			CallSite: turnSite(in), Type: contract.SystemError, ActorType: contract.ActorSystem, At: time.Now().UTC(),
			Data: canon.Object(canon.F("reason", canon.String(string(fault.Type))), canon.F("message", canon.String(fault.Message))),
		})
	})
	return out, err
}

// recordTurn files the turn, its trace event and the step in one transaction.
func (a *Activities) recordTurn(ctx context.Context, l *snapshot.Loaded, in contract.GenerateIn, turn transcript.Turn) (contract.GenerateOut, error) {
	// The completion is paid for: a cancelled context must not lose it.
	ctx = context.WithoutCancel(ctx)
	var out contract.GenerateOut
	err := a.inTx(ctx, func(tx store.Tx) error {
		d, err := transcript.Write(ctx, tx, turn)
		if err != nil {
			return err
		}
		out = outcome(l, in, turn, d)
		status := store.StepRunning
		switch {
		case out.Fault != nil:
			status = store.StepFailed
		case len(out.Calls) == 0:
			status = store.StepSucceeded
		}
		t := turnRow(in, out)
		step, err := stepSoFar(in, out, status)
		if err != nil {
			return err
		}
		step.Definition = l.Hash(resource.KindAgent, in.Agent)
		if status == store.StepSucceeded {
			step.Output = record.View(out.Output).Encode()
		}
		return record.Work(ctx, tx, in.Ref, []store.Step{t, step}, completion(in, turn, d, t, step.Definition))
	})
	return out, err
}

// turnRow is the row of one model turn.
func turnRow(in contract.GenerateIn, out contract.GenerateOut) store.Step {
	s := store.Step{
		RunID: in.Ref.RunID, CallSite: turnSite(in), Attempt: 1, Kind: "turn", Name: in.Agent, Status: store.StepSucceeded,
		StartedAt: in.At, FinishedAt: time.Now().UTC(), CostUSD: out.CostUSD, TokensIn: out.TokensIn, TokensOut: out.TokensOut,
		Substituted: in.Final, OutputRef: out.Transcript,
	}
	blame(&s, out.Fault)
	return s
}

// stepSoFar is the row of the agent step with everything its turns have cost.
func stepSoFar(in contract.GenerateIn, out contract.GenerateOut, status store.StepStatus) (store.Step, error) {
	cost, err := policy.AddCost(in.Spent.CostUSD, out.CostUSD)
	if err != nil {
		return store.Step{}, fmt.Errorf("cost of %s: %w", turnSite(in), err)
	}
	s := store.Step{
		RunID: in.Ref.RunID, CallSite: in.Site, Attempt: 1, Kind: "agent", Name: in.Agent, Status: status, StartedAt: in.Spent.Started,
		CostUSD: cost, TokensIn: in.Spent.TokensIn + out.TokensIn, TokensOut: in.Spent.TokensOut + out.TokensOut, Substituted: in.Final,
	}
	if status != store.StepRunning {
		s.FinishedAt = time.Now().UTC()
	}
	blame(&s, out.Fault)
	return s, nil
}

func blame(s *store.Step, fault *contract.Fault) {
	if fault != nil {
		s.Status, s.ErrorType, s.ErrorText = store.StepFailed, string(fault.Type), record.Text(fault.Message)
	}
}

func completion(in contract.GenerateIn, turn transcript.Turn, d canon.Digest, t store.Step, definition canon.Digest) contract.Event {
	warnings := make([]canon.Value, len(turn.Answer.Warnings))
	for i, w := range turn.Answer.Warnings {
		warnings[i] = canon.Object(canon.F("class", canon.String(w.Class)), canon.F("reason", canon.String(w.Reason)), canon.F("message", canon.String(w.Message)))
	}
	return contract.Event{
		CallSite: turnSite(in), Type: contract.LLMCompletion, ActorType: contract.ActorAgent, ActorID: in.Agent, At: time.Now().UTC(),
		Data: canon.Object(
			canon.F("turn", canon.Int(int64(in.Turn))), canon.F("stop", canon.String(string(turn.Answer.Stop))), canon.F("calls", canon.Int(int64(len(turn.Answer.Calls)))),
			canon.F("tokensIn", canon.Int(t.TokensIn)), canon.F("tokensOut", canon.Int(t.TokensOut)), canon.F("costUsd", canon.String(t.CostUSD)),
			canon.F("transcript", canon.String(string(d))), canon.F("definition", canon.String(string(definition))), canon.F("warnings", canon.List(warnings...)),
		),
	}
}
