package e2e

import (
	"context"
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"

	"terfyn/activities/tool"
	"terfyn/compiler"
	"terfyn/compiler/resource"
	"terfyn/deploy"
	"terfyn/deploy/snapshot"
	"terfyn/internal/canon"
	"terfyn/policy"
	"terfyn/store"
	"terfyn/store/audit"
	"terfyn/store/open"
	"terfyn/store/storetest/pgtest"
	"terfyn/workflows/contract"
)

// world is a store, a server and a client on both.
type world struct {
	t      testing.TB
	dsn    string
	store  store.Store
	server *server
	client client.Client
	root   string
	queue  string // of this world alone: worlds share a server
	// rollover is the history length at which runs continue as new, 0 = never here.
	rollover int
}

// backend chooses the store of a world.
type backend string

const (
	onSQLite   backend = "sqlite"
	onPostgres backend = "postgres"
)

// newWorld starts everything but a worker; the tests share the server they give.
func newWorld(t testing.TB, s *server, on backend) *world {
	t.Helper()
	w := &world{t: t, server: s, root: t.TempDir(), queue: contract.TaskQueue + "-" + rand.Text()}
	w.dsn = filepath.Join(t.TempDir(), "state.db")
	if on == onPostgres {
		w.dsn = pgtest.Database(t)
	}
	var err error
	if w.store, err = open.Open(t.Context(), w.dsn, open.Migrate); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.store.Close() })
	if w.client, err = dial(s.address(), w.store); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.client.Close)
	return w
}

// work runs a worker inside of the test process until the test ends.
func (w *world) work(tools tool.Transport) {
	w.t.Helper()
	wk, refusals := newWorker(w.client, w.store, w.root, w.queue, tools, w.rollover)
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); refusals.Run(ctx) }()
	if err := wk.Start(); err != nil {
		w.t.Fatalf("start a worker: %v", err)
	}
	w.t.Cleanup(func() { wk.Stop(); stop(); <-done })
}

// write puts project files under the root.
func (w *world) write(files map[string]string) {
	w.t.Helper()
	for name, text := range files { // order does not matter: each is a file of its own
		path := filepath.Join(w.root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			w.t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			w.t.Fatal(err)
		}
	}
}

// copy puts a folder of the repository under the root.
func (w *world) copy(dir string) {
	w.t.Helper()
	if err := os.CopyFS(w.root, os.DirFS(dir)); err != nil && !errors.Is(err, fs.ErrExist) {
		w.t.Fatal(err)
	}
}

// apply compiles the root and applies it to an environment.
func (w *world) apply(environment string) canon.Digest {
	w.t.Helper()
	r, diags := compiler.Compile(os.DirFS(w.root), compiler.Options{Project: "e2e"})
	if diags.HasErrors() {
		w.t.Fatalf("the project does not compile:\n%s", diags.String())
	}
	overlay := ""
	if _, ok := r.Graph.Environment(environment); ok {
		overlay = environment
	}
	g, err := resource.Overlay(r.Graph, overlay)
	if err != nil {
		w.t.Fatal(err)
	}
	content := snapshot.Content{Environment: environment, Graph: g, Programs: r.Programs, Schemas: r.Schemas}
	plan, err := deploy.Prepare(w.t.Context(), w.store, content, deploy.Options{})
	if err != nil {
		w.t.Fatal(err)
	}
	applied, err := deploy.Apply(w.t.Context(), w.store, deploy.ApplyIn{Plan: plan, Content: content, CompilerVersion: "e2e", Actor: "tester", Now: time.Now()})
	if err != nil {
		w.t.Fatal(err)
	}
	return applied.Current.Snapshot
}

// start starts a run.
func (w *world) start(id string, in contract.RunIn) client.WorkflowRun {
	w.t.Helper()
	run, err := w.client.ExecuteWorkflow(w.t.Context(), client.StartWorkflowOptions{
		ID: id, TaskQueue: w.queue, WorkflowExecutionErrorWhenAlreadyStarted: true,
	}, contract.RunWorkflow, in)
	if err != nil {
		w.t.Fatalf("start run %s: %v", id, err)
	}
	return run
}

