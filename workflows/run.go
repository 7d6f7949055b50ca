package workflows

import (
	"errors"
	"fmt"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"terfyn/internal/canon"
	"terfyn/workflows/contract"
	"terfyn/workflows/decision"
	"terfyn/workflows/internal/call"
	"terfyn/workflows/internal/session"
	"terfyn/workflows/interp"
	"terfyn/workflows/toolcall"
)

// Run is the workflow TerfynRun. Its result is the output document of the named
// workflow; a run that ends badly fails with an ApplicationError whose type is
// the FaultType.
func Run(ctx workflow.Context, in contract.RunIn) (canon.Value, error) {
	if workflow.GetInfo(ctx).ContinuedExecutionRunID == "" {
		in.Carried = nil // not even looked at; a start that only seems continued is refused when it opens
	}
	in = contract.Normalize(in)
	ctx, busy := call.Track(ctx)
	desk, err := decision.Register(ctx, busy)
	if err != nil {
		return canon.Value{}, err
	}
	s, input, fault, err := open(ctx, in)
	if err != nil {
		return canon.Value{}, err
	}
	if err := workflow.SetQueryHandler(ctx, contract.QueryState, func() (contract.State, error) { return s.State(), nil }); err != nil {
		return canon.Value{}, err
	}
	desk.Attach(s)
	if fault == nil && in.Carried != nil && in.Carried.Format != contract.CarriedFormat {
		fault = &contract.Fault{Type: contract.FaultUnsupported, Message: fmt.Sprintf("the run carries state of format %d, this worker reads %d", in.Carried.Format, contract.CarriedFormat)}
	}
	if fault != nil {
		return canon.Value{}, finish(ctx, s, canon.Value{}, fault)
	}
	if err := ctx.Err(); err != nil {
		return canon.Value{}, finish(ctx, s, canon.Value{}, err)
	}
	output, err := interp.Run(ctx, toolcall.Caller{Session: s, Desk: desk}, s.Request.Workflow, input)
	if r, ok := err.(*interp.Rollover); ok {
		if err := s.Rollover(ctx, &r.Carried); err != nil {
			return canon.Value{}, err
		}
		in.Carried = &r.Carried
		return canon.Value{}, workflow.NewContinueAsNewError(ctx, contract.RunWorkflow, in)
	}
	if err := finish(ctx, s, output, err); err != nil {
		return canon.Value{}, err
	}
	return output, nil
}

// open pins the snapshot and loads what the interpreter runs. A refused start
// gives a fault beside the session, so that it is closed like any other run.
func open(ctx workflow.Context, in contract.RunIn) (*session.Session, canon.Value, error, error) {
	info := workflow.GetInfo(ctx)
	ref := contract.Ref{
		RunID: info.WorkflowExecution.ID, FirstExecID: info.FirstRunID, Workflow: in.Workflow, Environment: in.Environment,
	}
	if ref.Environment == "" {
		ref.Environment = contract.DefaultEnvironment
	}
	// A run that is cancelled before a worker takes it up still gets its row.
	opening, _ := workflow.NewDisconnectedContext(ctx)
	out, err := call.Local(opening, contract.OpenRun, contract.OpenRunIn{Ref: ref, ExecID: info.WorkflowExecution.RunID, Request: in, At: workflow.Now(ctx)})
	if err != nil {
		return nil, canon.Value{}, nil, err
	}
	if out.Fault != nil {
		return session.New(ctx, ref, in, out, &contract.Bundle{}), canon.Value{}, out.Fault, nil
	}
	bundle, err := call.Local(opening, contract.LoadBundle, contract.LoadBundleIn{Snapshot: out.Snapshot})
	if app := (*temporal.ApplicationError)(nil); errors.As(err, &app) && app.Type() == string(contract.FaultSnapshot) {
		return session.New(ctx, ref, in, out, &contract.Bundle{}), canon.Value{}, &contract.Fault{Type: contract.FaultSnapshot, Message: app.Message()}, nil
	}
	if err != nil {
		return nil, canon.Value{}, nil, err
	}
	return session.New(ctx, ref, in, out, bundle), out.Input, nil, nil
}

// finish closes the run and turns its fault into the workflow's failure. A
// cancelled run is closed in a context of its own, so that closing still works.
func finish(ctx workflow.Context, s *session.Session, output canon.Value, cause error) error {
	status, fault := "succeeded", (*contract.Fault)(nil)
	if f, ok := cause.(*contract.Fault); ok {
		status, fault = "failed", f
	} else if temporal.IsCanceledError(cause) {
		status, fault = "cancelled", &contract.Fault{Type: contract.FaultCancelled, Message: "the run was cancelled"}
		ctx, _ = workflow.NewDisconnectedContext(ctx)
	} else if cause != nil {
		status, fault = "failed", &contract.Fault{Type: contract.FaultInternal, Message: cause.Error()}
	}
	if fault != nil && fault.Type == contract.FaultRunID {
		return failure(fault, nil) // the row belongs to another run: leave it alone
	}
	if err := s.Finish(ctx, status, output, fault); err != nil {
		return err
	}
	if err := workflow.Await(ctx, func() bool { return workflow.AllHandlersFinished(ctx) }); err != nil {
		return err
	}
	if status == "cancelled" {
		return cause
	}
	return failure(fault, nil)
}

func failure(f *contract.Fault, cause error) error {
	if f == nil {
		return nil
	}
	return temporal.NewNonRetryableApplicationError(f.Message, string(f.Type), cause)
}
