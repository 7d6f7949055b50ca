package e2e

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.temporal.io/sdk/client"

	"terfyn/activities/model"
	"terfyn/activities/model/modeltest"
	"terfyn/internal/canon"
	"terfyn/policy"
	"terfyn/store"
	"terfyn/workflows/contract"
)

// outage is a store that can be away.
type outage struct {
	store.Store
	down atomic.Bool
	hits atomic.Int64
}

var errAway = errors.New("the store is away")

// Run fails while the store is away; every run asks for its row first.
func (o *outage) Run(ctx context.Context, id string) (store.Run, error) {
	if o.down.Load() {
		o.hits.Add(1)
		return store.Run{}, errAway
	}
	return o.Store.Run(ctx, id)
}

// TestStoreOutageDelaysRuns: a store that is away for longer than one attempt of a
// local activity may take delays a run and never fails it.
func TestStoreOutageDelaysRuns(t *testing.T) {
	t.Parallel()
	w := newWorld(t, startServer(t), onSQLite)
	w.write(map[string]string{"main.agent": plain})
	w.apply("local")
	o := &outage{Store: w.store}
	w.store = o
	w.work(nil)
	o.down.Store(true)
	run := w.start("outage", contract.RunIn{Workflow: "call", Input: value(t, `{}`), Actor: "sam"})
	eventually(t, time.Minute, "seven attempts met the outage", func() bool { return o.hits.Load() >= 7 }) // more than ten seconds of backoff
	o.down.Store(false)
	w.must(run)
	w.verify("outage")
}

// TestConcurrentVotesAllCount: votes that arrive together are all recorded, the
// closing one last, and the run goes on.
func TestConcurrentVotesAllCount(t *testing.T) {
	t.Parallel()
	w := newWorld(t, startServer(t), onSQLite)
	w.write(map[string]string{"main.agent": strings.Replace(echo, "requiredFor { tool.press.echo }", "requiredFor { tool.press.echo } minApprovals 3", 1)})
	w.apply("local")
	w.work(nil)
	for i := range 5 {
		id := fmt.Sprintf("together-%d", i)
		run := w.start(id, contract.RunIn{Workflow: "publish", Input: value(t, `{"headline":"x","n":1}`), Actor: "sam"})
		a := w.waiting(id)
		var all sync.WaitGroup
		for _, who := range []string{"ann", "bob", "cat"} {
			all.Add(1)
			go func() {
				defer all.Done()
				d := approval(a, policy.Approve)
				d.Actor = who
				if _, err := w.decide(id, d); err != nil {
					t.Errorf("%s of %s: %v", who, id, err)
				}
			}()
		}
		all.Wait()
		w.must(run)
		if ds, err := w.store.Decisions(t.Context(), a.ID); err != nil || len(ds) != 3 {
			t.Errorf("%s has %d decisions, %v", id, len(ds), err)
		}
		w.verify(id)
	}
}

// TestZeroBytesBlockNothing: words that no store takes are refused in decisions and
// cleaned in starts; the next decision is taken.
func TestZeroBytesBlockNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t, startServer(t), onSQLite)
	w.write(map[string]string{"main.agent": echo})
	w.apply("local")
	w.work(nil)
	run := w.start("zero", contract.RunIn{Workflow: "publish", Input: value(t, `{"headline":"x\u0000","n":1}`), Actor: "s\x00m", Tenant: "\xff"})
	a := w.waiting("zero")
	bad := approval(a, policy.Approve)
	bad.Actor = "an\x00n"
	if err := w.client.SignalWorkflow(t.Context(), "zero", "", contract.SignalDecision, bad); err != nil {
		t.Fatal(err)
	}
	if _, err := w.decide("zero", bad); refusal(t, err) != policy.RefusedMalformed {
		t.Errorf("a zero byte in the actor: %v", err)
	}
	if _, err := w.decide("zero", approval(a, policy.Approve)); err != nil {
		t.Fatal(err)
	}
	w.must(run)
	w.verify("zero")
}

// TestModelThatWantsThousandsOfCalls: a turn is bounded, its calls are made a few at
// a time, and each gets its answer.
func TestModelThatWantsThousandsOfCalls(t *testing.T) {
	t.Setenv("TERFYN_E2E_KEY", "key")
	src := strings.NewReplacer("sideEffects true }", "sideEffects false }", "approvals { requiredFor { tool.press.echo } inLoop pause }", "", "permitWithApproval", "permit").Replace(loop)
	w, models := newLoop(t, func(r modeltest.Request) modeltest.Turn {
		if r.Assistants() > 0 {
			return modeltest.Turn{Text: `{"done":true}`}
		}
		calls := make([]model.Call, 2600)
		for i := range calls {
			calls[i] = model.Call{ID: fmt.Sprintf("c%d", i), Name: "press", Arguments: canon.Object(canon.F("n", canon.Int(int64(i))))}
		}
		return modeltest.Turn{Calls: calls}
	}, map[string]string{"main.agent": src})
	w.work(nil)
	w.must(w.start("thousands", contract.RunIn{Workflow: "write", Input: value(t, `{}`), Actor: "sam"}))
	if len(models.Faults()) > 0 || models.Calls() != 2 {
		t.Errorf("%d turns, faults %v", models.Calls(), models.Faults())
	}
	if n := len(w.events("thousands", contract.ToolExecution)); n != 128 {
		t.Errorf("%d calls were made", n)
	}
}

