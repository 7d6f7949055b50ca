package follow

import (
	"context"
	"errors"
	"fmt"
	"time"

	"go.temporal.io/sdk/temporal"

	"terfyn/internal/canon"
	"terfyn/store"
	"terfyn/workflows/contract"
)

// Store is what following reads.
type Store interface {
	Run(ctx context.Context, runID string) (store.Run, error)
	Events(ctx context.Context, f store.EventFilter) ([]store.Event, error)
	Steps(ctx context.Context, runID string, limit int) ([]store.Step, error)
	ListApprovals(ctx context.Context, f store.ApprovalFilter) ([]store.Approval, error)
}

// Watch is one run being followed.
type Watch struct {
	Store Store
	RunID string
	// FirstExecID is the chain of executions that is meant; "" = whatever the
	// store has under the id.
	FirstExecID string
	// Await returns the workflow's result once it closed; a failure of the run is
	// a *temporal.WorkflowExecutionError.
	Await func(ctx context.Context) (canon.Value, error)
	// Event hears of every recorded event in order; nil = events are not read.
	Event func(store.Event)
	// AfterSeq leaves out the events up to this one.
	AfterSeq int64
	// Progress hears of the steps now and then; nil = steps are not read.
	Progress func([]store.Step)
}

// Outcome is where following ended.
type Outcome struct {
	// Run is the row as last read; zero when the run was never recorded.
	Run store.Run
	// Output is the result of a run that succeeded.
	Output canon.Value
	Fault  *contract.Fault
	// Waiting lists the open requests, oldest first, when the run waits for a person.
	Waiting []store.Approval
	// Detached: the watcher left, the run goes on.
	Detached bool
	// LastSeq is the last event that Event heard of.
	LastSeq int64
}

// closing is what Await returned.
type closing struct {
	output canon.Value
	err    error
}

// The rhythm of looking: quick at first, since most steps are short.
const (
	firstLook = 30 * time.Millisecond
	lastLook  = 400 * time.Millisecond
	// rowPatience is how long after the workflow closed its row may take to show.
	rowPatience = 3 * time.Second
	// resultPatience is how long after the row closed the result may take to come.
	resultPatience = 5 * time.Second
	progressEvery  = 500 * time.Millisecond
)

// follower is the state of one Follow.
type follower struct {
	Watch
	seq        int64
	progressed time.Time
	closed     *closing
	closedAt   time.Time
}

// Follow watches until the run closed or waits for a person, or ctx ends.
func (w Watch) Follow(ctx context.Context) (Outcome, error) {
	f := &follower{Watch: w, seq: w.AfterSeq}
	await, stop := context.WithCancel(ctx)
	defer stop()
	closings := make(chan closing, 1)
	go func() { closings <- w.await(await) }()
	for look := firstLook; ; look = min(look+look/8, lastLook) {
		out, done, err := f.look(ctx)
		if ctx.Err() != nil {
			return Outcome{Run: out.Run, Detached: true}, nil
		}
		if err != nil {
			return out, err
		}
		if done {
			return f.result(ctx, out, closings), nil
		}
		timer := time.NewTimer(look)
		select {
		case <-ctx.Done():
		case c := <-closings:
			f.closed, f.closedAt, closings = &c, time.Now(), nil
		case <-timer.C:
		}
		timer.Stop()
	}
}

// await asks again as long as the answer is about the connection, not the run.
func (w Watch) await(ctx context.Context) closing {
	for {
		v, err := w.Await(ctx)
		var failed *temporal.WorkflowExecutionError
		if err == nil || errors.As(err, &failed) || ctx.Err() != nil {
			return closing{v, err}
		}
		timer := time.NewTimer(time.Second)
		select {
		case <-ctx.Done():
			timer.Stop()
			return closing{v, err}
		case <-timer.C:
		}
	}
}

// look reads the store once; done says that there is an outcome.
func (f *follower) look(ctx context.Context) (out Outcome, done bool, err error) {
	out.Run, err = f.Store.Run(ctx, f.RunID)
	known := err == nil && (f.FirstExecID == "" || out.Run.FirstExecID == f.FirstExecID)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return out, false, fmt.Errorf("follow run %s: %w", f.RunID, err)
	}
	if !known {
		out.Run = store.Run{}
		return out, f.closed != nil, nil
	}
	if err := f.tell(ctx); err != nil {
		return out, false, err
	}
	switch {
	case out.Run.Status.Closed():
		return out, true, nil
	case f.closed != nil:
		return out, time.Since(f.closedAt) > rowPatience, nil
	case out.Run.Status == store.RunInterrupted:
		out.Waiting, err = f.waiting(ctx)
		return out, len(out.Waiting) > 0, err
	}
	return out, false, nil
}

func (f *follower) tell(ctx context.Context) error {
	if f.Event != nil {
		events, err := f.Store.Events(ctx, store.EventFilter{RunID: f.RunID, AfterSeq: f.seq})
		if err != nil {
			return fmt.Errorf("read the events of run %s: %w", f.RunID, err)
		}
		for _, e := range events {
			f.Event(e)
			f.seq = e.Seq
		}
	}
	if f.Progress == nil || time.Since(f.progressed) < progressEvery {
		return nil
	}
	f.progressed = time.Now()
	steps, err := f.Store.Steps(ctx, f.RunID, 0)
	if err != nil {
		return fmt.Errorf("read the steps of run %s: %w", f.RunID, err)
	}
	f.Progress(steps)
	return nil
}

func (f *follower) waiting(ctx context.Context) ([]store.Approval, error) {
	return Waiting(ctx, f.Store, f.RunID)
}

// Waiting lists the open requests of a run, oldest first.
func Waiting(ctx context.Context, s Store, runID string) ([]store.Approval, error) {
	open, err := s.ListApprovals(ctx, store.ApprovalFilter{RunID: runID, Status: store.ApprovalOpen, Limit: 500})
	if err != nil {
		return nil, fmt.Errorf("read the approvals of run %s: %w", runID, err)
	}
	for i, j := 0, len(open)-1; i < j; i, j = i+1, j-1 {
		open[i], open[j] = open[j], open[i]
	}
	return open, nil
}

// result completes the outcome with what the workflow itself returned.
func (f *follower) result(ctx context.Context, out Outcome, closings chan closing) Outcome {
	out.LastSeq = f.seq
	if len(out.Waiting) > 0 {
		return out
	}
	if f.closed == nil && out.Run.Status == store.RunSucceeded {
		timer := time.NewTimer(resultPatience)
		defer timer.Stop()
		select {
		case c := <-closings:
			f.closed = &c
		case <-timer.C:
		case <-ctx.Done():
		}
	}
	out.Fault = FaultOf(out.Run)
	switch {
	case f.closed != nil && f.closed.err == nil:
		out.Output = f.closed.output
	case out.Run.Status == store.RunSucceeded:
		out.Output, _ = canon.Parse(out.Run.Output) // the recorded view; empty when it cannot be read
	case out.Fault == nil && f.closed != nil:
		out.Fault = faultOfError(f.closed.err)
	}
	return out
}
