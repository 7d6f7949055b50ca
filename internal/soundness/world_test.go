package soundness

import (
	"errors"
	"path/filepath"
	"testing"
	"testing/fstest"
	"time"

	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/testsuite"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"

	"terfyn/activities"
	"terfyn/activities/payload"
	"terfyn/compiler"
	"terfyn/compiler/diag"
	"terfyn/compiler/resource"
	"terfyn/deploy"
	"terfyn/deploy/snapshot"
	"terfyn/internal/canon"
	"terfyn/store"
	"terfyn/store/sqlite"
	"terfyn/workflows/contract"
)

const environment = contract.DefaultEnvironment

// compile compiles a generated project.
func compile(p project) (*compiler.Result, diag.List) {
	files := fstest.MapFS{}
	for path, text := range p { // order does not matter: each is a file of its own
		files[path] = &fstest.MapFile{Data: []byte(text)}
	}
	return compiler.Compile(files, compiler.Options{Project: "generated"})
}

// world is a project applied to a store, with everything that its runs meet.
type world struct {
	t       *testing.T
	seed    uint64
	result  *compiler.Result
	graph   resource.Graph // as applied: with the overlay of the environment
	store   store.Store
	model   *chooser
	outside *outside
	count   *tally
}

func newWorld(t *testing.T, seed uint64, r *compiler.Result, count *tally) *world {
	t.Helper()
	s, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "state.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	w := &world{
		t: t, seed: seed, result: r, store: s, count: count,
		model: newChooser(seed, r.Graph, count), outside: &outside{seed: seed, calls: map[string][]sent{}},
	}
	w.apply()
	return w
}

func (w *world) apply() {
	w.t.Helper()
	overlay := ""
	if _, ok := w.result.Graph.Environment(environment); ok {
		overlay = environment
	}
	g, err := resource.Overlay(w.result.Graph, overlay)
	if err != nil {
		w.t.Fatal(err)
	}
	w.graph = g
	content := snapshot.Content{Environment: environment, Graph: g, Programs: w.result.Programs, Schemas: w.result.Schemas}
	plan, err := deploy.Prepare(w.t.Context(), w.store, content, deploy.Options{})
	if err != nil {
		w.t.Fatal(err)
	}
	in := deploy.ApplyIn{Plan: plan, Content: content, CompilerVersion: "generated", Actor: "tester", Now: time.Now()}
	if _, err := deploy.Apply(w.t.Context(), w.store, in); err != nil {
		w.t.Fatal(err)
	}
}

// maxExecutions bounds the chain of a run that continues as new.
const maxExecutions = 300

// run runs a workflow to its end and says how it ended: succeeded, cancelled, or
// the type of its fault.
func (w *world) run(id, flow string) string {
	w.t.Helper()
	d := throw(w.seed, "start "+id)
	in := contract.RunIn{Workflow: flow, Input: w.input(d, flow), Actor: "sam", AutoApprove: d.chance(10)}
	config := activities.Config{Store: w.store, Model: w.model.open, Tools: w.outside, ProjectRoot: w.t.TempDir()}
	if d.chance(20) {
		config.RolloverEvents = 1
	}
	a := activities.New(config)
	for range maxExecutions {
		err := w.execute(id, a, in)
		var next *workflow.ContinueAsNewError
		if !errors.As(err, &next) {
			return w.ending(id, err)
		}
		w.count.add("executions", "continued as new")
		in = contract.RunIn{}
		if err := payload.Converter().FromPayloads(next.Input, &in); err != nil {
			w.t.Fatalf("read what run %s carries over: %v", id, err)
		}
	}
	w.t.Fatalf("run %s continued as new %d times", id, maxExecutions)
	return ""
}

// execute makes one execution of a chain.
func (w *world) execute(id string, a *activities.Activities, in contract.RunIn) error {
	var suite testsuite.WorkflowTestSuite
	suite.SetLogger(quiet{})
	env := suite.NewTestWorkflowEnvironment()
	env.SetWorkerOptions(worker.Options{DeadlockDetectionTimeout: time.Minute}) // the machine may be busy
	env.SetDataConverter(payload.Converter())
	env.SetTestTimeout(time.Minute) // of standing still, in real time
	env.SetStartWorkflowOptions(client.StartWorkflowOptions{ID: id, TaskQueue: contract.TaskQueue})
	env.SetCurrentHistoryLength(10) // beyond RolloverEvents, where that is set
	if in.Carried != nil {
		env.SetContinuedExecutionRunID("the-one-before")
	}
	activities.Register(env, a)
	(&people{world: w, env: env, run: id, tries: map[string]int{}, waiting: map[string]int{}}).attend()
	func() {
		defer func() {
			if p := recover(); p != nil {
				w.t.Fatalf("run %s of %s: %v", id, in.Workflow, p)
			}
		}()
		env.ExecuteWorkflow(contract.RunWorkflow, in)
	}()
	if !env.IsWorkflowCompleted() {
		w.t.Fatalf("run %s did not end", id)
	}
	return env.GetWorkflowError()
}

// input fits the parameters of a workflow.
func (w *world) input(d dice, flow string) canon.Value {
	in := record(d, 2)
	declared, _ := w.graph.Workflow(flow)
	for _, p := range declared.Params {
		in = in.With(p.Name, record(d, 2))
	}
	return in
}

func (w *world) ending(id string, err error) string {
	w.t.Helper()
	var fault *temporal.ApplicationError
	switch {
	case err == nil:
		return "succeeded"
	case temporal.IsCanceledError(err):
		return "cancelled"
	case errors.As(err, &fault) && fault.Type() != string(contract.FaultInternal):
		return fault.Type()
	}
	w.t.Errorf("seed %d: run %s ended with what is no fault: %v", w.seed, id, err)
	return "other"
}

// quiet drops what the SDK logs.
type quiet struct{}

func (quiet) Debug(string, ...any) {}
func (quiet) Info(string, ...any)  {}
func (quiet) Warn(string, ...any)  {}
func (quiet) Error(string, ...any) {}
