package e2e

import (
	"testing"

	"terfyn/policy"
	"terfyn/store"
	"terfyn/workflows/contract"
)

// echo is a project that needs no model: an open native tool behind a policy.
const echo = `
tool press {
    type native
    safety { trusted true sideEffects true }
    operations { echo { effects { press.write } } }
}

policy desk {
    approvals { requiredFor { tool.press.echo } }
    effects { permitWithApproval { press.write } }
    hitl { interruptOn { press { allowedDecisions { approve reject edit } allowedEditArgs { "headline" } } } }
}

workflow publish(story: any) policy desk {
    done = press.echo(headline: story.headline, n: story.n)
    return { headline: done.echo.headline, n: done.echo.n }
}
`

func TestRunStopsAtItsGateAndEnds(t *testing.T) {
	t.Parallel()
	s := startServer(t)
	for _, on := range []backend{onSQLite, onPostgres} {
		t.Run(string(on), func(t *testing.T) {
			w := newWorld(t, s, on)
			w.write(map[string]string{"main.agent": echo})
			snapshot := w.apply("local")
			w.work(nil)
			id := "gate-" + string(on)
			run := w.start(id, contract.RunIn{Workflow: "publish", Input: value(t, `{"headline":"old","n":9007199254740993}`), Actor: "sam"})
			a := w.waiting(id)
			if a.Kind != string(policy.KindGate) || a.Tool != "press" || a.Operation != "echo" || a.Snapshot != snapshot {
				t.Errorf("the request is %+v", a)
			}
			if got := w.row(id).Status; got != store.RunInterrupted {
				t.Errorf("status %s while waiting", got)
			}
			if _, err := w.decide(id, approval(a, policy.Approve)); err != nil {
				t.Fatal(err)
			}
			if got := w.must(run).JSON(); got != `{"headline":"old","n":9007199254740993}` {
				t.Errorf("output %s", got)
			}
			row := w.row(id)
			if row.Status != store.RunSucceeded || string(row.Output) != `{"headline":"old","n":9007199254740993}` {
				t.Errorf("row %+v", row)
			}
			w.verify(id)
		})
	}
}
