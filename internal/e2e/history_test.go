package e2e

import (
	"os"
	"path/filepath"
	"testing"

	enumspb "go.temporal.io/api/enums/v1"
	historypb "go.temporal.io/api/history/v1"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"
	"google.golang.org/protobuf/proto"

	"terfyn/activities/payload"
	"terfyn/policy"
	"terfyn/store"
	"terfyn/workflows"
	"terfyn/workflows/contract"
)

// history is the history of a run as the server keeps it, payload claims included.
func (w *world) history(id string) *historypb.History {
	w.t.Helper()
	it := w.client.GetWorkflowHistory(w.t.Context(), id, "", false, enumspb.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT)
	h := &historypb.History{}
	for it.HasNext() {
		e, err := it.Next()
		if err != nil {
			w.t.Fatal(err)
		}
		h.Events = append(h.Events, e)
	}
	return h
}

// replay runs today's workflow code against a history.
func replay(t testing.TB, h *historypb.History, s store.Deployments) error {
	t.Helper()
	r, err := worker.NewWorkflowReplayerWithOptions(worker.WorkflowReplayerOptions{DataConverter: payload.Converter(), ExternalStorage: payload.Storage(s)})
	if err != nil {
		t.Fatal(err)
	}
	r.RegisterWorkflowWithOptions(workflows.Run, workflow.RegisterOptions{Name: contract.RunWorkflow})
	started := h.Events[0].GetWorkflowExecutionStartedEventAttributes()
	return r.ReplayWorkflowHistoryWithOptions(quiet(), h, worker.ReplayWorkflowHistoryOptions{
		OriginalExecution: workflow.Execution{ID: started.WorkflowId, RunID: started.OriginalExecutionRunId}, // ids of requests derive from it
	})
}

// TestHistoryBudget: a straight run costs what a hand-written workflow's activities
// cost: no timers, no extra activities, and the program itself as a claim.
func TestHistoryBudget(t *testing.T) {
	t.Parallel()
	d := newDesk(t, startServer(t), onSQLite)
	d.apply("local")
	d.work(nil)
	run := d.start("budget", d.reply("T-budget"))
	d.through("budget")
	d.must(run)
	count := map[enumspb.EventType]int{}
	h := d.history("budget")
	for _, e := range h.Events {
		count[e.EventType]++
	}
	// Five model turns, one article, one mail, two recorded decisions.
	if got := count[enumspb.EVENT_TYPE_ACTIVITY_TASK_SCHEDULED]; got != 9 {
		t.Errorf("%d activities were scheduled, want 9", got)
	}
	if count[enumspb.EVENT_TYPE_TIMER_STARTED] != 0 {
		t.Error("timers were started")
	}
	// open, bundle, two requests, close.
	if got := count[enumspb.EVENT_TYPE_MARKER_RECORDED]; got != 5 {
		t.Errorf("%d local activities, want 5", got)
	}
	if size := proto.Size(h); size > 64<<10 {
		t.Errorf("the history has %d bytes", size)
	}
	if err := replay(t, h, d.store); err != nil {
		t.Errorf("replay: %v", err)
	}
}

// TestRecordedHistoriesReplay replays every history kept under workflows/testdata:
// what a released interpreter did, today's must do again. UPDATE_HISTORY=1 records
// the shapes that are not there yet; a recorded one is never rewritten.
func TestRecordedHistoriesReplay(t *testing.T) {
	t.Parallel()
	dir := filepath.Join("..", "..", "workflows", "testdata", "history")
	if os.Getenv("UPDATE_HISTORY") != "" {
		recordShapes(t, dir)
	}
	files, err := filepath.Glob(filepath.Join(dir, "ok", "*.bin"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no recorded histories under %s: %v", dir, err)
	}
	kept := artifacts(t, dir)
	for _, f := range files {
		h := readHistory(t, f)
		if err := replay(t, h, kept); err != nil {
			t.Errorf("%s does not replay: %v", filepath.Base(f), err)
		}
		if len(h.Events) < 6 {
			continue
		}
		// The same history with its scheduled calls renamed must not replay: the check bites.
		for _, e := range h.Events {
			if a := e.GetActivityTaskScheduledEventAttributes(); a != nil {
				a.ActivityType.Name = "terfyn.v1.Other"
			}
		}
		if scheduled(h) > 0 && replay(t, h, kept) == nil {
			t.Errorf("%s replays although its calls were changed", filepath.Base(f))
		}
	}
}

func scheduled(h *historypb.History) (n int) {
	for _, e := range h.Events {
		if e.EventType == enumspb.EVENT_TYPE_ACTIVITY_TASK_SCHEDULED {
			n++
		}
	}
	return n
}

func readHistory(t testing.TB, path string) *historypb.History {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	h := &historypb.History{}
	if err := proto.Unmarshal(b, h); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return h
}

// recordShapes runs one run of each shape and keeps its history and the artifacts
// its claims name.
func recordShapes(t *testing.T, dir string) {
	d := newDesk(t, startServer(t), onSQLite)
	d.write(map[string]string{"echo.agent": echo + `
workflow branch(story: any) policy desk {
    n = story.n
    while n == 1 limit 2 {
        press.read_file(path: "articles/shipping.md")
        n = 2
    }
    if n == 2 {
        return { n: n }
    }
    return { none: true }
}
`})
	d.edit("echo.agent", "echo { effects { press.write } }", "echo { effects { press.write } } read_file { effects { articles.read } readOnly true timeoutSeconds 1 }")
	d.edit("echo.agent", "type native", `type native workspace { root "." }`)
	d.edit("echo.agent", "permitWithApproval { press.write }", "permit { articles.read } permitWithApproval { press.write }")
	d.apply("local")
	d.work(nil)
	save := func(id string) {
		h := d.history(id)
		keepArtifacts(t, d.store, h, dir)
		writeOnce(t, filepath.Join(dir, "ok", id+".bin"), marshal(t, h))
	}
	run := d.start("reply", d.reply("T-1"))
	d.through("reply")
	d.must(run)
	save("reply")
	d.sink.LoseNext(1)
	run = d.start("reply-reconciled", d.reply("T-2"))
	d.through("reply-reconciled")
	d.must(run)
	save("reply-reconciled")
	in := contract.RunIn{Workflow: "publish", Input: value(t, `{"headline":"x","n":1}`), Actor: "sam"}
	run = d.start("gate-edited", in)
	a := d.waiting("gate-edited")
	dec := approval(a, policy.Edit)
	dec.Edit = value(t, `{"headline":"new"}`)
	if _, err := d.decide("gate-edited", dec); err != nil {
		t.Fatal(err)
	}
	d.must(run)
	save("gate-edited")
	run = d.start("gate-rejected", in)
	a = d.waiting("gate-rejected")
	if err := d.client.SignalWorkflow(t.Context(), "gate-rejected", "", contract.SignalDecision, approval(a, policy.Reject)); err != nil {
		t.Fatal(err)
	}
	d.fault(run)
	save("gate-rejected")
	d.must(d.start("branch", contract.RunIn{Workflow: "branch", Input: value(t, `{"n":1}`), Actor: "sam"}))
	save("branch")
	d.fault(d.start("unknown-workflow", contract.RunIn{Workflow: "nope"}))
	save("unknown-workflow")
}
