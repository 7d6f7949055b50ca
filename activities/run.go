package activities

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.temporal.io/sdk/temporal"

	"terfyn/activities/record"
	"terfyn/compiler/resource"
	"terfyn/compiler/runnable"
	"terfyn/deploy/snapshot"
	"terfyn/internal/canon"
	"terfyn/policy"
	"terfyn/store"
	"terfyn/workflows/contract"
)

// openRun pins the current snapshot of the environment and inserts the run row.
// A start that is refused gets its row too, so that an operator can read why.
func (a *Activities) openRun(ctx context.Context, in contract.OpenRunIn) (contract.OpenRunOut, error) {
	if store.IsApplyChain(in.Ref.RunID) {
		return contract.OpenRunOut{Environment: in.Ref.Environment, Fault: &contract.Fault{Type: contract.FaultRunID,
			Message: fmt.Sprintf("run id %s is kept for the record of applies; start with another id", in.Ref.RunID)}}, nil
	}
	known, err := a.repeated(ctx, in.Ref)
	if err != nil {
		return contract.OpenRunOut{}, err
	}
	if fault, err := a.refuseCarried(ctx, in, known); fault != nil || err != nil {
		return contract.OpenRunOut{Environment: in.Ref.Environment, Fault: fault}, err
	}
	if known {
		return a.reopen(ctx, in)
	}
	out := contract.OpenRunOut{Environment: in.Ref.Environment, Input: inputDocument(in.Request.Input), SearchAttributes: a.config.SearchAttributes, RolloverEvents: a.config.RolloverEvents}
	fault, err := a.pin(ctx, in, &out)
	if err != nil {
		return out, err
	}
	out.Fault = fault
	in.Ref.Snapshot = out.Snapshot
	err = a.inTx(ctx, func(tx store.Tx) error { return startRun(ctx, tx, in, out) })
	if errors.Is(err, store.ErrConflict) {
		out.Fault = &contract.Fault{Type: contract.FaultRunID, Message: fmt.Sprintf("run id %s belongs to another run; start with a new id", in.Ref.RunID)}
		return out, nil
	}
	return out, err
}

// repeated reports whether this start is already recorded: the worker stopped
// before its answer was.
func (a *Activities) repeated(ctx context.Context, ref contract.Ref) (bool, error) {
	r, err := a.store.Run(ctx, ref.RunID)
	if errors.Is(err, store.ErrNotFound) {
		return false, nil
	}
	return err == nil && r.FirstExecID == ref.FirstExecID && r.Snapshot != "", err
}

// reopen answers from the recorded row, so that an apply in between changes nothing.
func (a *Activities) reopen(ctx context.Context, in contract.OpenRunIn) (contract.OpenRunOut, error) {
	out := contract.OpenRunOut{Environment: in.Ref.Environment, Input: inputDocument(in.Request.Input), SearchAttributes: a.config.SearchAttributes, RolloverEvents: a.config.RolloverEvents}
	r, err := a.store.Run(ctx, in.Ref.RunID)
	if err != nil {
		return out, err
	}
	if r.Status.Closed() && in.ExecID != in.Ref.FirstExecID && in.Request.Carried == nil {
		out.Fault = &contract.Fault{Type: contract.FaultRunID, Message: fmt.Sprintf("run %s has ended as %s; start with a new id, without a cron schedule or a retry policy", r.RunID, r.Status)}
		return out, nil
	}
	out.Snapshot, out.Environment = r.Snapshot, r.Environment
	loaded, err := a.snapshots.Load(ctx, r.Snapshot)
	if snapshot.Unusable(err) {
		out.Fault = &contract.Fault{Type: contract.FaultSnapshot, Message: err.Error()}
		return out, nil
	}
	if err != nil {
		return out, err
	}
	out.Fault = RefuseStart(loaded, in.Request, out.Environment)
	return out, nil
}

