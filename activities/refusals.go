package activities

import (
	"context"
	"errors"
	"log/slog"
	"strconv"
	"time"

	"go.temporal.io/sdk/interceptor"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"terfyn/internal/canon"
	"terfyn/policy"
	"terfyn/workflows/contract"
)

// Refusals traces decisions that the update validator refused. A refused update
// leaves nothing in Temporal's history, and a validator must not act, so the
// worker that ran it notes the attempt here and writes it from a goroutine of its
// own. The trace is best effort in this one case: a worker killed in that instant
// loses the note, never a decision.
type Refusals struct {
	interceptor.WorkerInterceptorBase
	activities *Activities
	queue      chan refused
	logger     *slog.Logger
}

type refused struct {
	runID, why string
	decision   policy.Decision
	ordinal    int
	at         time.Time
}

// queuedRefusals bounds the notes that wait for the store; more are dropped and
// logged, so that a flood of bad decisions cannot hold workflow code up.
const queuedRefusals = 4096

// NewRefusals returns the interceptor for the workers of a.
func NewRefusals(a *Activities, logger *slog.Logger) *Refusals {
	return &Refusals{activities: a, queue: make(chan refused, queuedRefusals), logger: logger}
}

// Run writes noted refusals until ctx ends, then those already noted.
func (r *Refusals) Run(ctx context.Context) {
	for {
		select {
		case n := <-r.queue:
			r.write(context.WithoutCancel(ctx), n)
		case <-ctx.Done():
			for len(r.queue) > 0 {
				r.write(context.WithoutCancel(ctx), <-r.queue)
			}
			return
		}
	}
}

// writeTimeout bounds one note.
const writeTimeout = 10 * time.Second

func (r *Refusals) write(ctx context.Context, n refused) {
	ctx, cancel := context.WithTimeout(ctx, writeTimeout)
	defer cancel()
	site := ""
	if a, err := r.activities.store.Approval(ctx, n.decision.ApprovalID); err == nil {
		site = a.CallSite
	}
	err := r.activities.traceRefused(ctx, contract.Ref{RunID: n.runID}, site, n.decision, n.why, n.ordinal, n.at)
	if err != nil {
		r.logger.Warn("a refused decision was not traced", "run", n.runID, "approval", n.decision.ApprovalID, "error", err)
	}
}

// InterceptWorkflow watches the validator of each run.
func (r *Refusals) InterceptWorkflow(ctx workflow.Context, next interceptor.WorkflowInboundInterceptor) interceptor.WorkflowInboundInterceptor {
	w := &watched{refusals: r}
	w.Next = next
	return w
}

type watched struct {
	interceptor.WorkflowInboundInterceptorBase
	refusals *Refusals
}

// ValidateUpdate passes the validator's answer on unchanged.
func (w *watched) ValidateUpdate(ctx workflow.Context, in *interceptor.UpdateInput) error {
	err := w.Next.ValidateUpdate(ctx, in)
	if err == nil || in.Name != contract.UpdateDecide {
		return err
	}
	w.refusals.note(workflow.GetInfo(ctx).WorkflowExecution.ID, workflow.GetCurrentUpdateInfo(ctx).ID, in, err)
	return err
}

func (r *Refusals) note(runID, updateID string, in *interceptor.UpdateInput, err error) {
	n := refused{runID: runID, why: err.Error(), at: time.Now().UTC(), ordinal: updateOrdinal(updateID)}
	var app *temporal.ApplicationError
	if errors.As(err, &app) {
		n.why = app.Type() + ": " + app.Message()
	}
	if len(in.Args) == 1 {
		n.decision, _ = in.Args[0].(policy.Decision)
	}
	select {
	case r.queue <- n:
	default:
		r.logger.Warn("too many refused decisions at once; one was not traced", "run", runID)
	}
}

// updateOrdinal keeps refused updates apart in event keys; the same update asked
// again is the same attempt.
func updateOrdinal(updateID string) int {
	n, err := strconv.ParseInt(canon.Sum([]byte(updateID)).Short()[:7], 16, 32)
	if err != nil {
		panic("activities: a digest that is not hexadecimal: " + err.Error())
	}
	return int(n) + firstUpdateOrdinal
}

// firstUpdateOrdinal leaves room for refused signals, which count from zero.
const firstUpdateOrdinal = 1 << 20
