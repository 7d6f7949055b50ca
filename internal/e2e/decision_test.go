package e2e

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	commonpb "go.temporal.io/api/common/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"

	"terfyn/internal/canon"
	"terfyn/policy"
	"terfyn/store"
	"terfyn/workflows/contract"
)

// refusal is the code of a refused decision.
func refusal(t testing.TB, err error) policy.RefusalCode {
	t.Helper()
	var app *temporal.ApplicationError
	if !errors.As(err, &app) {
		t.Fatalf("got %v, expected a refusal", err)
	}
	return policy.RefusalCode(app.Type())
}

// TestCase09DecisionRace: 50 mixed decisions at once through updates and signals;
// one is taken, everybody else is told who won, and each attempt leaves one event.
func TestCase09DecisionRace(t *testing.T) {
	t.Parallel()
	s := startServer(t)
	for _, on := range []backend{onSQLite, onPostgres} {
		t.Run(string(on), func(t *testing.T) {
			w := newWorld(t, s, on)
			// A second gate keeps the run open, so that late losers still reach it.
			w.write(map[string]string{"main.agent": strings.Replace(echo, "    return", "    press.echo(headline: done.echo.headline)\n    return", 1)})
			w.apply("local")
			w.work(nil)
			id := "race-" + string(on)
			run := w.start(id, contract.RunIn{Workflow: "publish", Input: value(t, `{"headline":"x","n":1}`), Actor: "sam"})
			a := w.waiting(id)

			const updates, signals = 40, 10
			errs := make([]error, updates)
			var wg sync.WaitGroup
			for i := range updates + signals {
				d := approval(a, []string{policy.Approve, policy.Reject}[i%2])
				d.Actor = fmt.Sprintf("person-%d", i)
				wg.Add(1)
				go func() {
					defer wg.Done()
					if i < updates {
						_, errs[i] = w.decide(id, d)
						return
					}
					// A run that a rejection already ended takes no signal: that is an answer too.
					_ = w.client.SignalWorkflow(t.Context(), id, "", contract.SignalDecision, d)
				}()
			}
			wg.Wait()
			won := 0
			for _, err := range errs {
				if err == nil {
					won++
					continue
				}
				if strings.Contains(err.Error(), "already completed") || strings.Contains(err.Error(), "aborted by closing workflow") {
					continue // a rejection won and ended the run; the store tells who, below
				}
				if code := refusal(t, err); code != policy.RefusedDecided || !strings.Contains(err.Error(), "by person-") {
					t.Errorf("a loser was told %v", err)
				}
			}
			stored, err := w.store.Approval(t.Context(), a.ID)
			if err != nil || stored.Status == store.ApprovalOpen {
				t.Fatalf("the request is %s, %v", stored.Status, err)
			}
			if stored.Status == store.ApprovalApproved {
				w.approve(id) // the second gate
			}
			if _, err := w.result(run); (err == nil) != (stored.Status == store.ApprovalApproved) {
				t.Errorf("the run ended with %v after the request was %s", err, stored.Status)
			}
			decisions, err := w.store.Decisions(t.Context(), a.ID)
			if err != nil || len(decisions) != 1 {
				t.Fatalf("stored decisions %+v, %v; expected one", decisions, err)
			}
			if won > 1 {
				t.Errorf("%d updates were told they won", won)
			}
			accepted := 0
			for _, e := range w.events(id, contract.HitlDecisionSubmitted) {
				data := value(t, string(e.Data))
				if yes, _ := data.At("accepted").AsBool(); yes && data.Str("approvalId") == a.ID {
					accepted++
				}
			}
			if accepted != 1 {
				t.Errorf("%d accepted decisions are in the trace", accepted)
			}
			w.verify(id)
		})
	}
}

// TestDecisionsOutOfPlace: stale, unknown, early, unauthorised and malformed
// decisions change nothing and are traced, by update and by signal alike.
func TestDecisionsOutOfPlace(t *testing.T) {
	t.Parallel()
	w := newWorld(t, startServer(t), onSQLite)
	w.write(map[string]string{"main.agent": echo})
	w.apply("local")
	w.work(nil)
	const id = "refused"
	run := w.start(id, contract.RunIn{Workflow: "publish", Input: value(t, `{"headline":"x","n":1}`), Actor: "sam"})
	a := w.waiting(id)
	bad := map[policy.RefusalCode]policy.Decision{
		policy.RefusedStale:      {ApprovalID: a.ID, Revision: "sha256:0000", Decision: policy.Approve, Actor: "ann"},
		policy.RefusedUnknown:    {ApprovalID: "apr-early", Revision: a.Revision, Decision: policy.Approve, Actor: "ann"},
		policy.RefusedNotAllowed: {ApprovalID: a.ID, Revision: a.Revision, Decision: policy.Switch, Actor: "ann"},
		policy.RefusedMalformed:  {ApprovalID: a.ID, Revision: a.Revision, Decision: policy.Approve},
		policy.RefusedEdit:       {ApprovalID: a.ID, Revision: a.Revision, Decision: policy.Edit, Actor: "ann", Edit: value(t, `{"n":2}`)},
	}
	for code, d := range bad {
		if _, err := w.decide(id, d); refusal(t, err) != code {
			t.Errorf("update: %v, want %s", err, code)
		}
		if err := w.client.SignalWorkflow(t.Context(), id, "", contract.SignalDecision, d); err != nil {
			t.Fatal(err)
		}
	}
	eventually(t, time.Minute, "every refused attempt is traced", func() bool {
		refused := 0
		for _, e := range w.events(id, contract.HitlDecisionSubmitted) {
			if yes, said := value(t, string(e.Data)).At("accepted").AsBool(); said && !yes {
				refused++
			}
		}
		return refused == 2*len(bad)
	})
	if got, err := w.store.Approval(t.Context(), a.ID); err != nil || got.Status != store.ApprovalOpen {
		t.Errorf("the request is %+v, %v after refused decisions", got.Status, err)
	}
	if _, err := w.decide(id, approval(a, policy.Reject)); err != nil {
		t.Fatal(err)
	}
	if fault, message := w.fault(run); fault != contract.FaultRejected || !strings.Contains(message, "ann") {
		t.Errorf("fault %s: %s", fault, message)
	}
	if len(w.events(id, contract.ToolExecution)) != 0 {
		t.Error("the rejected call ran")
	}
	w.verify(id)
}

