package activities

import (
	"context"
	"path/filepath"
	"testing"
	"testing/fstest"
	"time"

	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/testsuite"

	"terfyn/activities/model"
	"terfyn/activities/model/open"
	"terfyn/activities/model/price"
	"terfyn/activities/tool"
	"terfyn/compiler"
	"terfyn/compiler/resource"
	"terfyn/deploy"
	"terfyn/deploy/snapshot"
	"terfyn/internal/canon"
	"terfyn/policy"
	"terfyn/store"
	"terfyn/store/sqlite"
	"terfyn/workflows/contract"
)

const ledgerProject = `
tool press {
    type native
    safety { trusted true sideEffects true }
    operations {
        keyed { effects { press.write } idempotency key }
        plain { effects { press.write } }
    }
}
policy desk { effects { permit { press.write } } }
agent Writer { model mock/default }
workflow call(story: any) policy desk {
    press.keyed(n: 1)
    press.plain(n: 1)
    said = Writer(story)
    return { said: said }
}
`

// bench runs single activities on a store, with a run that is open in it.
type bench struct {
	t        *testing.T
	store    store.Store
	snapshot canon.Digest
}

func newBench(t *testing.T) *bench {
	t.Helper()
	s, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "state.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	b := &bench{t: t, store: s}
	b.snapshot = b.apply(ledgerProject)
	return b
}

func (b *bench) apply(source string) canon.Digest {
	b.t.Helper()
	r, ds := compiler.Compile(fstest.MapFS{"main.agent": {Data: []byte(source)}}, compiler.Options{Project: "p"})
	if ds.HasErrors() {
		b.t.Fatal(ds.String())
	}
	content := snapshot.Content{Environment: "local", Graph: r.Graph, Programs: r.Programs, Schemas: r.Schemas}
	plan, err := deploy.Prepare(b.t.Context(), b.store, content, deploy.Options{})
	if err != nil {
		b.t.Fatal(err)
	}
	a, err := deploy.Apply(b.t.Context(), b.store, deploy.ApplyIn{Plan: plan, Content: content, CompilerVersion: "t", Actor: "t", Now: time.Now()})
	if err != nil {
		b.t.Fatal(err)
	}
	return a.Current.Snapshot
}

func (b *bench) ref() contract.Ref {
	return contract.Ref{RunID: "r", FirstExecID: "x", Snapshot: b.snapshot, Environment: "local", Workflow: "call"}
}

func (b *bench) call(operation string) contract.CallToolIn {
	return contract.CallToolIn{Ref: b.ref(), Site: operation, Tool: "press", Operation: operation, Arguments: canon.Object(canon.F("n", canon.Int(1))), At: time.Now()}
}

// inFlight leaves the ledger as a worker that died while it was sending does.
func (b *bench) inFlight(in contract.CallToolIn) string {
	b.t.Helper()
	_, err := b.store.StartRun(b.t.Context(), store.Run{RunID: "r", FirstExecID: "x", Workflow: "call", Environment: "local", Snapshot: b.snapshot, Status: store.RunRunning, StartedAt: time.Now()})
	if err != nil {
		b.t.Fatal(err)
	}
	id := policy.OperationID("r", "x", in.Site)
	_, granted, err := b.store.BeginDispatch(b.t.Context(), store.Dispatch{At: time.Now(), Effect: store.Effect{
		OperationID: id, RunID: "r", CallSite: in.Site, Tool: in.Tool, Operation: in.Operation,
		Revision: policy.Revision(in.Tool, in.Operation, in.Arguments, in.Site, b.snapshot),
	}})
	if err != nil || !granted {
		b.t.Fatal(granted, err)
	}
	return id
}

// run runs one activity of a under Temporal's test environment.
func run[In, Out any](b *bench, f func(context.Context, In) (Out, error), in In) (out Out) {
	b.t.Helper()
	var suite testsuite.WorkflowTestSuite
	env := suite.NewTestActivityEnvironment()
	env.RegisterActivityWithOptions(f, activity.RegisterOptions{Name: "one"})
	v, err := env.ExecuteActivity("one", in)
	if err == nil {
		err = v.Get(&out)
	}
	if err != nil {
		b.t.Fatal(err)
	}
	return out
}

// sender is a transport that counts and answers in one way.
type sender struct {
	calls  int
	result tool.Result
	err    error
}

func (s *sender) Call(context.Context, tool.Call) (tool.Result, error) {
	s.calls++
	return s.result, s.err
}

func (b *bench) state(id string) store.EffectState {
	b.t.Helper()
	e, err := b.store.Effect(b.t.Context(), id)
	if err != nil {
		b.t.Fatal(err)
	}
	return e.State
}

// TestInFlightIsNotSentAgain: an attempt that finds the row dispatching did crash in
// flight; it sends nothing and says that the outcome is unknown.
func TestInFlightIsNotSentAgain(t *testing.T) {
	t.Parallel()
	b, s := newBench(t), &sender{}
	in := b.call("plain")
	id := b.inFlight(in)
	out := run(b, New(Config{Store: b.store, Tools: s}).callTool, in)
	if s.calls != 0 || out.Outcome != contract.OutcomeUnknown || b.state(id) != store.EffectUnknown {
		t.Errorf("%d requests, outcome %s, ledger %s", s.calls, out.Outcome, b.state(id))
	}
}

