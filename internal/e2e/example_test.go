package e2e

import (
	"database/sql"
	"errors"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"terfyn/examples/support-reply/mailsink/sink"
	"terfyn/internal/canon"
	"terfyn/policy"
	"terfyn/store"
	"terfyn/store/audit"
	"terfyn/store/open"
	"terfyn/workflows/contract"
)

// exampleDir is the example the README leads through.
var exampleDir = filepath.Join("..", "..", "examples", "support-reply")

// desk is the example with a mail sink of its own.
type desk struct {
	*world
	sink *sink.Sink
	url  string
}

func newDesk(t testing.TB, s *server, on backend) *desk {
	t.Helper()
	d := &desk{world: newWorld(t, s, on), sink: &sink.Sink{}}
	srv := httptest.NewServer(d.sink)
	t.Cleanup(srv.Close)
	d.url = srv.URL
	d.copy(exampleDir)
	d.edit("tools.agent", `"http://127.0.0.1:8025"`, `"`+srv.URL+`"`)
	return d
}

// edit replaces text in a project file; text that is not there is a failure.
func (w *world) edit(file, old, new string) {
	w.t.Helper()
	path := filepath.Join(w.root, file)
	b, err := os.ReadFile(path)
	if err != nil {
		w.t.Fatal(err)
	}
	if !strings.Contains(string(b), old) {
		w.t.Fatalf("%s does not hold %q", file, old)
	}
	if err := os.WriteFile(path, []byte(strings.Replace(string(b), old, new, 1)), 0o644); err != nil {
		w.t.Fatal(err)
	}
}

// ticket is the input of run number i.
func ticket(t testing.TB, id string) canon.Value {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(exampleDir, "ticket.json"))
	if err != nil {
		t.Fatal(err)
	}
	return value(t, string(b)).With("id", canon.String(id))
}

func (d *desk) reply(id string) contract.RunIn {
	return contract.RunIn{Workflow: "reply", Input: ticket(d.t, id), Actor: "sam"}
}

// through approves the statement and the mail gate of a run.
func (d *desk) through(id string) {
	d.t.Helper()
	statement := d.waitingFor(id, func(a store.Approval) bool { return a.Kind == string(policy.KindStatement) })
	if _, err := d.world.decide(id, approval(statement, policy.Approve)); err != nil {
		d.t.Fatal(err)
	}
	gate := d.waitingFor(id, func(a store.Approval) bool { return a.Kind == string(policy.KindGate) })
	if _, err := d.world.decide(id, approval(gate, policy.Approve)); err != nil {
		d.t.Fatal(err)
	}
}

func TestExampleSendsOneMail(t *testing.T) {
	t.Parallel()
	d := newDesk(t, startServer(t), onSQLite)
	d.apply("local")
	d.work(nil)
	run := d.start("reply-1", d.reply("T-1"))
	d.through("reply-1")
	if got := d.must(run); got.Str("mail") != "mail-1" {
		t.Errorf("output %s", got.JSON())
	}
	if n := len(d.sink.Messages()); n != 1 {
		t.Errorf("%d mails were sent", n)
	}
	steps, err := d.store.Steps(t.Context(), "reply-1", 0)
	if err != nil {
		t.Fatal(err)
	}
	rounds := 0
	for _, s := range steps {
		if s.Kind == "agent" && s.Name == "Reviewer" {
			rounds++
			if s.Definition == "" {
				t.Error("an agent step does not name its definition")
			}
		}
	}
	if rounds != 2 {
		t.Errorf("the reviewer was asked %d times, the script refuses once", rounds)
	}
	d.verify("reply-1")
}

