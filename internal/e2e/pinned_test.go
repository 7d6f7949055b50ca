package e2e

import (
	"database/sql"
	"strings"
	"testing"
	"time"

	"terfyn/policy"
	"terfyn/store"
	"terfyn/workflows/contract"
)

// TestPinned: what is applied while a run is suspended cannot widen it, and stops
// it at its next dispatch when it is narrower.
func TestPinned(t *testing.T) {
	t.Parallel()
	s := startServer(t)

	t.Run("a wider policy changes nothing", func(t *testing.T) {
		w := newWorld(t, s, onSQLite)
		w.write(map[string]string{"main.agent": echo + twice})
		before := w.apply("local")
		w.work(nil)
		run := w.start("wider", contract.RunIn{Workflow: "twice", Input: value(t, `{}`), Actor: "sam"})
		a := w.waiting("wider")
		w.edit("main.agent", "approvals { requiredFor { tool.press.echo } }", "")
		w.edit("main.agent", "permitWithApproval { press.write }", "permit { press.write }")
		if after := w.apply("local"); after == before {
			t.Fatal("the apply changed nothing")
		}
		if _, err := w.decide("wider", approval(a, policy.Approve)); err != nil {
			t.Fatal(err)
		}
		second := w.waitingFor("wider", func(o store.Approval) bool { return o.ID != a.ID })
		if second.Snapshot != before {
			t.Errorf("the second gate is under %s", second.Snapshot)
		}
		if _, err := w.decide("wider", approval(second, policy.Approve)); err != nil {
			t.Fatal(err)
		}
		w.must(run)
		if got := w.row("wider").Snapshot; got != before {
			t.Errorf("the run is under %s, it started under %s", got, before)
		}
	})

	t.Run("a removed operation stops at dispatch", func(t *testing.T) {
		w := newWorld(t, s, onSQLite)
		w.write(map[string]string{"main.agent": echo})
		w.apply("local")
		w.work(nil)
		run := w.start("narrower", contract.RunIn{Workflow: "publish", Input: value(t, `{"headline":"x","n":1}`), Actor: "sam"})
		a := w.waiting("narrower")
		w.edit("main.agent", "permitWithApproval { press.write }", "permitWithApproval { press.draft }")
		w.edit("main.agent", "echo { effects { press.write } }", "echo { effects { press.write } } read_file { effects { press.draft } readOnly true }")
		w.edit("main.agent", `done = press.echo(headline: story.headline, n: story.n)`, `done = press.read_file(path: "x")`)
		w.edit("main.agent", `return { headline: done.echo.headline, n: done.echo.n }`, `return { headline: done.content }`)
		w.edit("main.agent", "approvals { requiredFor { tool.press.echo } }", "approvals { requiredFor { tool.press.read_file } }")
		w.apply("local")
		if _, err := w.decide("narrower", approval(a, policy.Approve)); err != nil {
			t.Fatal(err)
		}
		fault, message := w.fault(run)
		if fault != contract.FaultPolicy || !strings.Contains(message, "press.write") || !strings.Contains(message, "policy desk") {
			t.Errorf("fault %s: %s; the rule is not named", fault, message)
		}
		if effects, err := w.store.EffectsOf(t.Context(), "narrower"); err != nil || len(effects) != 0 {
			t.Errorf("ledger %+v, %v: the denied call was dispatched", effects, err)
		}
		w.verify("narrower")
	})

	t.Run("a new approver supersedes the old decision", func(t *testing.T) {
		w := newWorld(t, s, onSQLite)
		w.write(map[string]string{"main.agent": echo})
		w.apply("local")
		w.work(nil)
		run := w.start("superseded", contract.RunIn{Workflow: "publish", Input: value(t, `{"headline":"x","n":1}`), Actor: "sam"})
		a := w.waiting("superseded")
		w.edit("main.agent", "requiredFor { tool.press.echo }", "requiredFor { tool.press.echo } approvers { bob } forbidSubmitter true")
		w.apply("local")
		if _, err := w.decide("superseded", approval(a, policy.Approve)); err != nil {
			t.Fatal(err) // ann may decide under the pinned rules
		}
		again := w.waitingFor("superseded", func(o store.Approval) bool { return o.ID != a.ID })
		if got, err := w.store.Approval(t.Context(), a.ID); err != nil || got.Status != store.ApprovalSuperseded {
			t.Errorf("the old decision is %s, %v", got.Status, err)
		}
		if _, err := w.decide("superseded", approval(again, policy.Approve)); refusal(t, err) != policy.RefusedActor {
			t.Errorf("ann at the new gate: %v", err)
		}
		d := approval(again, policy.Approve)
		d.Actor = "bob"
		if _, err := w.decide("superseded", d); err != nil {
			t.Fatal(err)
		}
		w.must(run)
		w.verify("superseded")
	})
}

// twice calls the gated operation two times.
const twice = `
workflow twice(story: any) policy desk {
    press.echo(n: 1)
    press.echo(n: 2)
    return { done: true }
}
`