// TestResendThatCannotBeSentIsUnknown: the repetition under the same key was not
// sent, but what the first attempt did nobody knows.
func TestResendThatCannotBeSentIsUnknown(t *testing.T) {
	t.Parallel()
	b, s := newBench(t), &sender{err: tool.Failf(tool.NotSent, "dial", "connection refused")}
	in := b.call("keyed")
	id := b.inFlight(in)
	out := run(b, New(Config{Store: b.store, Tools: s}).callTool, in)
	if s.calls != 1 || out.Outcome != contract.OutcomeUnknown || b.state(id) != store.EffectUnknown {
		t.Errorf("%d requests, outcome %s, ledger %s", s.calls, out.Outcome, b.state(id))
	}
}

// TestRecordedResultIsReplayed: an attempt after the answer was recorded returns it.
func TestRecordedResultIsReplayed(t *testing.T) {
	t.Parallel()
	b, s := newBench(t), &sender{result: tool.Result{Output: canon.Object(canon.F("id", canon.String("7")))}}
	in := b.call("keyed")
	b.inFlight(in)
	a := New(Config{Store: b.store, Tools: s})
	first, second := run(b, a.callTool, in), run(b, a.callTool, in)
	if s.calls != 1 || first.Value.JSON() != `{"id":"7"}` || second.Value.JSON() != first.Value.JSON() || second.Outcome != contract.OutcomeSucceeded {
		t.Errorf("%d requests; %+v, then %+v", s.calls, first, second)
	}
}

// TestLateAnswerWins: a result that was recorded while somebody looked into the
// outcome is what counts.
func TestLateAnswerWins(t *testing.T) {
	t.Parallel()
	b, s := newBench(t), &sender{result: tool.Result{Output: canon.String("arrived")}}
	in := b.call("keyed")
	id := b.inFlight(in)
	a := New(Config{Store: b.store, Tools: s})
	run(b, a.callTool, in)
	out := run(b, a.settleEffect, contract.SettleEffectIn{Ref: b.ref(), Site: in.Site, OperationID: id, Sent: false, By: "reconcile", At: time.Now()})
	if !out.Succeeded || out.Value.Text() != "arrived" || b.state(id) != store.EffectSucceeded {
		t.Errorf("%+v, ledger %s", out, b.state(id))
	}
}

// TestOpenAgainKeepsTheSnapshot: a start that is recorded answers from its record,
// whatever was applied in between.
func TestOpenAgainKeepsTheSnapshot(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	a := New(Config{Store: b.store})
	in := contract.OpenRunIn{Ref: contract.Ref{RunID: "r", FirstExecID: "x", Environment: "local", Workflow: "call"}, ExecID: "x", Request: contract.RunIn{Workflow: "call"}, At: time.Now()}
	first := run(b, a.openRun, in)
	if b.apply(ledgerProject+"\nworkflow more(doc: any) { return doc }\n") == b.snapshot {
		t.Fatal("the apply changed nothing")
	}
	again := run(b, a.openRun, in)
	if first.Fault != nil || again.Fault != nil || again.Snapshot != first.Snapshot || again.Snapshot != b.snapshot {
		t.Errorf("%+v, then %+v", first, again)
	}
	other := in
	other.Ref.FirstExecID, other.ExecID = "y", "y"
	if out := run(b, a.openRun, other); out.Fault == nil || out.Fault.Type != contract.FaultRunID {
		t.Errorf("another execution under the same id: %+v", out)
	}
	other.Ref.RunID = store.ApplyChain("local")
	if out := run(b, a.openRun, other); out.Fault == nil || out.Fault.Type != contract.FaultRunID {
		t.Errorf("a run under the id of the chain of applies: %+v", out)
	}
}

// TestRecordedTurnIsNotBilledAgain: a turn that was recorded is answered from its
// record.
func TestRecordedTurnIsNotBilledAgain(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	asked := 0
	a := New(Config{Store: b.store, Model: func(g *resource.Graph, ref string) (model.Provider, string, error) {
		asked++
		return open.Model(ref, g.Providers, price.Default())
	}})
	in := contract.GenerateIn{Ref: b.ref(), Site: "said", Agent: "Writer", Turn: 1, Input: canon.Object(), At: time.Now()}
	out := run(b, a.generate, in)
	if out.Fault != nil || asked != 1 {
		t.Fatalf("%+v, asked %d times", out, asked)
	}
	loaded, err := a.snapshots.Load(t.Context(), b.snapshot)
	if err != nil {
		t.Fatal(err)
	}
	again, done, err := a.recordedTurn(t.Context(), loaded, in)
	if err != nil || !done || again.Transcript != out.Transcript || again.Output.JSON() != out.Output.JSON() || asked != 1 {
		t.Errorf("%+v, %v, %v; asked %d times", again, done, err, asked)
	}
	in.Turn = 2
	if _, done, err := a.recordedTurn(t.Context(), loaded, in); done || err != nil {
		t.Errorf("a turn nobody made is recorded: %v, %v", done, err)
	}
}
