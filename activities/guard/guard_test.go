package guard_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"terfyn/activities/guard"
	"terfyn/compiler"
	"terfyn/deploy"
	"terfyn/deploy/snapshot"
	"terfyn/internal/canon"
	"terfyn/policy"
	"terfyn/store"
	"terfyn/store/sqlite"
	"terfyn/workflows/contract"
)

const project = `
tool mail {
    type mock
    safety { trusted true sideEffects true }
    operations {
        send { schema "schemas/Mail.json" effects { mail.send } maxInputBytes 200 }
        read { effects { mail.read } readOnly true }
    }
}

policy desk {
    approvals { requiredFor { tool.mail.send } }
    effects { permit { mail.read } permitWithApproval { mail.send } }
}

agent Reader {
    model mock/default
    grants { tool.mail.read }
}

workflow w(doc: any) policy desk {
    mail.send(to: doc.to)
    seen = Reader(doc)
    return { seen: seen }
}
`

const mailSchema = `{"type":"object","required":["to"],"properties":{"to":{"type":"string"}},"additionalProperties":false}`

type fixture struct {
	t        *testing.T
	store    store.Store
	guard    *guard.Guard
	snapshot canon.Digest
}

func newFixture(t *testing.T, source string) *fixture {
	t.Helper()
	s, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "state.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	f := &fixture{t: t, store: s, guard: &guard.Guard{Store: s, Snapshots: snapshot.NewCache(s, 4)}}
	f.snapshot = f.apply(source)
	_, err = s.StartRun(t.Context(), store.Run{
		RunID: "r", FirstExecID: "x", Workflow: "w", Environment: "local", Snapshot: f.snapshot, Status: store.RunRunning, StartedAt: time.Now(),
	})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func (f *fixture) apply(source string) canon.Digest {
	f.t.Helper()
	r, ds := compiler.Compile(fstest.MapFS{"main.agent": {Data: []byte(source)}, "schemas/Mail.json": {Data: []byte(mailSchema)}}, compiler.Options{Project: "p"})
	if ds.HasErrors() {
		f.t.Fatal(ds.String())
	}
	content := snapshot.Content{Environment: "local", Graph: r.Graph, Programs: r.Programs, Schemas: r.Schemas}
	plan, err := deploy.Prepare(f.t.Context(), f.store, content, deploy.Options{})
	if err != nil {
		f.t.Fatal(err)
	}
	a, err := deploy.Apply(f.t.Context(), f.store, deploy.ApplyIn{Plan: plan, Content: content, CompilerVersion: "test", Actor: "t", Now: time.Now()})
	if err != nil {
		f.t.Fatal(err)
	}
	return a.Current.Snapshot
}

func (f *fixture) call(operation, args string) contract.CallToolIn {
	f.t.Helper()
	v, err := canon.Parse([]byte(args))
	if err != nil {
		f.t.Fatal(err)
	}
	return contract.CallToolIn{
		Ref:  contract.Ref{RunID: "r", FirstExecID: "x", Snapshot: f.snapshot, Environment: "local", Workflow: "w"},
		Site: "send", Tool: "mail", Operation: operation, Arguments: v, At: time.Now(),
	}
}

// approve stores a request and a decision for in.
func (f *fixture) approve(id string, in contract.CallToolIn, actor string) {
	f.t.Helper()
	revision := policy.Revision(in.Tool, in.Operation, in.Arguments, in.Site, in.Ref.Snapshot)
	_, err := f.store.OpenApproval(f.t.Context(), store.Approval{
		ID: id, RunID: in.Ref.RunID, CallSite: in.Site, Kind: "gate", Tool: in.Tool, Operation: in.Operation, Payload: []byte("{}"),
		Revision: revision, Snapshot: in.Ref.Snapshot, Allowed: []string{policy.Approve}, Status: store.ApprovalOpen, OpenedAt: time.Now(), Submitter: "sam",
	})
	if err == nil {
		_, err = f.store.Decide(f.t.Context(), store.Decision{ApprovalID: id, Decision: policy.Approve, Revision: revision, Granted: revision, Actor: actor, At: time.Now()}, store.ApprovalApproved)
	}
	if err != nil {
		f.t.Fatal(err)
	}
}

func (f *fixture) admit(in contract.CallToolIn) (guard.Admission, *guard.Refusal) {
	f.t.Helper()
	a, r, err := f.guard.Admit(f.t.Context(), in)
	if err != nil {
		f.t.Fatal(err)
	}
	return a, r
}

func (f *fixture) refused(in contract.CallToolIn, want contract.Outcome, rule string) {
	f.t.Helper()
	_, r := f.admit(in)
	if r == nil || r.Outcome != want {
		f.t.Errorf("got %+v, want %s", r, want)
		return
	}
	if said := r.Rule + " " + r.Fault.Message; !strings.Contains(said, rule) {
		f.t.Errorf("%q does not name %q", said, rule)
	}
}

func TestAdmitChecksEverythingAgain(t *testing.T) {
	t.Parallel()
	f := newFixture(t, project)
	send := f.call("send", `{"to":"a"}`)
	f.refused(send, contract.OutcomeNeedsApproval, "requiredFor tool.mail.send")

	f.approve("apr-1", send, "ann")
	send.ApprovalID = "apr-1"
	a, r := f.admit(send)
	if r != nil || a.ApprovalID != "apr-1" || !a.SideEffects || a.OperationID == "" {
		t.Fatalf("an approved call: %+v, %+v", a, r)
	}

	other := send
	other.Arguments = canon.Object(canon.F("to", canon.String("b")))
	f.refused(other, contract.OutcomeDenied, "revision")
	elsewhere := send
	elsewhere.Site = "send~2"
	f.refused(elsewhere, contract.OutcomeDenied, "not to this call")
	foreign := send
	foreign.Ref.RunID = "r2"
	f.refused(foreign, contract.OutcomeDenied, "no run r2 is recorded")
	execution := send
	execution.Ref.FirstExecID = "y"
	f.refused(execution, contract.OutcomeDenied, "another execution")
	reconcile := send
	reconcile.Reconciles = "op-1"
	f.refused(reconcile, contract.OutcomeDenied, "does not reconcile")
	missing := send
	missing.ApprovalID = "apr-9"
	f.refused(missing, contract.OutcomeDenied, "apr-9")

	f.refused(f.call("delete", `{}`), contract.OutcomeDenied, "operation_not_in_manifest")
	f.refused(f.call("send", `{"to":1}`), contract.OutcomeFailed, "/to")
	f.refused(f.call("send", fmt.Sprintf(`{"to":%q}`, strings.Repeat("x", 300))), contract.OutcomeFailed, "tool_input exceeds limit")
	byAgent := f.call("send", `{"to":"a"}`)
	byAgent.Agent = "Reader"
	f.refused(byAgent, contract.OutcomeDenied, "not granted to agent Reader")
	if a, r := f.admit(f.call("read", `{}`)); r != nil || a.SideEffects {
		t.Errorf("a read-only call: %+v, %+v", a, r)
	}
	unknown := send
	unknown.Ref.Snapshot = canon.Sum([]byte("nothing"))
	f.refused(unknown, contract.OutcomeDenied, "snapshot")
}

func TestRevokedApprovalIsRefused(t *testing.T) {
	t.Parallel()
	f := newFixture(t, project)
	send := f.call("send", `{"to":"a"}`)
	f.approve("apr-1", send, "ann")
	send.ApprovalID = "apr-1"
	if err := f.store.CloseApproval(t.Context(), "apr-1", store.ApprovalRevoked, time.Now()); err != nil {
		t.Fatal(err)
	}
	_, r := f.admit(send)
	if r == nil || r.Fault.Type != contract.FaultRevoked {
		t.Errorf("got %+v", r)
	}
}

func TestStricterOfPinnedAndDeployed(t *testing.T) {
	t.Parallel()
	f := newFixture(t, project)
	send := f.call("send", `{"to":"a"}`)
	f.approve("apr-1", send, "ann")
	send.ApprovalID = "apr-1"

	f.apply(strings.NewReplacer("approvals { requiredFor { tool.mail.send } }", "", "permit { mail.read } permitWithApproval { mail.send }", "permit { mail }").Replace(project))
	unapproved := send
	unapproved.ApprovalID = ""
	f.refused(unapproved, contract.OutcomeNeedsApproval, "requiredFor")
	if _, r := f.admit(send); r != nil {
		t.Errorf("a wider policy refuses: %+v", r)
	}

	f.apply(strings.Replace(project, "requiredFor { tool.mail.send }", "requiredFor { tool.mail.send } approvers { bob }", 1))
	_, r := f.admit(send)
	if r == nil || r.Outcome != contract.OutcomeNeedsApproval || r.Deciders == nil || len(r.Deciders.Names) != 1 || r.Deciders.Names[0] != "bob" {
		t.Fatalf("a new approver: %+v", r)
	}
	if a, err := f.store.Approval(t.Context(), "apr-1"); err != nil || a.Status != store.ApprovalSuperseded {
		t.Errorf("the old decision is %s, %v", a.Status, err)
	}

	f.apply(strings.NewReplacer("mail.send(to: doc.to)", "", "        send { schema \"schemas/Mail.json\" effects { mail.send } maxInputBytes 200 }\n", "",
		"approvals { requiredFor { tool.mail.send } }", "").Replace(project))
	f.refused(send, contract.OutcomeDenied, "operation_not_in_manifest")

	f.apply(strings.Replace(strings.Replace(project, "workflow w(", "workflow v(", 1), "approvals", "approvals", 1))
	f.refused(send, contract.OutcomeDenied, "not deployed any more")
}

func TestCheckArguments(t *testing.T) {
	t.Parallel()
	f := newFixture(t, project)
	in := f.call("send", `{"to":"a"}`)
	gate := policy.Gate{Kind: policy.KindGate, Tool: "mail", Operation: "send", Site: "send"}
	for args, ok := range map[string]bool{`{"to":"b"}`: true, `{"to":1}`: false, `{}`: false, `{"to":"b","cc":"c"}`: false} {
		v, err := canon.Parse([]byte(args))
		if err != nil {
			t.Fatal(err)
		}
		refused, err := f.guard.CheckArguments(t.Context(), in.Ref, gate, v)
		if err != nil || (refused == "") != ok {
			t.Errorf("%s: %q, %v", args, refused, err)
		}
	}
}

// TestDecidersAtTheSender: the sender judges those who decided by the stricter of
// the pinned and the deployed rules: an approver removed since, and a submitter
// who may not decide any more, do not count.
func TestDecidersAtTheSender(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ before, after, actor string }{
		"removed approver": {"approvers { ann bob }", "approvers { bob cat }", "ann"},
		"submitter":        {"", "forbidSubmitter true", "sam"},
		"too few":          {"", "minApprovals 2", "ann"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			with := func(rule string) string {
				return strings.Replace(project, "requiredFor { tool.mail.send }", "requiredFor { tool.mail.send } "+rule, 1)
			}
			f := newFixture(t, with(c.before))
			send := f.call("send", `{"to":"a"}`)
			f.approve("apr-1", send, c.actor)
			send.ApprovalID = "apr-1"
			if _, r := f.admit(send); r != nil {
				t.Fatalf("before the apply: %+v", r)
			}
			f.apply(with(c.after))
			_, r := f.admit(send)
			if r == nil || r.Outcome != contract.OutcomeNeedsApproval {
				t.Fatalf("after it: %+v", r)
			}
			if name == "removed approver" && (len(r.Deciders.Names) != 1 || r.Deciders.Names[0] != "bob") {
				t.Errorf("who may decide now: %+v", r.Deciders)
			}
		})
	}
}

