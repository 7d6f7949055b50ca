package follow_test

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"go.temporal.io/sdk/temporal"

	"terfyn/cmd/internal/follow"
	"terfyn/internal/canon"
	"terfyn/store"
	"terfyn/store/sqlite"
	"terfyn/workflows/contract"
)

func openStore(t *testing.T) store.Store {
	t.Helper()
	s, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "state.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func start(t *testing.T, s store.Store, exec string) {
	t.Helper()
	if _, err := s.StartRun(t.Context(), store.Run{RunID: "r", FirstExecID: exec, Workflow: "w", Environment: "local", Status: store.RunRunning, Input: []byte("{}"), CostUSD: "0", StartedAt: time.Now()}); err != nil {
		t.Fatal(err)
	}
	for i, kind := range []contract.EventType{contract.RunStarted, contract.ToolExecution} {
		if _, err := s.Append(t.Context(), store.Event{RunID: "r", Type: string(kind), Ordinal: i, ActorType: "system", At: time.Now(), Data: []byte("{}")}); err != nil {
			t.Fatal(err)
		}
	}
}

func finish(t *testing.T, s store.Store, r store.Run) {
	t.Helper()
	r.RunID, r.CostUSD, r.FinishedAt = "r", "0", time.Now()
	if err := s.FinishRun(t.Context(), r); err != nil {
		t.Fatal(err)
	}
}

// waits never returns a result by itself.
func waits(ctx context.Context) (canon.Value, error) {
	<-ctx.Done()
	return canon.Value{}, ctx.Err()
}

func returns(v canon.Value, err error) func(context.Context) (canon.Value, error) {
	return func(context.Context) (canon.Value, error) { return v, err }
}

func must(t *testing.T, w follow.Watch) follow.Outcome {
	t.Helper()
	o, err := w.Follow(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func TestASucceededRunGivesItsExactResult(t *testing.T) {
	t.Parallel()
	s := openStore(t)
	start(t, s, "e")
	finish(t, s, store.Run{Status: store.RunSucceeded, Output: []byte(`{"cut":true}`)})
	var seen []string
	o := must(t, follow.Watch{Store: s, RunID: "r", FirstExecID: "e", Await: returns(canon.Int(7), nil), Event: func(e store.Event) { seen = append(seen, e.Type) }})
	if o.Fault != nil || o.Output.JSON() != "7" || o.Run.Status != store.RunSucceeded {
		t.Errorf("%+v", o)
	}
	if !slices.Equal(seen, []string{"run_started", "tool_execution"}) {
		t.Errorf("%v", seen)
	}
}

func TestAFailedRunGivesItsFault(t *testing.T) {
	t.Parallel()
	s := openStore(t)
	start(t, s, "e")
	finish(t, s, store.Run{Status: store.RunFailed, ErrorType: "policy_denied", ErrorText: "no"})
	o := must(t, follow.Watch{Store: s, RunID: "r", Await: waits})
	if o.Fault == nil || o.Fault.Type != contract.FaultPolicy || o.Fault.Message != "no" {
		t.Errorf("%+v", o.Fault)
	}
}

func TestAWaitingRunNamesItsRequests(t *testing.T) {
	t.Parallel()
	s := openStore(t)
	start(t, s, "e")
	for i, id := range []string{"first", "second"} {
		if _, err := s.OpenApproval(t.Context(), store.Approval{ID: id, RunID: "r", Kind: "gate", Revision: canon.Sum(nil), Payload: []byte("{}"), Status: store.ApprovalOpen, OpenedAt: time.Unix(int64(i), 0)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.SetRunStatus(t.Context(), "r", store.RunInterrupted); err != nil {
		t.Fatal(err)
	}
	o := must(t, follow.Watch{Store: s, RunID: "r", Await: waits})
	if len(o.Waiting) != 2 || o.Waiting[0].ID != "first" || o.Fault != nil {
		t.Errorf("%+v", o)
	}
}

// A workflow can end without a word in the store: terminated, or refused because
// the row under its id belongs to another run.
func TestARunThatNeverRecordedItself(t *testing.T) {
	t.Parallel()
	failed := func(cause error) error {
		return errors.Join(&temporal.WorkflowExecutionError{}, cause)
	}
	for _, c := range []struct {
		name string
		err  error
		want contract.FaultType
	}{
		{"taken", failed(temporal.NewNonRetryableApplicationError("taken", string(contract.FaultRunID), nil)), contract.FaultRunID},
		{"terminated", failed(&temporal.TerminatedError{}), contract.FaultCancelled},
		{"cancelled", failed(temporal.NewCanceledError()), contract.FaultCancelled},
		{"other", failed(errors.New("boom")), contract.FaultInternal},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := openStore(t)
			start(t, s, "somebody else's")
			o := must(t, follow.Watch{Store: s, RunID: "r", FirstExecID: "mine", Await: returns(canon.Value{}, c.err)})
			if o.Fault == nil || o.Fault.Type != c.want || o.Run.RunID != "" {
				t.Errorf("%+v", o)
			}
		})
	}
}

func TestLeavingDetaches(t *testing.T) {
	t.Parallel()
	s := openStore(t)
	start(t, s, "e")
	ctx, leave := context.WithCancel(t.Context())
	o, err := follow.Watch{Store: s, RunID: "r", Await: waits, Event: func(store.Event) { leave() }}.Follow(ctx)
	if err != nil || !o.Detached || o.Fault != nil {
		t.Errorf("%+v %v", o, err)
	}
}

// A lost connection is no end of the run.
func TestAwaitingGoesOnAfterALostConnection(t *testing.T) {
	t.Parallel()
	s := openStore(t)
	asked := 0
	o := must(t, follow.Watch{Store: s, RunID: "r", Await: func(context.Context) (canon.Value, error) {
		asked++
		if asked == 1 {
			return canon.Value{}, errors.New("connection lost")
		}
		start(t, s, "e")
		finish(t, s, store.Run{Status: store.RunSucceeded})
		return canon.String("done"), nil
	}})
	if asked != 2 || o.Output.Text() != "done" {
		t.Errorf("asked %d times: %+v", asked, o)
	}
}

func TestProgressHearsOfSteps(t *testing.T) {
	t.Parallel()
	s := openStore(t)
	start(t, s, "e")
	if err := s.PutStep(t.Context(), store.Step{RunID: "r", CallSite: "a", Attempt: 1, Kind: "agent", Name: "x", Status: store.StepSucceeded, StartedAt: time.Now(), CostUSD: "0"}); err != nil {
		t.Fatal(err)
	}
	finish(t, s, store.Run{Status: store.RunSucceeded, Output: []byte("1")})
	heard := 0
	must(t, follow.Watch{Store: s, RunID: "r", Await: returns(canon.Int(1), nil), Progress: func(steps []store.Step) { heard += len(steps) }})
	if heard != 1 {
		t.Errorf("heard of %d steps", heard)
	}
}