// TestLostResponse: the sink accepts and drops the connection. The outcome is
// unknown, it is reconciled, and one mail went out; the ledger is honest throughout.
func TestLostResponse(t *testing.T) {
	t.Parallel()
	d := newDesk(t, startServer(t), onPostgres)
	d.apply("local")
	d.work(nil)
	d.sink.LoseNext(1)
	run := d.start("lost", d.reply("T-lost"))
	d.through("lost")
	if got := d.must(run); got.Str("mail") != "mail-1" {
		t.Errorf("output %s", got.JSON())
	}
	if n := len(d.sink.Messages()); n != 1 {
		t.Errorf("%d mails were sent", n)
	}
	effects, err := d.store.EffectsOf(t.Context(), "lost")
	if err != nil || len(effects) != 1 {
		t.Fatalf("ledger %+v, %v", effects, err)
	}
	if e := effects[0]; e.State != store.EffectSucceeded || !e.Reconciled || e.ProviderID != "mail-1" || e.Attempts != 1 {
		t.Errorf("ledger row %+v", e)
	}
	var outcomes []string
	for _, e := range d.events("lost", contract.EffectOutcome) {
		outcomes = append(outcomes, value(t, string(e.Data)).Str("outcome"))
	}
	if got := strings.Join(outcomes, " "); got != "unknown reconciled(succeeded)" {
		t.Errorf("outcomes in the trace: %q", got)
	}
	d.verify("lost")
}

// TestUnknownOutcomeAsksAPerson: without a reconcile operation the run neither
// retries nor fails; a person says what happened, and only confirm-not-sent sends again.
func TestUnknownOutcomeAsksAPerson(t *testing.T) {
	t.Parallel()
	s := startServer(t)
	for decision, mails := range map[string]int{policy.ConfirmSent: 1, policy.ConfirmNotSent: 2, policy.Reject: 1} {
		t.Run(decision, func(t *testing.T) {
			d := newDesk(t, s, onSQLite)
			d.edit("tools.agent", "reconcile lookup", "")
			d.apply("local")
			d.work(nil)
			d.sink.LoseNext(1)
			id := "unknown-" + decision
			run := d.start(id, d.reply("T-"+decision))
			d.through(id)
			a := d.waitingFor(id, func(a store.Approval) bool { return a.Kind == string(policy.KindUnknownOutcome) })
			if effects, err := d.store.EffectsOf(t.Context(), id); err != nil || effects[0].State != store.EffectUnknown {
				t.Errorf("ledger %+v, %v while nobody knows", effects, err)
			}
			if _, err := d.decide(id, approval(a, policy.Approve)); refusal(t, err) != policy.RefusedNotAllowed {
				t.Errorf("a plain approval of an unknown outcome: %v", err)
			}
			dec := approval(a, decision)
			dec.ProviderID = "mail-1"
			if _, err := d.decide(id, dec); err != nil {
				t.Fatal(err)
			}
			if decision == policy.Reject {
				if fault, _ := d.fault(run); fault != contract.FaultRejected {
					t.Errorf("fault %s", fault)
				}
			} else {
				d.must(run)
			}
			if n := len(d.sink.Messages()); n != mails {
				t.Errorf("%d mails, want %d", n, mails)
			}
			d.verify(id)
		})
	}
}

// TestBehaviour92EachDecisionResolvesItsOwnGate: approving the statement does not
// reach the mail gate behind it.
func TestBehaviour92EachDecisionResolvesItsOwnGate(t *testing.T) {
	t.Parallel()
	d := newDesk(t, startServer(t), onSQLite)
	d.apply("local")
	d.work(nil)
	run := d.start("two-gates", d.reply("T-2"))
	first := d.approve("two-gates")
	second := d.waitingFor("two-gates", func(a store.Approval) bool { return a.ID != first.ID })
	if len(d.sink.Messages()) != 0 {
		t.Fatal("a mail went out before its own gate was decided")
	}
	if _, err := d.decide("two-gates", policy.Decision{ApprovalID: second.ID, Revision: first.Revision, Decision: policy.Approve, Actor: "ann"}); refusal(t, err) != policy.RefusedStale {
		t.Errorf("the first revision at the second gate: %v", err)
	}
	if _, err := d.decide("two-gates", approval(second, policy.Approve)); err != nil {
		t.Fatal(err)
	}
	d.must(run)
	d.verify("two-gates")
}

