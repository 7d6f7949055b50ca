package e2e

import (
	"strings"
	"testing"

	"terfyn/activities/model"
	"terfyn/activities/model/modeltest"
	"terfyn/policy"
	"terfyn/store"
	"terfyn/workflows/contract"
)

// loop is a project whose agent may call a gated tool; gated calls pause.
const loop = `
provider lab { type openai baseUrl "URL" apiKeyFrom "env:TERFYN_E2E_KEY" }

tool press {
    type native
    safety { trusted true sideEffects true }
    operations { echo { effects { press.write } } }
}

policy desk {
    approvals { requiredFor { tool.press.echo } inLoop pause }
    effects { permitWithApproval { press.write } }
}

agent Writer {
    model lab/writer
    grants { tool.press.echo }
}

workflow write(story: any) policy desk {
    done = Writer(story)
    return done
}
`

// newLoop is a world whose agent speaks to a scripted model server.
func newLoop(t *testing.T, script modeltest.Script, files map[string]string) (*world, *modeltest.Server) {
	t.Helper()
	models := modeltest.NewServer(script)
	t.Cleanup(models.Close)
	w := newWorld(t, startServer(t), onSQLite)
	for name, text := range files {
		files[name] = strings.ReplaceAll(text, "URL", models.URL)
	}
	w.write(files)
	w.apply("local")
	return w, models
}

func calls(t *testing.T, texts ...string) []model.Call {
	t.Helper()
	out := make([]model.Call, len(texts))
	for i, s := range texts {
		out[i] = model.Call{ID: "c" + string(rune('1'+i)), Name: "press", Arguments: value(t, `{"message":"`+s+`"}`)}
	}
	return out
}

// TestCase01TheModelChangesItsMind: the reviewed call runs, whatever the model
// would say if it were asked again; it is not asked again.
func TestCase01TheModelChangesItsMind(t *testing.T) {
	t.Setenv("TERFYN_E2E_KEY", "key")
	asked := 0
	w, models := newLoop(t, func(r modeltest.Request) modeltest.Turn {
		if r.Assistants() > 0 {
			return modeltest.Turn{Text: `{"done":true}`}
		}
		asked++
		if asked == 1 {
			return modeltest.Turn{Calls: calls(t, "reviewed-value")}
		}
		return modeltest.Turn{Calls: calls(t, "changed-value")}
	}, map[string]string{"main.agent": loop})
	p := w.startProcess()
	run := w.start("mind", contract.RunIn{Workflow: "write", Input: value(t, `{}`), Actor: "sam"})
	a := w.waiting("mind")
	p.kill()
	if err := w.client.SignalWorkflow(t.Context(), "mind", "", contract.SignalDecision, approval(a, policy.Approve)); err != nil {
		t.Fatal(err)
	}
	w.startProcess()
	w.must(run)
	if asked != 1 || len(models.Faults()) > 0 {
		t.Errorf("the first turn was asked for %d times; faults %v", asked, models.Faults())
	}
	effects, err := w.store.EffectsOf(t.Context(), "mind")
	if err != nil || len(effects) != 1 || effects[0].Revision != a.Revision {
		t.Errorf("ledger %+v, %v, reviewed %s", effects, err, a.Revision)
	}
	result := string(models.Requests()[len(models.Requests())-1].Body)
	if !strings.Contains(result, "reviewed-value") || strings.Contains(result, "changed-value") {
		t.Errorf("the model was answered %s", result)
	}
	w.verify("mind")
}

// TestCase11DeclinedAndItDidNotRun: of two gated calls one is approved, the other
// declined; the declined one is never made, and the model reads the reason.
func TestCase11DeclinedAndItDidNotRun(t *testing.T) {
	t.Setenv("TERFYN_E2E_KEY", "key")
	w, models := newLoop(t, modeltest.ByTurn(
		modeltest.Turn{Calls: calls(t, "first", "second")}, modeltest.Turn{Text: `{"done":true}`},
	), map[string]string{"main.agent": loop})
	w.work(nil)
	run := w.start("declined", contract.RunIn{Workflow: "write", Input: value(t, `{}`), Actor: "sam"})
	first := w.approve("declined")
	second := w.waitingFor("declined", func(a store.Approval) bool { return a.ID != first.ID })
	d := approval(second, policy.Reject)
	d.Reason = "not this one"
	if _, err := w.decide("declined", d); err != nil {
		t.Fatal(err)
	}
	w.must(run)
	if effects, err := w.store.EffectsOf(t.Context(), "declined"); err != nil || len(effects) != 1 || effects[0].ApprovalID != first.ID {
		t.Errorf("ledger %+v, %v", effects, err)
	}
	last := string(models.Requests()[1].Body)
	if !strings.Contains(last, "not this one") || !strings.Contains(last, "first") || len(models.Faults()) > 0 {
		t.Errorf("the model was answered %s; faults %v", last, models.Faults())
	}
	w.verify("declined")
}

