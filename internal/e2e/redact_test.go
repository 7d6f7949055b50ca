package e2e

import (
	"strings"
	"testing"

	"terfyn/policy"
	"terfyn/workflows/contract"
)

// TestRowsHoldRedactedViews: values under sensitive keys, and under keys a policy
// names, are masked in every row a person reads; the call itself gets them whole.
func TestRowsHoldRedactedViews(t *testing.T) { // behaviours 101
	t.Parallel()
	w := newWorld(t, startServer(t), onSQLite)
	w.write(map[string]string{"main.agent": `
tool press {
    type native
    safety { trusted true sideEffects true }
    operations { echo { effects { press.write } } }
}

policy desk {
    approvals { requiredFor { tool.press.echo } }
    effects { permitWithApproval { press.write } }
    hitl {
        redactKeys { "pin" }
        interruptOn { press { allowedDecisions { approve reject edit } } }
    }
}

workflow publish(story: any) policy desk {
    done = press.echo(authToken: story.authToken, list: story.list, pin: story.pin)
    ok = false
    if done.echo.pin == "edited-canary" && done.echo.authToken == "token-canary" {
        ok = true
    }
    return { ok: ok }
}
`})
	w.apply("local")
	w.work(nil)
	run := w.start("redacted", contract.RunIn{Workflow: "publish", Actor: "sam",
		Input: value(t, `{"authToken":"token-canary","pin":"pin-canary","list":[[{"apiKey":"list-canary"}]]}`)})
	a := w.waiting("redacted")
	if strings.Contains(string(a.Payload), "canary") || !strings.Contains(string(a.Payload), "[REDACTED]") {
		t.Errorf("the request shows %s", a.Payload)
	}
	d := approval(a, policy.Edit)
	d.Edit = value(t, `{"pin":"edited-canary"}`)
	if _, err := w.decide("redacted", d); err != nil {
		t.Fatal(err)
	}
	if got := w.must(run).JSON(); got != `{"ok":true}` {
		t.Errorf("the call did not get the values: %s", got)
	}
	ds, err := w.store.Decisions(t.Context(), a.ID)
	if err != nil || len(ds) != 1 || strings.Contains(string(ds[0].Edit), "canary") {
		t.Errorf("decisions %+v, %v", ds, err)
	}
	steps, err := w.store.Steps(t.Context(), "redacted", 0)
	if err != nil || len(steps) == 0 {
		t.Fatal(err)
	}
	for _, s := range steps {
		if strings.Contains(string(s.Input)+string(s.Output), "canary") {
			t.Errorf("step %s: %s %s", s.CallSite, s.Input, s.Output)
		}
	}
	for _, e := range w.events("redacted", "") {
		if strings.Contains(string(e.Data), "canary") {
			t.Errorf("event %s: %s", e.Type, e.Data)
		}
	}
	if row := w.row("redacted"); strings.Contains(string(row.Input), "token-canary") {
		t.Errorf("run input %s", row.Input)
	}
}
