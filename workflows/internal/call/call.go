// Package call owns how workflow code calls activities: typed by contract, with
// the timeouts and retry policies of each class of call in one place. It leaves
// out what the calls mean.
package call

import (
	"strings"
	"time"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"terfyn/internal/canon"
	"terfyn/workflows/contract"
)

// heartbeat is how long a silent worker keeps an activity; a killed worker's
// calls go on elsewhere after it.
const heartbeat = 10 * time.Second

// slack is what an activity may take beyond the call it makes: admission,
// recording, and the answer's way back.
const slack = 30 * time.Second

// localTimeout bounds one attempt of a local activity. They only touch the store.
const localTimeout = 10 * time.Second

// forever is longer than any run waits for its store.
const forever = 10 * 365 * 24 * time.Hour

// maxID bounds activity ids and summaries: Temporal refuses longer ones, and a
// refused command is tried again without end.
const maxID = 200

// bounded shortens an id; what is cut off stays distinct by its digest.
func bounded(id string) string {
	if len(id) <= maxID {
		return id
	}
	digest := canon.Sum([]byte(id)).Short()
	return strings.ToValidUTF8(id[:maxID-len(digest)-1], "") + "~" + digest
}

// storeRetry retries for ever: these activities are idempotent, and a store that
// is away for an hour must delay a run, never fail it. Faults that no retry
// cures are data in the results.
func storeRetry() *temporal.RetryPolicy {
	return &temporal.RetryPolicy{InitialInterval: 100 * time.Millisecond, BackoffCoefficient: 2, MaximumInterval: 5 * time.Second}
}

// Start schedules an ordinary activity whose call may take up to timeout. id is
// the call site; it names the activity in Temporal's own tools.
func Start[In, Out any](ctx workflow.Context, a contract.Activity[In, Out], id string, timeout time.Duration, in In) workflow.Future {
	id = bounded(id)
	ctx = workflow.WithActivityOptions(ctx, workflow.ActivityOptions{
		ActivityID:          id,
		Summary:             id,
		StartToCloseTimeout: timeout + slack,
		HeartbeatTimeout:    heartbeat,
		WaitForCancellation: true,
		RetryPolicy:         storeRetry(),
	})
	return workflow.ExecuteActivity(ctx, a.Name, in)
}

// Record runs a short idempotent activity as an ordinary one. It is for records of
// something that is only decided once history holds it, such as a person's
// decision: a local activity would write before the workflow task that accepted
// the decision is durable, and a task that is lost then leaves a record of a
// decision nobody took.
func Record[In, Out any](ctx workflow.Context, a contract.Activity[In, Out], id string, in In) (Out, error) {
	id = bounded(id)
	ctx = workflow.WithActivityOptions(ctx, workflow.ActivityOptions{
		ActivityID: id, Summary: id, StartToCloseTimeout: localTimeout, WaitForCancellation: true, RetryPolicy: storeRetry(),
	})
	return Result(ctx, a, workflow.ExecuteActivity(ctx, a.Name, in))
}

// Result waits for a started activity of type a.
func Result[In, Out any](ctx workflow.Context, a contract.Activity[In, Out], f workflow.Future) (Out, error) {
	var out Out
	err := f.Get(ctx, &out)
	return out, err
}

// Local runs a short idempotent activity inside of the workflow task.
func Local[In, Out any](ctx workflow.Context, a contract.Activity[In, Out], in In) (Out, error) {
	var out Out
	err := StartLocal(ctx, a, in).Get(ctx, &out)
	return out, err
}

// Busy counts the local activities a run has going. While there are any, the
// workflow task is not complete: what it did so far is in the store, but not yet
// in history.
type Busy struct{ n int }

// Working reports whether local activities are going.
func (b *Busy) Working() bool { return b.n > 0 }

type busyKey struct{}

// Track counts the local activities started under the returned context.
func Track(ctx workflow.Context) (workflow.Context, *Busy) {
	b := &Busy{}
	return workflow.WithValue(ctx, busyKey{}, b), b
}

// tracked takes its activity off the count when its result is first read.
type tracked struct {
	workflow.Future
	busy *Busy
	read bool
}

// Get waits for the result.
func (t *tracked) Get(ctx workflow.Context, out any) error {
	err := t.Future.Get(ctx, out)
	if !t.read {
		t.read = true
		t.busy.n--
	}
	return err
}

// StartLocal starts such an activity. Its result must be read.
func StartLocal[In, Out any](ctx workflow.Context, a contract.Activity[In, Out], in In) workflow.Future {
	ctx = workflow.WithLocalActivityOptions(ctx, workflow.LocalActivityOptions{
		ScheduleToCloseTimeout: forever, // without it the timeout of one attempt bounds all of them
		StartToCloseTimeout:    localTimeout,
		RetryPolicy:            storeRetry(),
	})
	f := workflow.ExecuteLocalActivity(ctx, a.Name, in)
	busy, ok := ctx.Value(busyKey{}).(*Busy)
	if !ok {
		return f
	}
	busy.n++
	return &tracked{Future: f, busy: busy}
}
