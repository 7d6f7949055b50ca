package render

import (
	"fmt"
	"io"
	"strings"

	"terfyn/cmd/internal/follow"
	"terfyn/internal/canon"
	"terfyn/store"
	"terfyn/workflows/contract"
)

// RunStatus is the status of an outcome; the row of a run that Temporal ended
// without it still says running.
func RunStatus(o follow.Outcome) string {
	switch {
	case o.Detached && o.Run.Status == "":
		return "started"
	case o.Detached || o.Run.Status.Closed() || len(o.Waiting) > 0:
		return string(o.Run.Status)
	case o.Fault != nil && o.Fault.Type == contract.FaultCancelled:
		return string(store.RunCancelled)
	case o.Fault != nil:
		return string(store.RunFailed)
	case o.Run.Status == "":
		return string(store.RunSucceeded)
	}
	return string(o.Run.Status)
}

// RunFields is a run as documents show it.
func RunFields(id string, o follow.Outcome) []canon.Field {
	fault := canon.Null()
	if o.Fault != nil {
		fault = canon.Object(str("type", string(o.Fault.Type)), str("message", o.Fault.Message))
	}
	return append(runFields(o.Run),
		str("runId", id), str("status", RunStatus(o)), canon.F("output", o.Output), canon.F("error", fault),
		canon.F("awaitingHuman", Approvals(o.Waiting)))
}

func runFields(r store.Run) []canon.Field {
	return []canon.Field{
		str("runId", r.RunID), str("workflow", r.Workflow), str("environment", r.Environment), str("status", string(r.Status)),
		str("snapshot", string(r.Snapshot)), str("actor", r.Actor), str("tenant", r.Tenant), str("thread", r.Thread),
		str("costUsd", zero(r.CostUSD)), canon.F("tokensIn", canon.Int(r.TokensIn)), canon.F("tokensOut", canon.Int(r.TokensOut)),
		str("startedAt", Stamp(r.StartedAt)), str("finishedAt", Stamp(r.FinishedAt)),
	}
}

// RunRow is a run in a list.
func RunRow(r store.Run, superseded bool) canon.Value {
	fault := canon.Null()
	if f := follow.FaultOf(r); f != nil {
		fault = canon.Object(str("type", string(f.Type)), str("message", f.Message))
	}
	return canon.Object(append(runFields(r), canon.F("error", fault), canon.F("superseded", canon.Bool(superseded)))...)
}

func str(name, v string) canon.Field { return canon.F(name, canon.String(v)) }

func zero(cost string) string {
	if cost == "" {
		return "0"
	}
	return cost
}

// Run writes an outcome for people.
func Run(w io.Writer, id string, o follow.Outcome, c Palette) {
	line(w, "Run ID: %s", id)
	if o.Run.Workflow != "" {
		line(w, "Workflow: %s (environment %s)", o.Run.Workflow, o.Run.Environment)
	}
	line(w, "Status: %s", colour(c, RunStatus(o)))
	if spent := zero(o.Run.CostUSD); spent != "0" || o.Run.TokensIn+o.Run.TokensOut > 0 {
		line(w, "Cost: USD %s, %d tokens in, %d out", spent, o.Run.TokensIn, o.Run.TokensOut)
	}
	if o.Fault != nil {
		line(w, "Error: %s: %s", o.Fault.Type, o.Fault.Message)
	}
	if !o.Output.IsNull() {
		line(w, "Output:")
		line(w, "%s", Indented(o.Output))
	}
	Waiting(w, o.Waiting)
}

// Waiting writes what each open request needs.
func Waiting(w io.Writer, open []store.Approval) {
	for _, a := range open {
		line(w, "Waiting for a decision on %s (%s): %s", Subject(a), a.Kind, Cell(a.Rule))
		line(w, "  look:   terfyn approvals show %s", a.ID)
		for _, d := range a.Allowed {
			line(w, "  decide: %s", Command(a.ID, d))
		}
	}
}

func colour(c Palette, status string) string {
	switch status {
	case string(store.RunSucceeded):
		return c.Good(status)
	case string(store.RunFailed), string(store.RunCancelled):
		return c.Bad(status)
	}
	return c.Careful(status)
}

func line(w io.Writer, format string, args ...any) {
	_, _ = fmt.Fprintf(w, format+"\n", args...) // the streams of a process report their own errors
}

// shownData are the members of an event's data that a live line may show: names
// and numbers, never texts that could hold content.
var shownData = []string{"agent", "uses", "tool", "operation", "decision", "status", "success", "outcome", "kind", "turn", "durationMs", "costUsd", "approvalId"}

// Event is one recorded event as a live line.
func Event(e store.Event) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s", e.At.UTC().Format("15:04:05.000"), e.Type)
	if e.CallSite != "" {
		b.WriteString(" " + e.CallSite)
	}
	b.WriteString(" " + e.ActorType)
	if e.ActorID != "" {
		b.WriteString(":" + Cell(e.ActorID))
	}
	data, err := canon.Parse(e.Data)
	if err != nil {
		return b.String()
	}
	for _, name := range shownData {
		if v, ok := data.Get(name); ok && v.Kind() != canon.KindObject && v.Kind() != canon.KindList && v.Text() != "" {
			fmt.Fprintf(&b, " %s=%s", name, Cell(v.Text()))
		}
	}
	switch {
	case e.Type == string(contract.RunError) || e.Type == string(contract.SystemError):
		b.WriteString(" reason=" + reasonCode(e.Type, data))
	}
	return b.String()
}

// reasonCode is a stable word, whatever the error's own text is.
func reasonCode(eventType string, data canon.Value) string {
	code := data.Str("reason")
	if code == "" || strings.ContainsAny(code, " \n\t") {
		if eventType == string(contract.SystemError) {
			return "system_error"
		}
		return "run_failed"
	}
	return code
}

// EventRow is an event in documents.
func EventRow(e store.Event) canon.Value {
	data, err := canon.Parse(e.Data)
	if err != nil {
		data = canon.Null()
	}
	return canon.Object(
		str("runId", e.RunID), canon.F("seq", canon.Int(e.Seq)), str("at", Stamp(e.At)), str("type", e.Type), str("callSite", e.CallSite),
		canon.F("attempt", canon.Int(int64(e.Attempt))), str("actorType", e.ActorType), str("actorId", e.ActorID),
		canon.F("data", data), str("hash", string(e.Hash)), str("prevHash", string(e.PrevHash)),
	)
}

// StepRow is a step in documents.
func StepRow(s store.Step) canon.Value {
	fault := canon.Null()
	if s.ErrorType != "" {
		fault = canon.Object(str("type", s.ErrorType), str("message", s.ErrorText))
	}
	return canon.Object(
		str("callSite", s.CallSite), canon.F("attempt", canon.Int(int64(s.Attempt))), str("kind", s.Kind), str("name", s.Name),
		str("status", string(s.Status)), str("startedAt", Stamp(s.StartedAt)), str("finishedAt", Stamp(s.FinishedAt)),
		str("costUsd", zero(s.CostUSD)), canon.F("tokensIn", canon.Int(s.TokensIn)), canon.F("tokensOut", canon.Int(s.TokensOut)),
		canon.F("substituted", canon.Bool(s.Substituted)), canon.F("error", fault),
	)
}
