package e2e

import (
	"strings"
	"testing"

	enumspb "go.temporal.io/api/enums/v1"

	"terfyn/policy"
	"terfyn/store"
	"terfyn/workflows/contract"
)

// TestRolloverAfterEachStep: a run that continues as new in front of every step
// ends like an unbroken one: same output, same effects, one chain of events.
func TestRolloverAfterEachStep(t *testing.T) {
	t.Parallel()
	s := startServer(t)
	outputs := map[int]string{}
	for _, rollover := range []int{0, 1} {
		d := newDesk(t, s, onSQLite)
		d.rollover = rollover
		d.apply("local")
		d.work(nil)
		id := map[int]string{0: "unbroken", 1: "rolled"}[rollover]
		run := d.start(id, d.reply("T-roll"))
		statement := d.approve(id)
		gate := d.waitingFor(id, func(a store.Approval) bool { return a.Kind == string(policy.KindGate) })
		if rollover > 0 {
			if _, err := d.decide(id, approval(statement, policy.Reject)); refusal(t, err) != policy.RefusedDecided || !strings.Contains(err.Error(), "by ann") {
				t.Errorf("a second decision after the rollover: %v", err)
			}
		}
		if _, err := d.decide(id, approval(gate, policy.Approve)); err != nil {
			t.Fatal(err)
		}
		outputs[rollover] = d.must(run).JSON()
		if n := len(d.sink.Messages()); n != 1 {
			t.Errorf("%d mails", n)
		}
		if n := len(d.events(id, contract.ContinuedAsNew)); (n > 0) != (rollover > 0) {
			t.Errorf("%d rollovers at %d", n, rollover)
		}
		if n := len(d.events(id, contract.RunStarted)); n != 1 {
			t.Errorf("the run started %d times", n)
		}
		d.verify(id)
	}
	if outputs[0] != outputs[1] {
		t.Errorf("unbroken %s, rolled %s", outputs[0], outputs[1])
	}
}

// TestLongLoopKeepsItsHistoriesShort: rounds, bindings and both arms of an if
// survive the rollovers of a long loop.
func TestLongLoopKeepsItsHistoriesShort(t *testing.T) {
	t.Parallel()
	w := newWorld(t, startServer(t), onSQLite)
	w.rollover = 100
	w.write(map[string]string{"main.agent": `
tool press {
    type native
    safety { trusted true sideEffects false }
}

workflow long(doc: any) {
    last = { even: true }
    odd = 0
    while doc.more limit 120 {
        if last.even {
            last = press.echo(even: false)
            last = last.echo
        } else {
            last = press.echo(even: true, seen: odd)
            last = last.echo
            odd = last
        }
    }
    return { even: last.even, odd: odd }
}
`})
	w.apply("local")
	w.work(nil)
	run := w.start("long", contract.RunIn{Workflow: "long", Input: value(t, `{"more":true}`)})
	first := run.GetRunID()
	out := w.must(run)
	if even, _ := out.At("even").AsBool(); !even {
		t.Errorf("output %.200s", out.JSON())
	}
	depth := 0
	for v := out.At("odd"); v.At("seen").Kind() != 0; v = v.At("seen") {
		depth++
	}
	if depth != 60 {
		t.Errorf("%d of 60 values were carried through", depth)
	}
	it := w.client.GetWorkflowHistory(t.Context(), "long", first, false, enumspb.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT)
	n := 0
	for it.HasNext() {
		if _, err := it.Next(); err != nil {
			t.Fatal(err)
		}
		n++
	}
	if n > 150 {
		t.Errorf("the first execution has %d events", n)
	}
	if rolled := len(w.events("long", contract.ContinuedAsNew)); rolled < 4 {
		t.Errorf("%d rollovers in 120 rounds", rolled)
	}
	w.verify("long")
}

// TestCallersCannotCarry: state that a caller sends is not believed.
func TestCallersCannotCarry(t *testing.T) {
	t.Parallel()
	w := newWorld(t, startServer(t), onSQLite)
	w.write(map[string]string{"main.agent": echo})
	w.apply("local")
	w.work(nil)
	w.start("forged", contract.RunIn{Workflow: "publish", Input: value(t, `{"headline":"x","n":1}`), Carried: &contract.Carried{
		Format: contract.CarriedFormat, Path: []contract.Cursor{{Node: "return"}}, Bindings: []contract.Binding{{Name: "done", Value: value(t, `{"echo":{"n":666}}`)}},
	}})
	if a := w.waiting("forged"); a.Tool != "press" {
		t.Errorf("the run waits at %+v", a)
	}
}