// pin resolves the environment's pointer once.
func (a *Activities) pin(ctx context.Context, in contract.OpenRunIn, out *contract.OpenRunOut) (*contract.Fault, error) {
	current, err := a.store.Current(ctx, in.Ref.Environment)
	if errors.Is(err, store.ErrNotFound) {
		return &contract.Fault{Type: contract.FaultNotDeployed, Message: fmt.Sprintf("nothing is applied to environment %q; run terfyn apply first", in.Ref.Environment)}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("resolve the current snapshot of %s: %w", in.Ref.Environment, err)
	}
	loaded, err := a.snapshots.Load(ctx, current.Snapshot)
	if snapshot.Unusable(err) {
		return &contract.Fault{Type: contract.FaultSnapshot, Message: err.Error()}, nil
	}
	if err != nil {
		return nil, err
	}
	out.Snapshot = current.Snapshot
	return RefuseStart(loaded, in.Request, out.Environment), nil
}

// RefuseStart checks what can be known of a run before its first step: the
// workflow, its input, and approvals in advance. A nil result accepts. The worker
// asks it when a run opens; a command may ask before it starts one.
func RefuseStart(l *snapshot.Loaded, r contract.RunIn, environment string) *contract.Fault {
	program, ok := l.Program(r.Workflow)
	if !ok {
		return &contract.Fault{Type: contract.FaultNoWorkflow, Message: fmt.Sprintf("workflow %q is not deployed in %s; deployed: %s", r.Workflow, environment, deployed(l))}
	}
	input := inputDocument(r.Input)
	if len(program.Params) == 1 && input.Kind() != canon.KindObject {
		return &contract.Fault{Type: contract.FaultInput, Message: fmt.Sprintf("the input of a run is a JSON object, got %s", input.Kind())}
	}
	for _, p := range program.Params {
		v, whole := input, "; its only parameter is the input document itself"
		if len(program.Params) > 1 {
			v, whole = input.At(p.Name), ""
			if v.IsNull() {
				continue
			}
		}
		schema, err := l.Schema(p.Schema)
		if p.Schema == "" || (schema == nil && err == nil) {
			continue
		}
		if err == nil {
			err = schema.Validate(v)
		}
		if err != nil {
			return &contract.Fault{Type: contract.FaultInput, Message: fmt.Sprintf("input of workflow %s, parameter %s: %v%s", r.Workflow, p.Name, err, whole)}
		}
	}
	if gaps := runnable.Run(l.Graph, l.Programs, r.Workflow); len(gaps) > 0 {
		return &contract.Fault{Type: contract.FaultUnsupported, Message: notRunnable(r.Workflow, gaps)}
	}
	return refusePreApproval(&l.Graph, r, environment)
}

