package e2e

import (
	"slices"
	"strings"
	"testing"

	"terfyn/activities/model"
	"terfyn/activities/model/modeltest"
	"terfyn/store"
	"terfyn/workflows/contract"
)

// gates is a project whose tools differ in how they are gated.
const gates = `
tool bare { type native }

tool loud {
    type native
    safety { trusted true sideEffects true }
}

policy quiet {
    hitl { interruptOn { loud } }
}

workflow bare(doc: any) {
    done = bare.echo(n: 1)
    return { done: done }
}

workflow loud(doc: any) policy quiet {
    done = loud.echo(n: 1)
    return { done: done }
}
`

// TestBehaviour104And110Gates: interruptOn alone never stops a run; a tool without
// a safety block always does, unless its capability is approved in advance.
func TestBehaviour104And110Gates(t *testing.T) {
	t.Parallel()
	w := newWorld(t, startServer(t), onSQLite)
	w.write(map[string]string{"main.agent": gates})
	w.apply("local")
	w.work(nil)
	w.must(w.start("loud", contract.RunIn{Workflow: "loud", Input: value(t, `{}`), Actor: "sam"}))
	if list, err := w.store.ListApprovals(t.Context(), store.ApprovalFilter{RunID: "loud"}); err != nil || len(list) != 0 {
		t.Errorf("interruptOn alone asked: %+v, %v", list, err)
	}
	run := w.start("bare", contract.RunIn{Workflow: "bare", Input: value(t, `{}`), Actor: "sam"})
	if a := w.approve("bare"); !strings.Contains(a.Rule, "untrusted") {
		t.Errorf("the rule is %q", a.Rule)
	}
	w.must(run)
	w.must(w.start("bare-advance", contract.RunIn{Workflow: "bare", Input: value(t, `{}`), Actor: "sam", Approve: []string{"tool.bare.echo"}}))
}

// TestBehaviour46And48And54Trace: what the trace of an agent's call holds and in
// which order; the run's first event names the snapshot.
func TestBehaviour46And48And54Trace(t *testing.T) {
	t.Setenv("TERFYN_E2E_KEY", "key")
	files := map[string]string{"main.agent": strings.Replace(loop,
		"approvals { requiredFor { tool.press.echo } inLoop pause }\n    effects { permitWithApproval { press.write } }", "effects { permit { press.write } }", 1)}
	w, _ := newLoop(t, modeltest.ByTurn(
		modeltest.Turn{Calls: []model.Call{{ID: "c1", Name: "press", Arguments: value(t, `{"message":"`+strings.Repeat("long ", 200)+`"}`)}}},
		modeltest.Turn{Text: `{"done":true}`}), files)
	w.work(nil)
	w.must(w.start("trace", contract.RunIn{Workflow: "write", Input: value(t, `{}`), Actor: "sam"}))
	events := w.events("trace", "")
	if got := value(t, string(events[0].Data)).Str("snapshot"); events[0].Type != string(contract.RunStarted) || got != string(w.row("trace").Snapshot) {
		t.Errorf("the first event is %s with snapshot %q", events[0].Type, got)
	}
	find := func(want contract.EventType) int {
		return slices.IndexFunc(events, func(e store.Event) bool { return e.Type == string(want) })
	}
	selection, execution := find(contract.ToolSelection), find(contract.ToolExecution)
	if selection < 0 || execution < selection {
		t.Fatalf("tool_selection at %d, tool_execution at %d", selection, execution)
	}
	for _, i := range []int{selection, execution} {
		e := events[i]
		data := value(t, string(e.Data))
		if e.ActorType != contract.ActorAgent || e.ActorID != "Writer" || data.Str("tool") != "press" || data.Str("uses") != "tool.press.echo" {
			t.Errorf("%s by %s %s: %s", e.Type, e.ActorType, e.ActorID, e.Data)
		}
		if data.Str("argumentsDigest") == "" || strings.Contains(string(e.Data), "long long") { // behaviours 36
			t.Errorf("%s holds arguments: %s", e.Type, e.Data)
		}
	}
	data := value(t, string(events[execution].Data))
	if ok, _ := data.At("success").AsBool(); !ok || !data.At("error").IsNull() || data.At("durationMs").IsNull() || data.At("costUsd").IsNull() {
		t.Errorf("tool_execution: %s", data.JSON())
	}
}

// TestBehaviour45TraceHoldsRealValues: lists and words of a request are values, not
// placeholders.
func TestBehaviour45TraceHoldsRealValues(t *testing.T) {
	t.Parallel()
	w := newWorld(t, startServer(t), onSQLite)
	w.write(map[string]string{"main.agent": echo})
	w.apply("local")
	w.work(nil)
	run := w.start("values", contract.RunIn{Workflow: "publish", Input: value(t, `{"headline":"x","n":1}`), Actor: "sam"})
	w.approve("values")
	w.must(run)
	created := value(t, string(w.events("values", contract.HitlRequestCreated)[0].Data))
	if got := created.At("allowedDecisions").JSON(); got != `["approve","edit","reject"]` {
		t.Errorf("allowedDecisions %s", got)
	}
	if got := value(t, string(w.events("values", contract.HitlDecisionSubmitted)[0].Data)).Str("decision"); got != "approve" {
		t.Errorf("decision %q", got)
	}
	// Behaviours 53: one continuous chain over the suspension.
	var types []string
	for _, e := range w.events("values", "") {
		if strings.HasPrefix(e.Type, "hitl_") {
			types = append(types, e.Type)
		}
	}
	if got := strings.Join(types, " "); got != "hitl_request_created hitl_decision_submitted hitl_resolution_applied" {
		t.Errorf("events %s", got)
	}
	w.verify("values")
}