// Behaviour 141: the arguments of a native operation without a schema of its author
// are checked against the built-in one that was captured with the snapshot.
func TestBehaviour141NativeSchemasAtDispatch(t *testing.T) {
	t.Parallel()
	f := newFixture(t, `
tool mail {
    type native
    safety { trusted true sideEffects false }
    operations { read_file { effects { ws.read } } edit { schema "schemas/Mail.json" effects { ws.write } } }
}
policy desk { effects { permit { ws } } }
workflow w(doc: any) policy desk { mail.read_file(path: doc.path) mail.edit(to: doc.to) }
`)
	for _, c := range []struct{ operation, args, says string }{
		{"read_file", `{"path":"a"}`, ""},
		{"read_file", `{}`, "path"},
		{"read_file", `{"path":"a","mode":"w"}`, "mode"},
		{"edit", `{"to":"x"}`, ""},
		{"edit", `{"path":"a","old_string":"a","new_string":"b"}`, "to"}, // the author's schema wins
	} {
		_, refusal, err := f.guard.Admit(t.Context(), f.call(c.operation, c.args))
		switch {
		case err != nil:
			t.Fatal(err)
		case (refusal == nil) != (c.says == ""):
			t.Errorf("%s %s: %+v", c.operation, c.args, refusal)
		case refusal != nil && (refusal.Fault.Type != contract.FaultArguments || !strings.Contains(refusal.Fault.Message, c.says)):
			t.Errorf("%s %s: %+v", c.operation, c.args, refusal.Fault)
		}
	}
}
