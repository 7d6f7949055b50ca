package wire

import (
	"context"
	"errors"
	"fmt"
	"time"

	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"

	"terfyn/activities"
	"terfyn/deploy/snapshot"
	"terfyn/internal/canon"
	"terfyn/policy"
	"terfyn/workflows/contract"
)

// ErrRunTaken: a run with this id exists or existed.
var ErrRunTaken = errors.New("the run id is already used")

// ErrRunGone: Temporal has no such run, or not any more.
var ErrRunGone = errors.New("the run is closed or unknown to Temporal")

// ErrUndecided: nobody answered; the decision may still be taken.
var ErrUndecided = errors.New("nobody answered in time")

// startTimeout bounds one request to Temporal.
const startTimeout = 10 * time.Second

// Start starts a run under id. The id is the idempotency key of the run: a second
// start with it gives ErrRunTaken.
func (c *Connection) Start(ctx context.Context, id string, in contract.RunIn) (client.WorkflowRun, error) {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	opts := client.StartWorkflowOptions{
		ID: id, TaskQueue: c.TaskQueue,
		WorkflowIDReusePolicy:                    enums.WORKFLOW_ID_REUSE_POLICY_REJECT_DUPLICATE,
		WorkflowIDConflictPolicy:                 enums.WORKFLOW_ID_CONFLICT_POLICY_FAIL,
		WorkflowExecutionErrorWhenAlreadyStarted: true,
		StaticSummary:                            "terfyn workflow " + in.Workflow,
	}
	if registered, err := c.Registered(ctx); err == nil && registered {
		opts.TypedSearchAttributes = temporal.NewSearchAttributes(
			temporal.NewSearchAttributeKeyKeyword(contract.AttrWorkflow).ValueSet(in.Workflow),
			temporal.NewSearchAttributeKeyKeyword(contract.AttrEnvironment).ValueSet(in.Environment),
		)
	}
	run, err := c.ExecuteWorkflow(ctx, opts, contract.RunWorkflow, in)
	var taken *serviceerror.WorkflowExecutionAlreadyStarted
	var namespace *serviceerror.NamespaceNotFound
	switch {
	case errors.As(err, &taken):
		return nil, fmt.Errorf("start run %s: %w", id, ErrRunTaken)
	case errors.As(err, &namespace):
		return nil, fmt.Errorf("start run %s: namespace %s does not exist at %s; create it with `terfyn setup`", id, c.Namespace, c.Address)
	case err != nil:
		return nil, fmt.Errorf("start run %s at %s: %w", id, c.Address, err)
	}
	return run, nil
}

// Result waits until the run closed; its own failure is a
// *temporal.WorkflowExecutionError.
func (c *Connection) Result(ctx context.Context, id string) (canon.Value, error) {
	var v canon.Value
	err := c.GetWorkflow(ctx, id, "").Get(ctx, &v)
	return v, err
}

// Known reports whether Temporal has a run of this id.
func (c *Connection) Known(ctx context.Context, id string) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	_, err := c.DescribeWorkflow(ctx, id, "")
	var gone *serviceerror.NotFound
	if errors.As(err, &gone) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("look for run %s at %s: %w", id, c.Address, err)
	}
	return true, nil
}

// Cancel asks for the cancellation of a run. ErrRunGone when there is none.
func (c *Connection) Cancel(ctx context.Context, id string) error {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	err := c.CancelWorkflow(ctx, id, "")
	var gone *serviceerror.NotFound
	if errors.As(err, &gone) {
		return fmt.Errorf("cancel run %s: %w", id, ErrRunGone)
	}
	if err != nil {
		return fmt.Errorf("cancel run %s at %s: %w", id, c.Address, err)
	}
	return nil
}

// Decide hands a decision to its run and waits for the verdict. Asking again with
// the same decision gives the first answer. Errors: *policy.Refusal, ErrRunGone,
// ErrUndecided.
func (c *Connection) Decide(ctx context.Context, runID string, d contract.Decision, timeout time.Duration) (contract.Verdict, error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	handle, err := c.UpdateWorkflow(ctx, client.UpdateWorkflowOptions{
		WorkflowID: runID, UpdateName: contract.UpdateDecide, UpdateID: updateID(d), Args: []any{d},
		WaitForStage: client.WorkflowUpdateStageCompleted,
	})
	var v contract.Verdict
	if err == nil {
		err = handle.Get(ctx, &v)
	}
	if err == nil {
		return v, nil
	}
	return v, decideError(ctx, runID, d, err)
}

func decideError(ctx context.Context, runID string, d contract.Decision, err error) error {
	var app *temporal.ApplicationError
	var gone *serviceerror.NotFound
	var late *client.WorkflowUpdateServiceTimeoutOrCanceledError
	switch {
	case errors.As(err, &app):
		return &policy.Refusal{Code: policy.RefusalCode(app.Type()), Message: app.Message()}
	case errors.As(err, &gone):
		return fmt.Errorf("decide on %s in run %s: %w", d.ApprovalID, runID, ErrRunGone)
	case errors.As(err, &late), ctx.Err() != nil:
		return fmt.Errorf("decide on %s in run %s: %w", d.ApprovalID, runID, ErrUndecided)
	}
	return fmt.Errorf("decide on %s in run %s: %w", d.ApprovalID, runID, err)
}

// updateID is the same for the same decision by the same actor, so that asking
// again never decides twice. The reason is no part of it.
func updateID(d contract.Decision) string {
	what := canon.List(
		canon.String(d.Actor), canon.String(string(d.Revision)), canon.String(d.ProviderID), d.Edit, d.Answer,
	).Digest().Short()
	return d.ApprovalID + "-" + d.Decision + "-" + what
}

// RefuseStart asks what a worker asks first of a run: why it could not start under
// the snapshot, nil when it could.
func RefuseStart(l *snapshot.Loaded, in contract.RunIn, environment string) *contract.Fault {
	return activities.RefuseStart(l, contract.Normalize(in), environment)
}
