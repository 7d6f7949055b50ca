package main

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/rogpeppe/go-internal/testscript"

	"terfyn/internal/canon"
	"terfyn/policy"
	"terfyn/store"
	"terfyn/store/open"
	"terfyn/workflows/contract"
)

// statePlace is where the script's state is.
func statePlace(ts *testscript.TestScript) string {
	if dsn := ts.Getenv("TERFYN_STATE"); dsn != "" {
		return dsn
	}
	return ts.MkAbs(".agentic/state.db")
}

var began = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)

// seed records two runs as a worker would: run-a succeeded, run-b waits for a
// decision on apr-1 and has an older request apr-0 that was approved.
func seed(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 0 {
		ts.Fatalf("usage: seed")
	}
	ctx := context.Background()
	s, err := open.Open(ctx, statePlace(ts), open.ReadWrite)
	ts.Check(err)
	ts.Check(s.InTx(ctx, func(tx store.Tx) error { return records(ctx, tx) }))
	ts.Check(s.Close())
}

func records(ctx context.Context, tx store.Tx) error {
	for i, id := range []string{"run-a", "run-b"} {
		at := began.Add(time.Duration(i) * time.Minute)
		_, err := tx.StartRun(ctx, store.Run{
			RunID: id, FirstExecID: "exec-" + id, Workflow: "hello", Environment: "local", Snapshot: canon.Sum([]byte("old")), Status: store.RunRunning,
			Actor: "user-1", Tenant: "tenant-1", Thread: "thread-1", Input: []byte("{}"), CostUSD: "0", StartedAt: at,
		})
		if err != nil {
			return err
		}
		if err := steps(ctx, tx, id, at); err != nil {
			return err
		}
	}
	err := tx.FinishRun(ctx, store.Run{
		RunID: "run-a", Status: store.RunSucceeded, Output: []byte(`{"n":9007199254740993}`), CostUSD: "0.25", TokensIn: 10, TokensOut: 5, FinishedAt: began.Add(time.Second),
	})
	if err != nil {
		return err
	}
	return requests(ctx, tx)
}

func steps(ctx context.Context, tx store.Tx, id string, at time.Time) error {
	event := func(n int, kind contract.EventType, actor string, data string) store.Event {
		return store.Event{RunID: id, Type: string(kind), Ordinal: n, CallSite: "greeting", ActorType: actor, ActorID: "x", At: at.Add(time.Duration(n) * time.Second), Data: []byte(data)}
	}
	events := []store.Event{
		event(0, contract.RunStarted, contract.ActorUser, `{"workflow":"hello"}`),
		event(1, contract.ToolExecution, contract.ActorAgent, `{"durationMs":5,"success":true,"tool":"mail"}`),
		event(2, contract.RunError, contract.ActorSystem, `{"message":"secret text","reason":"tool_failed"}`),
	}
	// The rows are in the chain too, which an audit compares.
	if id == "run-a" {
		events = append(events, event(3, contract.RunFinished, contract.ActorSystem, `{"status":"succeeded"}`))
	} else {
		decided := event(5, contract.HitlDecisionSubmitted, contract.ActorUser, `{"accepted":true,"approvalId":"apr-0","decision":"approve"}`)
		decided.ActorID = "ann"
		events = append(events, event(3, contract.HitlRequestCreated, contract.ActorSystem, `{"approvalId":"apr-0"}`),
			event(4, contract.HitlRequestCreated, contract.ActorSystem, `{"approvalId":"apr-1"}`), decided)
	}
	if _, err := tx.Append(ctx, events...); err != nil {
		return err
	}
	return tx.PutStep(ctx, store.Step{
		RunID: id, CallSite: "greeting", Attempt: 1, Kind: "agent", Name: "assistant", Status: store.StepSucceeded, StartedAt: at, FinishedAt: at.Add(time.Second), CostUSD: "0.25", Substituted: true,
	})
}

func requests(ctx context.Context, tx store.Tx) error {
	for i, id := range []string{"apr-0", "apr-1"} {
		_, err := tx.OpenApproval(ctx, store.Approval{
			ID: id, RunID: "run-b", CallSite: "post#" + strconv.Itoa(i), Kind: string(policy.KindGate), Tool: "mail", Operation: "send",
			Payload: []byte(`{"amount":9007199254740993,"token":"[REDACTED]"}`), Revision: canon.Sum([]byte(id)), Snapshot: canon.Sum([]byte("old")),
			PolicyDigest: canon.Sum([]byte("policy")), Rule: "explicit_policy_rule: requiredFor tool.mail.send", Allowed: []string{policy.Approve, policy.Reject, policy.Edit},
			EditPaths: []string{"amount"}, Approvers: []string{"ann"}, MinApprovals: 1, Submitter: "user-1", Status: store.ApprovalOpen,
			OpenedAt: began.Add(time.Duration(i) * time.Second),
		})
		if err != nil {
			return err
		}
	}
	_, err := tx.Decide(ctx, store.Decision{
		ApprovalID: "apr-0", Decision: policy.Approve, Revision: canon.Sum([]byte("apr-0")), Granted: canon.Sum([]byte("apr-0")), Actor: "ann", Reason: "fine", At: began.Add(time.Minute),
	}, store.ApprovalApproved)
	if err != nil {
		return err
	}
	return tx.SetRunStatus(ctx, "run-b", store.RunInterrupted)
}

// damage alters a recorded event of run-a behind the store's back.
func damage(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 0 {
		ts.Fatalf("usage: damage")
	}
	const statement = `UPDATE trace_events SET actor_id = 'somebody' WHERE run_id = 'run-a' AND seq = 2`
	place := statePlace(ts)
	if open.IsPostgres(place) {
		conn, err := pgx.Connect(context.Background(), place)
		ts.Check(err)
		_, err = conn.Exec(context.Background(), statement)
		ts.Check(err)
		ts.Check(conn.Close(context.Background()))
		return
	}
	db, err := sql.Open("sqlite", place)
	ts.Check(err)
	_, err = db.Exec(statement)
	ts.Check(err)
	ts.Check(db.Close())
}

// member reads a text or number out of a JSON file.
func member(ts *testscript.TestScript, file string, path ...string) string {
	v, err := canon.Parse([]byte(ts.ReadFile(file)))
	ts.Check(err)
	for _, name := range path {
		if i, err := strconv.Atoi(name); err == nil && i < len(v.Items()) {
			v = v.Items()[i]
			continue
		}
		v = v.At(name)
	}
	if v.IsNull() {
		ts.Fatalf("%s has no member %v", file, path)
	}
	return v.Text()
}

// waitFile waits until a file is there: waitfile FILE
func waitFile(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 1 {
		ts.Fatalf("usage: [!] waitfile FILE")
	}
	path := ts.MkAbs(args[0])
	ts.Check(eventually(func() bool {
		_, err := os.Stat(path)
		return (err == nil) != neg
	}, "file "+args[0]))
}

// patience is how long a script waits for another process.
const patience = time.Minute

func eventually(ok func() bool, what string) error {
	deadline := time.NewTimer(patience)
	defer deadline.Stop()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		if ok() {
			return nil
		}
		select {
		case <-tick.C:
		case <-deadline.C:
			return fmt.Errorf("waited %s for %s", patience, what)
		}
	}
}