// TestApprovalExpires: nobody answers. The outcome is expired, not rejected, and a
// late decision is refused (case 15).
func TestCase15ApprovalExpires(t *testing.T) {
	t.Parallel()
	d := newDesk(t, startServer(t), onSQLite)
	d.edit("policy.agent", "requiredFor { tool.mail.send }", "requiredFor { tool.mail.send } timeoutSeconds 1")
	d.apply("local")
	d.work(nil)
	run := d.start("late", d.reply("T-late"))
	a := d.waiting("late")
	fault, message := d.fault(run)
	if fault != contract.FaultExpired || strings.Contains(message, "rejected") {
		t.Errorf("fault %s: %s", fault, message)
	}
	eventually(t, time.Minute, "the request is closed as expired", func() bool {
		got, err := d.store.Approval(t.Context(), a.ID)
		return err == nil && got.Status == store.ApprovalExpired
	})
	if _, err := d.decide("late", approval(a, policy.Approve)); err == nil {
		t.Error("a decision after the end was taken")
	}
	if len(d.sink.Messages()) != 0 {
		t.Error("a mail went out")
	}
	d.verify("late")
}

// TestIdempotentOperationIsSentAgain: an operation that takes the operation id as
// its key is repeated after a lost response, with the same key, and nobody is asked.
func TestIdempotentOperationIsSentAgain(t *testing.T) {
	t.Parallel()
	s := startServer(t)
	for attempts, asked := range map[string]bool{"3": false, "1": true} {
		t.Run("maxAttempts "+attempts, func(t *testing.T) {
			d := newDesk(t, s, onSQLite)
			d.edit("tools.agent", "idempotency none", "idempotency key")
			d.edit("tools.agent", "reconcile lookup", "")
			d.edit("tools.agent", "type http", "type http retry { maxAttempts "+attempts+" backoff \"fixed\" }")
			d.apply("local")
			d.work(nil)
			d.sink.LoseNext(2)
			id := "again-" + attempts
			run := d.start(id, d.reply("T-"+attempts))
			d.through(id)
			if asked {
				a := d.waitingFor(id, func(a store.Approval) bool { return a.Kind == string(policy.KindUnknownOutcome) })
				if _, err := d.decide(id, approval(a, policy.ConfirmSent)); err != nil {
					t.Fatal(err)
				}
			}
			d.must(run)
			messages := d.sink.Messages()
			if want := map[bool]int{false: 3, true: 1}[asked]; len(messages) != want {
				t.Fatalf("%d requests arrived, want %d", len(messages), want)
			}
			for _, m := range messages { // this sink counts each; a keyed service would have known them
				if m.OperationID != messages[0].OperationID {
					t.Errorf("two keys: %s and %s", m.OperationID, messages[0].OperationID)
				}
			}
			d.verify(id)
		})
	}
}

// TestAlteredRowsAreNoticed: rows beside the chain that were changed or removed do
// not fit what the chain says.
func TestAlteredRowsAreNoticed(t *testing.T) {
	t.Parallel()
	d := newDesk(t, startServer(t), onSQLite)
	d.apply("local")
	d.work(nil)
	run := d.start("altered-rows", d.reply("T-rows"))
	d.through("altered-rows")
	d.must(run)
	d.verify("altered-rows")
	if err := d.store.Close(); err != nil { // folds everything into the one file
		t.Fatal(err)
	}
	for statement, table := range map[string]string{
		`update decisions set actor = 'mallory'`:         "decisions",
		`delete from decisions`:                          "decisions",
		`update decisions set decision = 'edit'`:         "decisions",
		`delete from approvals`:                          "approvals",
		`update runs set status = 'failed'`:              "runs",
		`delete from runs where run_id = 'altered-rows'`: "runs",
		`delete from effects`:                            "effects",
		`update effects set state = 'failed'`:            "effects",
	} {
		mismatches, err := audit.CrossCheck(t.Context(), alteredCopy(t, d.dsn, statement), "altered-rows")
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(mismatches, func(m audit.Mismatch) bool { return m.Table == table }) {
			t.Errorf("%s is not noticed: %+v", statement, mismatches)
		}
	}
}

// alteredCopy is a store on a copy of the file in which statement was run.
func alteredCopy(t *testing.T, file, statement string) store.Store {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "state.db")
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	_, err = db.ExecContext(t.Context(), statement)
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
	s, err := open.Open(t.Context(), path, open.ReadOnly)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}