// TestCase17TheSubmitterDoesNotApprove: the requester, a stranger and a nameless
// decider are refused where approvers are declared; one of them is taken. Without
// approvers the trail says that anybody could decide.
func TestCase17TheSubmitterDoesNotApprove(t *testing.T) {
	t.Parallel()
	w := newWorld(t, startServer(t), onSQLite)
	w.write(map[string]string{"main.agent": strings.Replace(echo, "requiredFor { tool.press.echo }",
		"requiredFor { tool.press.echo } approvers { ann sam } forbidSubmitter true", 1)})
	w.apply("local")
	w.work(nil)
	in := contract.RunIn{Workflow: "publish", Input: value(t, `{"headline":"x","n":1}`), Actor: "sam"}
	run := w.start("approvers", in)
	a := w.waiting("approvers")
	for actor, want := range map[string]policy.RefusalCode{"sam": policy.RefusedActor, "": policy.RefusedMalformed, "eve": policy.RefusedActor} {
		d := approval(a, policy.Approve)
		d.Actor = actor
		if _, err := w.decide("approvers", d); refusal(t, err) != want {
			t.Errorf("%q: %v, want %s", actor, err, want)
		}
	}
	if _, err := w.decide("approvers", approval(a, policy.Approve)); err != nil {
		t.Fatal(err)
	}
	w.must(run)

	in.AutoApprove = true
	if fault, message := w.fault(w.start("advance", in)); fault != contract.FaultPolicy || !strings.Contains(message, "approvers") {
		t.Errorf("an approval in advance where approvers are declared: %s: %s", fault, message)
	}

	w.edit("main.agent", " approvers { ann sam } forbidSubmitter true", "")
	w.apply("local")
	in.AutoApprove = false
	run = w.start("single", in)
	w.approve("single")
	w.must(run)
	said := false
	for _, e := range w.events("single", contract.HitlDecisionSubmitted) {
		said = said || strings.Contains(string(e.Data), "single-operator mode")
	}
	if !said {
		t.Error("the trail does not say that no approvers are declared")
	}
}

// TestPreApproval: --approve admits exactly the named capability and is recorded
// as the submitter's decision (behaviours 100, 107).
func TestBehaviour100And107PreApproval(t *testing.T) {
	t.Parallel()
	w := newWorld(t, startServer(t), onSQLite)
	w.write(map[string]string{"main.agent": echo})
	w.apply("local")
	w.work(nil)
	in := contract.RunIn{Workflow: "publish", Input: value(t, `{"headline":"x","n":1}`), Actor: "sam"}
	for id, change := range map[string]func(*contract.RunIn){
		"auto": func(r *contract.RunIn) { r.AutoApprove = true }, "named": func(r *contract.RunIn) { r.Approve = []string{"tool.press.echo"} },
	} {
		r := in
		change(&r)
		w.must(w.start(id, r))
		list, err := w.store.ListApprovals(t.Context(), store.ApprovalFilter{RunID: id})
		if err != nil || len(list) != 1 || list[0].Status != store.ApprovalApproved {
			t.Fatalf("%s: requests %+v, %v", id, list, err)
		}
		if ds, err := w.store.Decisions(t.Context(), list[0].ID); err != nil || len(ds) != 1 || ds[0].Actor != "sam" {
			t.Errorf("%s: decisions %+v, %v", id, ds, err)
		}
		w.verify(id)
	}
	nameless := in
	nameless.Actor, nameless.AutoApprove = "", true
	w.must(w.start("nameless", nameless))
	if got := w.row("nameless").Actor; got != contract.Anonymous {
		t.Errorf("a start without an actor is by %q", got)
	}
	in.Approve = []string{"tool.press.other"}
	run := w.start("other", in)
	w.approve("other")
	w.must(run)
}

// TestAlteredSnapshotIsRefused: bytes of the pinned snapshot that were changed in
// the store are noticed by a worker that loads them, and nothing is sent.
func TestAlteredSnapshotIsRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t, startServer(t), onSQLite)
	w.write(map[string]string{"main.agent": echo})
	w.apply("local")
	p := w.startProcess()
	run := w.start("altered", contract.RunIn{Workflow: "publish", Input: value(t, `{"headline":"x","n":1}`), Actor: "sam"})
	a := w.waiting("altered")
	eventually(t, time.Minute, "history holds the request", func() bool {
		var state contract.State
		q, err := w.client.QueryWorkflow(t.Context(), "altered", "", contract.QueryState)
		return err == nil && q.Get(&state) == nil && len(state.Waiting) == 1
	})
	p.kill()
	db, err := sql.Open("sqlite", w.dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	changed, err := db.ExecContext(t.Context(), `update deployment_artifacts set bytes = cast(replace(cast(bytes as text), 'requiredFor', 'requiredfor') as blob) where kind = 'resolved_graph'`)
	if err != nil {
		t.Fatal(err)
	}
	if n, err := changed.RowsAffected(); err != nil || n != 1 {
		t.Fatalf("%d artifacts altered, %v", n, err)
	}
	w.startProcess()
	if _, err := w.decide("altered", approval(a, policy.Approve)); err != nil {
		t.Fatal(err)
	}
	fault, message := w.fault(run)
	if fault != contract.FaultPolicy || !strings.Contains(message, "snapshot") {
		t.Errorf("fault %s: %s", fault, message)
	}
	if effects, err := w.store.EffectsOf(t.Context(), "altered"); err != nil || len(effects) != 0 {
		t.Errorf("ledger %+v, %v", effects, err)
	}
	if fault, message := w.fault(w.start("altered-start", contract.RunIn{Workflow: "publish", Input: value(t, `{}`)})); fault != contract.FaultSnapshot {
		t.Errorf("a new run under it: %s: %s", fault, message)
	}
}
