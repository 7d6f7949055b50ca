package e2e

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"go.temporal.io/sdk/client"

	"terfyn/activities/tool"
	"terfyn/store"
	"terfyn/workflows/contract"
)

// failing is a transport that fails in one way.
type failing struct{ err error }

// Call fails.
func (f failing) Call(context.Context, tool.Call) (tool.Result, error) { return tool.Result{}, f.err }

const plain = `
tool press {
    type native
    safety { trusted true sideEffects false }
}

workflow call(story: any) {
    done = press.echo(n: 1)
    return { done: done }
}
`

// TestCase23ToolErrorsEndTheRunReadably: whatever a tool fails with, the run ends
// in a state an operator can read; no workflow task fails for it.
func TestCase23ToolErrorsEndTheRunReadably(t *testing.T) {
	t.Parallel()
	s := startServer(t)
	for name, err := range map[string]error{
		"permanent":     &tool.Error{Class: tool.Failed, Code: "no", Message: "permanent"},
		"unknown type":  errors.New("a type nobody knows"),
		"3 MiB message": &tool.Error{Class: tool.Failed, Code: "big", Message: strings.Repeat("x", 3<<20)},
		"invalid UTF-8": &tool.Error{Class: tool.Failed, Code: "utf", Message: "bad \xff\xfe bytes"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, s, onSQLite)
			w.write(map[string]string{"main.agent": plain})
			w.apply("local")
			w.work(failing{err})
			id := "tool-" + strings.ReplaceAll(name, " ", "-")
			fault, message := w.fault(w.start(id, contract.RunIn{Workflow: "call", Input: value(t, `{}`), Actor: "sam"}))
			if fault != contract.FaultTool || len(message) > 8192 || !utf8.ValidString(message) {
				t.Errorf("fault %s with %d bytes", fault, len(message))
			}
			if row := w.row(id); row.Status != store.RunFailed || row.ErrorType != string(contract.FaultTool) {
				t.Errorf("row %s %s", row.Status, row.ErrorType)
			}
			d, err := w.client.DescribeWorkflow(t.Context(), id, "")
			if err != nil || d.RawResponse.GetPendingWorkflowTask().GetAttempt() > 1 {
				t.Errorf("workflow task %+v, %v", d, err)
			}
			w.verify(id)
		})
	}
}

// TestRefusedStarts: what is wrong with a start is said at once, in the run row,
// and with a fault type of its own.
func TestRefusedStarts(t *testing.T) {
	t.Parallel()
	w := newWorld(t, startServer(t), onSQLite)
	w.work(nil)
	check := func(id string, in contract.RunIn, want contract.FaultType) {
		t.Helper()
		fault, message := w.fault(w.start(id, in))
		if fault != want {
			t.Errorf("%s: fault %s: %s, want %s", id, fault, message, want)
		}
		if row := w.row(id); row.Status != store.RunFailed || row.ErrorType != string(want) || row.FinishedAt.IsZero() {
			t.Errorf("%s: row %+v", id, row)
		}
		w.verify(id)
	}
	check("early", contract.RunIn{Workflow: "call", Input: value(t, `{}`)}, contract.FaultNotDeployed)
	w.write(map[string]string{"main.agent": strings.Replace(plain, "story: any", "story: Story", 1),
		"schemas/Story.json": `{"type":"object","required":["n"],"properties":{"n":{"type":"integer"}}}`})
	w.apply("local")
	check("nobody", contract.RunIn{Workflow: "nope", Input: value(t, `{}`)}, contract.FaultNoWorkflow)
	check("shape", contract.RunIn{Workflow: "call", Input: value(t, `{"n":"one"}`)}, contract.FaultInput)
	check("list", contract.RunIn{Workflow: "call", Input: value(t, `[1]`)}, contract.FaultInput)
	w.must(w.start("good", contract.RunIn{Workflow: "call", Input: value(t, `{"n":9007199254740993}`)}))
}

// TestCancel: a cancelled run is closed as such, its request is closed, and no
// decision is taken afterwards.
func TestCancel(t *testing.T) {
	t.Parallel()
	w := newWorld(t, startServer(t), onSQLite)
	w.write(map[string]string{"main.agent": echo})
	w.apply("local")
	w.work(nil)
	run := w.start("cancelled", contract.RunIn{Workflow: "publish", Input: value(t, `{"headline":"x","n":1}`), Actor: "sam"})
	a := w.waiting("cancelled")
	if err := w.client.CancelWorkflow(t.Context(), "cancelled", ""); err != nil {
		t.Fatal(err)
	}
	if _, err := w.result(run); err == nil {
		t.Error("a cancelled run ended well")
	}
	eventually(t, time.Minute, "the row says cancelled", func() bool { return w.row("cancelled").Status == store.RunCancelled })
	if got, err := w.store.Approval(t.Context(), a.ID); err != nil || got.Status != store.ApprovalSuperseded {
		t.Errorf("the request is %s, %v", got.Status, err)
	}
	w.verify("cancelled")
}

// TestUnreadableStartFails: input that is no start of a run, or holds a number
// without a JSON form, fails the run at once; no workflow task is retried for it.
func TestUnreadableStartFails(t *testing.T) {
	t.Parallel()
	w := newWorld(t, startServer(t), onSQLite)
	w.write(map[string]string{"main.agent": plain})
	w.apply("local")
	w.work(nil)
	for i, input := range []any{json.RawMessage(`{"workflow":"call","input":{"n":1e400}}`), map[string]any{"workflow": 7}, "text", nil} {
		run, err := w.client.ExecuteWorkflow(t.Context(), client.StartWorkflowOptions{ID: fmt.Sprintf("unreadable-%d", i), TaskQueue: w.queue}, contract.RunWorkflow, input)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.result(run); err == nil || errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%v: %v", input, err)
		}
	}
}