// TestPlainTools starts a run and approves it with Temporal's own client types and
// JSON only, as the temporal command line and other SDKs do.
func TestPlainTools(t *testing.T) {
	t.Parallel()
	w := newWorld(t, startServer(t), onSQLite)
	w.write(map[string]string{"main.agent": echo})
	w.apply("local")
	w.work(nil)
	plain, err := client.NewLazyClient(client.Options{HostPort: w.server.address(), Namespace: namespace, Logger: quiet()})
	if err != nil {
		t.Fatal(err)
	}
	defer plain.Close()
	type document = map[string]any
	run, err := plain.ExecuteWorkflow(t.Context(), client.StartWorkflowOptions{ID: "plain", TaskQueue: w.queue}, "TerfynRun",
		document{"workflow": "publish", "input": document{"headline": "plain", "n": 3}})
	if err != nil {
		t.Fatal(err)
	}
	a := w.waiting("plain")
	err = plain.SignalWorkflow(t.Context(), "plain", "", "terfyn.decision",
		document{"approvalId": a.ID, "revision": string(a.Revision), "decision": "approve", "actor": "operator"})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var out document
	if err := run.Get(ctx, &out); err != nil {
		t.Fatal(err)
	}
	if out["headline"] != "plain" {
		t.Errorf("output %v", out)
	}
	var state contract.State
	q, err := plain.QueryWorkflow(ctx, "plain", "", "terfyn.state")
	if err == nil {
		err = q.Get(&state)
	}
	if err != nil {
		t.Errorf("query a closed run: %v", err)
	}
	w.verify("plain")
}

// TestEditIsValidatedAndDispatched: only allowed arguments change, the edited call
// has its own revision, and exactly it is sent (behaviours 95).
func TestEditIsValidatedAndDispatched(t *testing.T) {
	t.Parallel()
	w := newWorld(t, startServer(t), onSQLite)
	w.write(map[string]string{"main.agent": strings.Replace(echo, "echo { effects { press.write } }", `echo { schema "schemas/Echo.json" effects { press.write } }`, 1),
		"schemas/Echo.json": `{"type":"object","properties":{"headline":{"type":"string","minLength":2},"n":{"type":"integer"}},"additionalProperties":false}`})
	w.apply("local")
	w.work(nil)
	run := w.start("edit", contract.RunIn{Workflow: "publish", Input: value(t, `{"headline":"old","n":18446744073709551615}`), Actor: "sam"})
	a := w.waiting("edit")
	d := approval(a, policy.Edit)
	d.Edit = value(t, `{"headline":"x"}`)
	if _, err := w.decide("edit", d); refusal(t, err) != policy.RefusedEdit {
		t.Errorf("an edit that violates the schema: %v", err)
	}
	d.Edit = value(t, `{"headline":"new"}`)
	v, err := w.decide("edit", d)
	if err != nil {
		t.Fatal(err)
	}
	want := policy.Revision("press", "echo", value(t, `{"headline":"new","n":18446744073709551615}`), a.CallSite, a.Snapshot)
	if v.Granted != want || v.Granted == a.Revision {
		t.Errorf("granted %s, want %s of the edited call", v.Granted, want)
	}
	if got := w.must(run).JSON(); got != `{"headline":"new","n":18446744073709551615}` {
		t.Errorf("output %s", got)
	}
	effects, err := w.store.EffectsOf(t.Context(), "edit")
	if err != nil || len(effects) != 1 || effects[0].Revision != want || effects[0].ApprovalID != a.ID {
		t.Errorf("ledger %+v, %v", effects, err)
	}
	w.verify("edit")
}

// TestSignalWithBrokenPayload: a signal that is no decision is traced and changes nothing.
func TestSignalWithBrokenPayload(t *testing.T) {
	t.Parallel()
	w := newWorld(t, startServer(t), onSQLite)
	w.write(map[string]string{"main.agent": echo})
	w.apply("local")
	w.work(nil)
	run := w.start("broken", contract.RunIn{Workflow: "publish", Input: value(t, `{"headline":"x","n":1}`), Actor: "sam"})
	a := w.waiting("broken")
	for _, v := range []any{"text", 7, []string{"a"}, nil, map[string]any{"approvalId": 9}, &commonpb.WorkflowExecution{WorkflowId: "proto"}} {
		if err := w.client.SignalWorkflow(t.Context(), "broken", "", contract.SignalDecision, v); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.decide("broken", approval(a, policy.Approve)); err != nil {
		t.Fatal(err)
	}
	if got := w.must(run); got.Kind() != canon.KindObject {
		t.Errorf("output %s", got.JSON())
	}
	w.verify("broken")
}