// result waits for the end of a run.
func (w *world) result(run client.WorkflowRun) (canon.Value, error) {
	ctx, cancel := context.WithTimeout(w.t.Context(), 2*time.Minute)
	defer cancel()
	var out canon.Value
	err := run.Get(ctx, &out)
	return out, err
}

// must is the output of a run that has to end well.
func (w *world) must(run client.WorkflowRun) canon.Value {
	w.t.Helper()
	out, err := w.result(run)
	if err != nil {
		w.t.Fatalf("run %s: %v", run.GetID(), err)
	}
	return out
}

// fault is how a run that has to end badly ended.
func (w *world) fault(run client.WorkflowRun) (contract.FaultType, string) {
	w.t.Helper()
	out, err := w.result(run)
	var app *temporal.ApplicationError
	if !errors.As(err, &app) {
		w.t.Fatalf("run %s ended with %s, %v; expected a fault", run.GetID(), out.JSON(), err)
	}
	return contract.FaultType(app.Type()), app.Message()
}

// waiting is the open request of a run, once there is one.
func (w *world) waiting(runID string) store.Approval {
	w.t.Helper()
	return w.waitingFor(runID, func(store.Approval) bool { return true })
}

func (w *world) waitingFor(runID string, fits func(store.Approval) bool) (found store.Approval) {
	w.t.Helper()
	eventually(w.t, time.Minute, "run "+runID+" waits for a decision", func() bool {
		list, err := w.store.ListApprovals(w.t.Context(), store.ApprovalFilter{RunID: runID, Status: store.ApprovalOpen})
		if err != nil {
			w.t.Fatal(err)
		}
		for _, a := range list {
			if fits(a) {
				found = a
				return true
			}
		}
		return false
	})
	return found
}

// decide sends a decision by update.
func (w *world) decide(runID string, d policy.Decision) (contract.Verdict, error) {
	ctx, cancel := context.WithTimeout(w.t.Context(), time.Minute)
	defer cancel()
	var v contract.Verdict
	h, err := w.client.UpdateWorkflow(ctx, client.UpdateWorkflowOptions{
		WorkflowID: runID, UpdateName: contract.UpdateDecide, Args: []any{d}, WaitForStage: client.WorkflowUpdateStageCompleted,
	})
	if err != nil {
		return v, err
	}
	return v, h.Get(ctx, &v)
}

// approve approves the open request of a run.
func (w *world) approve(runID string) store.Approval {
	w.t.Helper()
	a := w.waiting(runID)
	if _, err := w.decide(runID, approval(a, policy.Approve)); err != nil {
		w.t.Fatalf("approve %s: %v", a.ID, err)
	}
	return a
}

func approval(a store.Approval, decision string) policy.Decision {
	return policy.Decision{ApprovalID: a.ID, Revision: a.Revision, Decision: decision, Actor: "ann", Reason: "test"}
}

// events are the events of a run of one type, "" = all.
func (w *world) events(runID string, t contract.EventType) []store.Event {
	w.t.Helper()
	list, err := w.store.Events(w.t.Context(), store.EventFilter{RunID: runID, Type: string(t), Limit: 10000})
	if err != nil {
		w.t.Fatal(err)
	}
	return list
}

// verify checks the chain of a run.
func (w *world) verify(runID string) {
	w.t.Helper()
	r, err := audit.Verify(w.t.Context(), w.store, runID)
	if err != nil {
		w.t.Fatalf("verify the chain of %s: %v", runID, err)
	}
	if r.Problem != nil {
		w.t.Errorf("the chain of %s does not verify: %+v", runID, r)
	}
	mismatches, err := audit.CrossCheck(w.t.Context(), w.store, runID)
	if err != nil || len(mismatches) > 0 {
		w.t.Errorf("the rows of %s against its chain: %+v, %v", runID, mismatches, err)
	}
}

// row is the stored run.
func (w *world) row(runID string) store.Run {
	w.t.Helper()
	r, err := w.store.Run(w.t.Context(), runID)
	if err != nil {
		w.t.Fatal(err)
	}
	return r
}

// value reads JSON.
func value(t testing.TB, text string) canon.Value {
	t.Helper()
	v, err := canon.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return v
}