// TestInLoopDenialEndsTheRun: by default a gated call of an agent is denied and
// nobody is asked (execution.md section 4).
func TestInLoopDenialEndsTheRun(t *testing.T) {
	t.Setenv("TERFYN_E2E_KEY", "key")
	w, models := newLoop(t, modeltest.ByTurn(modeltest.Turn{Calls: calls(t, "x")}),
		map[string]string{"main.agent": strings.Replace(loop, "inLoop pause", "", 1)})
	w.work(nil)
	fault, message := w.fault(w.start("denied", contract.RunIn{Workflow: "write", Input: value(t, `{}`), Actor: "sam"}))
	if fault != contract.FaultPolicy || !strings.Contains(message, "approval_required") {
		t.Errorf("fault %s: %s", fault, message)
	}
	if models.Calls() != 1 || len(w.events("denied", contract.ToolExecution)) != 0 || len(w.events("denied", contract.SystemError)) != 1 {
		t.Errorf("%d model turns, events %+v", models.Calls(), w.events("denied", ""))
	}
	if list, err := w.store.ListApprovals(t.Context(), store.ApprovalFilter{RunID: "denied"}); err != nil || len(list) != 0 {
		t.Errorf("somebody was asked: %+v, %v", list, err)
	}
}

// TestCase19AModelErrorDoesNotRepeatEffects: step one has an effect, step two's
// model refuses for ever; the effect happened once and the reason holds no content.
func TestCase19AModelErrorDoesNotRepeatEffects(t *testing.T) {
	t.Setenv("TERFYN_E2E_KEY", "key")
	files := map[string]string{"main.agent": strings.Replace(strings.Replace(loop, "done = Writer(story)", "press.echo(n: 1)\n    done = Writer(story)", 1),
		"approvals { requiredFor { tool.press.echo } inLoop pause }\n    effects { permitWithApproval { press.write } }", "effects { permit { press.write } }", 1)}
	w, models := newLoop(t, func(modeltest.Request) modeltest.Turn { return modeltest.Turn{Status: 400, Code: "bad_request"} }, files)
	w.work(nil)
	fault, message := w.fault(w.start("refusing", contract.RunIn{Workflow: "write", Input: value(t, `{"secretive":"content-of-the-ticket"}`), Actor: "sam"}))
	if fault != contract.FaultModel || strings.Contains(message, "content-of-the-ticket") || !strings.Contains(message, "400") {
		t.Errorf("fault %s: %s", fault, message)
	}
	if effects, err := w.store.EffectsOf(t.Context(), "refusing"); err != nil || len(effects) != 1 || effects[0].Attempts != 1 {
		t.Errorf("ledger %+v, %v", effects, err)
	}
	if models.Calls() != 1 {
		t.Errorf("the model was asked %d times for an error no retry cures", models.Calls())
	}
	w.verify("refusing")
}

// TestTurnCap: on the limit the pending calls are answered, not executed, and one
// closing turn without tools follows; prose there fails the step (behaviours 144, 145).
func TestTurnCap(t *testing.T) {
	t.Setenv("TERFYN_E2E_KEY", "key")
	for name, c := range map[string]struct {
		closing string
		ends    bool
	}{"answers": {`{"done":true}`, true}, "prose": {"I am still busy", false}} {
		t.Run(name, func(t *testing.T) {
			w, models := newLoop(t, modeltest.ByTurn(modeltest.Turn{Calls: calls(t, "x")}, modeltest.Turn{Text: c.closing}),
				map[string]string{"main.agent": strings.Replace(loop, "grants {", "constraints { maxIterations 1 }\n    grants {", 1)})
			w.work(nil)
			run := w.start("cap-"+name, contract.RunIn{Workflow: "write", Input: value(t, `{}`), Actor: "sam"})
			if c.ends {
				w.must(run)
			} else if fault, message := w.fault(run); fault != contract.FaultAgent {
				t.Errorf("fault %s: %s", fault, message)
			}
			if models.Calls() != 2 || len(models.Faults()) > 0 {
				t.Errorf("%d turns, faults %v", models.Calls(), models.Faults())
			}
			if strings.Contains(string(models.Requests()[1].Body), `"tools"`) {
				t.Error("the closing turn offers tools")
			}
			if len(w.events("cap-"+name, contract.ToolExecution)) != 0 || len(w.events("cap-"+name, contract.LimitHit)) != 1 {
				t.Error("a call ran, or limit_hit is missing")
			}
			steps, err := w.store.Steps(t.Context(), "cap-"+name, 0)
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range steps {
				if want := s.Kind == "agent" || strings.HasSuffix(s.CallSite, "turn2"); s.Substituted != want {
					t.Errorf("%s %s: substituted %v, want %v", s.Kind, s.CallSite, s.Substituted, want)
				}
				if s.Status == store.StepRunning || s.Status == store.StepWaiting {
					t.Errorf("%s %s is %s although the run has ended", s.Kind, s.CallSite, s.Status)
				}
			}
		})
	}
}