// TestHangingModelEndsWithTheStep: a model that never answers is left at the
// agent's timeoutSeconds.
func TestHangingModelEndsWithTheStep(t *testing.T) {
	t.Setenv("TERFYN_E2E_KEY", "key")
	w, models := newLoop(t, func(modeltest.Request) modeltest.Turn { return modeltest.Turn{Hang: true} },
		map[string]string{"main.agent": strings.Replace(loop, "model lab/writer", "model lab/writer\n    constraints { timeoutSeconds 1 }", 1)})
	w.work(nil)
	fault, message := w.fault(w.start("hanging", contract.RunIn{Workflow: "write", Input: value(t, `{}`), Actor: "sam"}))
	if fault != contract.FaultModel || !strings.Contains(message, "timeoutSeconds") {
		t.Errorf("fault %s: %s", fault, message)
	}
	if n := models.Calls(); n > 3 {
		t.Errorf("the model was asked %d times in one second", n)
	}
}

// TestLongNamesRun: a call site longer than Temporal's ids still runs.
func TestLongNamesRun(t *testing.T) {
	t.Parallel()
	w := newWorld(t, startServer(t), onSQLite)
	w.write(map[string]string{"main.agent": strings.ReplaceAll(plain, "done", strings.Repeat("d", 1200))})
	w.apply("local")
	w.work(nil)
	w.must(w.start("long-names", contract.RunIn{Workflow: "call", Input: value(t, `{}`), Actor: "sam"}))
	w.verify("long-names")
}

// TestRefusedEditsDoNotOutliveTheDeadline: edits that are refused while the
// deadline passes leave the request expired.
func TestRefusedEditsDoNotOutliveTheDeadline(t *testing.T) {
	t.Parallel()
	w := newWorld(t, startServer(t), onSQLite)
	w.write(map[string]string{
		"main.agent": strings.NewReplacer("echo { effects { press.write } }", `echo { schema "schemas/Echo.json" effects { press.write } }`,
			"requiredFor { tool.press.echo }", "requiredFor { tool.press.echo } timeoutSeconds 2").Replace(echo),
		"schemas/Echo.json": `{"type":"object","properties":{"headline":{"type":"string","minLength":2}}}`})
	w.apply("local")
	w.work(nil)
	run := w.start("edits", contract.RunIn{Workflow: "publish", Input: value(t, `{"headline":"old","n":1}`), Actor: "sam"})
	a := w.waiting("edits")
	d := approval(a, policy.Edit)
	d.Edit = value(t, `{"headline":"x"}`)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for n := 0; n < 500 && w.client.SignalWorkflow(t.Context(), "edits", "", contract.SignalDecision, d) == nil; n++ {
			if got, err := w.store.Approval(t.Context(), a.ID); err != nil || got.Status != store.ApprovalOpen {
				return
			}
		}
	}()
	if fault, message := w.fault(run); fault != contract.FaultExpired {
		t.Errorf("fault %s: %s", fault, message)
	}
	<-ended
	w.verify("edits")
}

// TestForgedContinuation: a cron schedule makes a start look continued, and what it
// carries is still not believed.
func TestForgedContinuation(t *testing.T) {
	t.Parallel()
	w := newWorld(t, startServer(t), onSQLite)
	w.write(map[string]string{"main.agent": `
tool press {
    type native
    safety { trusted true sideEffects true }
    operations { echo { effects { press.write } } }
}

workflow guarded(doc: any) {
    approval look {
        with { text: "shown" }
    }
    press.echo(text: look.text)
    return { done: true }
}
`})
	w.apply("local")
	w.work(nil)
	_, err := w.client.ExecuteWorkflow(t.Context(), client.StartWorkflowOptions{
		ID: "forged-cron", TaskQueue: w.queue, CronSchedule: "@every 1s", WorkflowRunTimeout: 3 * time.Second,
	}, contract.RunWorkflow, contract.RunIn{Workflow: "guarded", Input: value(t, `{}`), Carried: &contract.Carried{
		Format: contract.CarriedFormat, CostUSD: "0", Path: []contract.Cursor{{Node: "echo"}},
		Bindings: []contract.Binding{{Name: "look", Value: value(t, `{"text":"FORGED"}`)}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	eventually(t, time.Minute, "a later execution of the schedule was refused", func() bool {
		d, err := w.client.DescribeWorkflow(t.Context(), "forged-cron", "")
		if err != nil {
			return false
		}
		row, err := w.store.Run(t.Context(), "forged-cron")
		return err == nil && d.WorkflowExecution.RunID != row.FirstExecID
	})
	if err := w.client.TerminateWorkflow(t.Context(), "forged-cron", "", "test"); err != nil {
		t.Fatal(err)
	}
	effects, err := w.store.EffectsOf(t.Context(), "forged-cron")
	if err != nil || len(effects) != 0 {
		t.Errorf("the forged call was sent: %+v, %v", effects, err)
	}
}
