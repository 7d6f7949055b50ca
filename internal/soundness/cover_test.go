package soundness

import (
	"testing"

	"terfyn/internal/ordered"
	"terfyn/workflows/contract"
)

// measure counts what the run covered.
func (w *world) measure(id, flow, end string, e evidence) {
	for _, p := range w.result.Programs {
		if p.Workflow == flow {
			countExecuted(w.count, p, e.sites(), end == "succeeded")
		}
	}
	written := map[string]bool{}
	w.writtenAgents(flow, written)
	for agent := range w.model.agents(id) { // only counted
		if !written[agent] {
			w.count.add("executed", "delegation")
		}
	}
	for _, x := range e.executed() {
		authority := "static"
		if x.chosen {
			authority = "autonomous"
		}
		w.count.add("operations by "+x.witness, authority)
		_, o, _ := w.graph.Operation(x.capability)
		if !o.EffectsKnown() {
			w.count.add("operations by "+x.witness, "without declared effects")
		}
	}
	for _, ev := range e.events {
		w.count.add("events", ev.Type)
	}
	for _, s := range e.sent {
		if reconciling.MatchString(s.site) {
			w.count.add("operations by transport", "reconciling")
		}
	}
}

// writtenAgents are the agents that a workflow and those it calls name.
func (w *world) writtenAgents(flow string, out map[string]bool) {
	f, _ := w.graph.Workflow(flow)
	for _, c := range f.Calls {
		switch c.Kind {
		case "agent":
			out[c.Name] = true
		case "workflow":
			w.writtenAgents(c.Name, out)
		}
	}
}

// enough fails when the generated projects did not come to what they are there for.
func enough(t *testing.T, projects int, count *tally) {
	t.Helper()
	if n := count.of("projects", "compiled"); n*10 < projects*9 {
		t.Errorf("only %d of %d projects compile", n, projects)
	}
	runs := canRun(t)
	for _, kind := range ordered.Keys(runs) {
		if kind != "delegation" && count.of("written", kind) == 0 {
			t.Errorf("no project has a statement of the kind %s", kind)
		}
		if runs[kind] && count.of("executed", kind) == 0 {
			t.Errorf("this build runs %s, and no run executed one", kind)
		}
	}
	for _, c := range []struct{ group, what string }{
		{"ends", "succeeded"}, {"ends", "cancelled"}, {"ends", string(contract.FaultRejected)}, {"ends", string(contract.FaultTool)}, {"ends", string(contract.FaultPolicy)},
		{"decisions", "approve"}, {"decisions", "edit"}, {"decisions", "reject"}, {"decisions", "confirm-sent"}, {"decisions", "confirm-not-sent"},
		{"operations by transport", "static"}, {"operations by transport", "autonomous"}, {"operations by transport", "reconciling"},
		{"operations by transport", "without declared effects"}, {"operations by ledger", "static"}, {"operations by ledger", "autonomous"},
		{"the model asked", "for what it is not offered"}, {"executions", "continued as new"},
	} {
		if count.of(c.group, c.what) == 0 {
			t.Errorf("no run came to this: %s: %s", c.group, c.what)
		}
	}
}
