package e2e

import (
	"strings"
	"testing"

	"terfyn/policy"
	"terfyn/store"
	"terfyn/workflows/contract"
)

// TestTwoApprovers: with minApprovals 2 one vote leaves the request open, the same
// person does not count twice, an edit is nobody's alone, and one rejection is enough.
func TestTwoApprovers(t *testing.T) {
	t.Parallel()
	w := newWorld(t, startServer(t), onSQLite)
	w.write(map[string]string{"main.agent": strings.Replace(echo, "requiredFor { tool.press.echo }",
		"requiredFor { tool.press.echo } approvers { ann bob cat } minApprovals 2", 1)})
	w.apply("local")
	w.work(nil)
	in := contract.RunIn{Workflow: "publish", Input: value(t, `{"headline":"x","n":1}`), Actor: "sam"}
	run := w.start("votes", in)
	a := w.waiting("votes")
	if got := strings.Join(a.Allowed, " "); strings.Contains(got, policy.Edit) {
		t.Errorf("allowed: %s", got)
	}
	v, err := w.decide("votes", approval(a, policy.Approve))
	if err != nil || v.Status != "open" {
		t.Fatalf("the first vote: %+v, %v", v, err)
	}
	if _, err := w.decide("votes", approval(a, policy.Approve)); refusal(t, err) != policy.RefusedDecided {
		t.Errorf("the same person again: %v", err)
	}
	if got, err := w.store.Approval(t.Context(), a.ID); err != nil || got.Status != store.ApprovalOpen {
		t.Errorf("after one vote the request is %s, %v", got.Status, err)
	}
	second := approval(a, policy.Approve)
	second.Actor = "bob"
	if v, err := w.decide("votes", second); err != nil || v.Status != "approved" {
		t.Fatalf("the second vote: %+v, %v", v, err)
	}
	w.must(run)
	w.verify("votes")

	run = w.start("veto", in)
	a = w.waiting("veto")
	if _, err := w.decide("veto", approval(a, policy.Approve)); err != nil {
		t.Fatal(err)
	}
	no := approval(a, policy.Reject)
	no.Actor = "cat"
	if _, err := w.decide("veto", no); err != nil {
		t.Fatal(err)
	}
	if fault, message := w.fault(run); fault != contract.FaultRejected || !strings.Contains(message, "cat") {
		t.Errorf("fault %s: %s", fault, message)
	}
}

// TestOnTimeoutApprove: a policy may approve for the people who do not answer; the
// trail says that it was the policy.
func TestOnTimeoutApprove(t *testing.T) {
	t.Parallel()
	w := newWorld(t, startServer(t), onSQLite)
	w.write(map[string]string{"main.agent": strings.Replace(echo, "requiredFor { tool.press.echo }",
		"requiredFor { tool.press.echo } timeoutSeconds 1 onTimeout approve", 1)})
	w.apply("local")
	w.work(nil)
	run := w.start("silence", contract.RunIn{Workflow: "publish", Input: value(t, `{"headline":"x","n":1}`), Actor: "sam"})
	w.must(run)
	list, err := w.store.ListApprovals(t.Context(), store.ApprovalFilter{RunID: "silence"})
	if err != nil || len(list) != 1 {
		t.Fatalf("%+v, %v", list, err)
	}
	ds, err := w.store.Decisions(t.Context(), list[0].ID)
	if err != nil || len(ds) != 1 || ds[0].Actor != "policy:onTimeout" {
		t.Errorf("decisions %+v, %v", ds, err)
	}
}

// TestBehaviour129Budget: the turn that passes the ceiling is the last one.
func TestBehaviour129Budget(t *testing.T) {
	t.Parallel()
	w := newWorld(t, startServer(t), onSQLite)
	w.write(map[string]string{
		"main.agent": `
tool look { type native safety { sideEffects false } }
policy tight { execution { maxTotalCostUsd 0.04 } }
agent Reader { model mock/reader grants { tool.look.echo } }
workflow read(doc: any) policy tight {
    done = Reader(doc)
    return done
}
`,
		"mocks/reader.yaml": `
turns:
  - calls: [ { tool: look, arguments: { n: 1 } } ]
    costUsd: "0.02"
  - calls: [ { tool: look, arguments: { n: 2 } } ]
    costUsd: "0.03"
  - output: { done: true }
`})
	w.apply("local")
	w.work(nil)
	fault, message := w.fault(w.start("budget", contract.RunIn{Workflow: "read", Input: value(t, `{}`), Actor: "sam"}))
	if fault != contract.FaultBudget || !strings.Contains(message, "max_cost") {
		t.Errorf("fault %s: %s", fault, message)
	}
	hit := value(t, string(w.events("budget", contract.LimitHit)[0].Data))
	if hit.Str("kind") != "max_cost" || hit.At("maxTotalCostUsd").JSON() != "0.04" || hit.At("accumulatedUsd").JSON() != "0.05" {
		t.Errorf("limit_hit %s", hit.JSON())
	}
	if len(w.events("budget", contract.SystemError)) != 1 || len(w.events("budget", contract.RunError)) != 1 {
		t.Error("system_error or run_error is missing")
	}
	if n := len(w.events("budget", contract.LLMCompletion)); n != 2 {
		t.Errorf("%d turns were made", n)
	}
	if got := w.row("budget").CostUSD; got != "0.05" {
		t.Errorf("the run cost %s", got)
	}
	w.verify("budget")
}