// notRunnable names the constructs in the way, each once and not endlessly.
func notRunnable(workflow string, gaps []runnable.Gap) string {
	const most = 5
	var names []string
	for _, g := range gaps {
		if name := g.String(); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	more := ""
	if len(names) > most {
		more = fmt.Sprintf(" and %d more", len(names)-most)
		names = names[:most]
	}
	return fmt.Sprintf("workflow %s is deployed, but this version of terfyn does not run %s%s; run it with a version that does, or leave these out", workflow, strings.Join(names, ", "), more)
}

// deployed lists the workflows of a snapshot for messages.
func deployed(l *snapshot.Loaded) string {
	names := make([]string, 0, len(l.Programs))
	for _, p := range l.Programs {
		names = append(names, p.Workflow)
	}
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

// refusePreApproval: an environment with approvers takes no approval in advance
// from the submitter.
func refusePreApproval(g *resource.Graph, r contract.RunIn, environment string) *contract.Fault {
	if !r.AutoApprove && len(r.Approve) == 0 {
		return nil
	}
	d := policy.DecidersFor(g, environment, policy.Call{Workflow: r.Workflow})
	if d.Anybody() {
		return nil
	}
	return &contract.Fault{Type: contract.FaultPolicy, Message: fmt.Sprintf("environment %s names approvers for workflow %s; approvals in advance are refused there", environment, r.Workflow)}
}

// inputDocument is the input of a run; none at all is an empty object.
func inputDocument(v canon.Value) canon.Value {
	if v.IsNull() {
		return canon.Object()
	}
	return v
}

func startRun(ctx context.Context, tx store.Tx, in contract.OpenRunIn, out contract.OpenRunOut) error {
	r := in.Request
	row := store.Run{
		RunID: in.Ref.RunID, FirstExecID: in.Ref.FirstExecID, Workflow: r.Workflow, Environment: out.Environment, Snapshot: out.Snapshot,
		Status: store.RunRunning, Actor: r.Actor, Tenant: r.Tenant, Thread: r.Thread,
		Input: record.View(out.Input).Encode(), CostUSD: "0", StartedAt: in.At,
	}
	if _, err := tx.StartRun(ctx, row); err != nil {
		return fmt.Errorf("record the start of run %s: %w", row.RunID, err)
	}
	return record.Append(ctx, tx, in.Ref, contract.Event{
		Type: contract.RunStarted, ActorType: contract.ActorUser, ActorID: r.Actor, At: in.At,
		Data: canon.Object(
			canon.F("workflow", canon.String(r.Workflow)), canon.F("environment", canon.String(out.Environment)),
			canon.F("snapshot", canon.String(string(out.Snapshot))), canon.F("inputDigest", canon.String(string(out.Input.Digest()))),
			canon.F("preApproved", canon.Strings(r.Approve)), canon.F("autoApprove", canon.Bool(r.AutoApprove)),
		),
	})
}

// loadBundle returns what the interpreter runs: programs, and the graph without
// what only activities read.
func (a *Activities) loadBundle(ctx context.Context, in contract.LoadBundleIn) (*contract.Bundle, error) {
	l, err := a.snapshots.Load(ctx, in.Snapshot)
	if snapshot.Unusable(err) {
		return nil, temporal.NewNonRetryableApplicationError(err.Error(), string(contract.FaultSnapshot), nil)
	}
	if err != nil {
		return nil, err
	}
	g := l.Graph
	g.Agents = slices.Clone(g.Agents)
	for i := range g.Agents {
		g.Agents[i].Instructions, g.Agents[i].MockScript, g.Agents[i].Description = "", "", ""
	}
	g.Tools = slices.Clone(g.Tools)
	for i := range g.Tools {
		g.Tools[i].MockScript, g.Tools[i].HTTP, g.Tools[i].MCP, g.Tools[i].Description = "", nil, nil, ""
	}
	return &contract.Bundle{Snapshot: in.Snapshot, Programs: l.Programs, Graph: g}, nil
}

// recordEvents flushes events that rode along, and the digest of what is carried
// over to the next execution.
func (a *Activities) recordEvents(ctx context.Context, in contract.RecordEventsIn) (contract.RecordEventsOut, error) {
	var events []contract.Event
	if in.Carried != nil {
		d, err := carriedDigest(in.Carried)
		if err != nil {
			return contract.RecordEventsOut{}, err
		}
		events = append(events, contract.Event{
			CallSite: string(d), Type: contract.ContinuedAsNew, ActorType: contract.ActorSystem, At: in.At,
			Data: canon.Object(canon.F("carried", canon.String(string(d)))),
		})
	}
	return contract.RecordEventsOut{}, record.Append(ctx, a.store, in.Ref, events...)
}

// carriedDigest identifies carried state, as it was handed over and as it arrives.
func carriedDigest(c *contract.Carried) (canon.Digest, error) {
	b, err := json.Marshal(c)
	if err != nil {
		return "", fmt.Errorf("encode carried state: %w", err)
	}
	v, err := canon.Parse(b)
	if err != nil {
		return "", fmt.Errorf("encode carried state: %w", err)
	}
	return v.Digest(), nil
}

// refuseCarried believes only the state that an execution of this very run handed
// over last: a caller can make its start look like a continued one, for example by
// a cron schedule or by continuing a workflow of its own as this type.
func (a *Activities) refuseCarried(ctx context.Context, in contract.OpenRunIn, known bool) (*contract.Fault, error) {
	c := in.Request.Carried
	if c == nil {
		return nil, nil
	}
	refused := &contract.Fault{Type: contract.FaultInput, Message: "the start carries state that no execution of this run handed over"}
	d, err := carriedDigest(c)
	if err != nil || !known {
		return refused, err
	}
	events, err := a.store.Events(ctx, store.EventFilter{RunID: in.Ref.RunID, Type: string(contract.ContinuedAsNew), Limit: 10000})
	if err != nil || len(events) == 0 || events[len(events)-1].CallSite != string(d) {
		return refused, err
	}
	return nil, nil
}

// finishRun closes the run, and the requests nobody will decide any more.
func (a *Activities) finishRun(ctx context.Context, in contract.FinishRunIn) (contract.FinishRunOut, error) {
	err := a.inTx(ctx, func(tx store.Tx) error {
		if err := errors.Join(supersedeOpen(ctx, tx, in), endSteps(ctx, tx, in)); err != nil {
			return err
		}
		if err := record.Append(ctx, tx, in.Ref, finalEvent(in)); err != nil {
			return err
		}
		row := store.Run{
			RunID: in.Ref.RunID, Status: store.RunStatus(in.Status), CostUSD: in.CostUSD,
			TokensIn: in.TokensIn, TokensOut: in.TokensOut, FinishedAt: in.At,
		}
		if in.Fault != nil {
			row.ErrorType, row.ErrorText = string(in.Fault.Type), record.Text(in.Fault.Message)
		} else {
			row.Output = record.View(in.Output).Encode()
		}
		return tx.FinishRun(ctx, row)
	})
	// A conflict is the end of an attempt whose workflow task was lost and that a
	// cancellation overtook: the first end stands.
	if err != nil && !errors.Is(err, store.ErrConflict) {
		return contract.FinishRunOut{}, fmt.Errorf("close run %s: %w", in.Ref.RunID, err)
	}
	return contract.FinishRunOut{}, nil
}

func supersedeOpen(ctx context.Context, tx store.Tx, in contract.FinishRunIn) error {
	open, err := tx.ListApprovals(ctx, store.ApprovalFilter{RunID: in.Ref.RunID, Status: store.ApprovalOpen, Limit: 500})
	if err != nil {
		return err
	}
	for _, ap := range open {
		if err := tx.CloseApproval(ctx, ap.ID, store.ApprovalSuperseded, in.At); err != nil {
			return err
		}
	}
	return nil
}

// endSteps leaves no step of a closed run running or waiting: the one that the run
// ended in failed with it.
func endSteps(ctx context.Context, tx store.Tx, in contract.FinishRunIn) error {
	end := store.Step{Status: store.StepSucceeded, FinishedAt: in.At}
	blame(&end, in.Fault)
	return tx.CloseSteps(ctx, in.Ref.RunID, end)
}

func finalEvent(in contract.FinishRunIn) contract.Event {
	e := contract.Event{Type: contract.RunFinished, ActorType: contract.ActorSystem, At: in.At}
	data := []canon.Field{canon.F("status", canon.String(in.Status)), canon.F("costUsd", canon.String(in.CostUSD))}
	if in.Fault != nil {
		e.Type = contract.RunError
		data = append(data, canon.F("reason", canon.String(string(in.Fault.Type))), canon.F("message", canon.String(in.Fault.Message)))
	} else {
		data = append(data, canon.F("outputDigest", canon.String(string(in.Output.Digest()))))
	}
	e.Data = canon.Object(data...)
	return e
}
