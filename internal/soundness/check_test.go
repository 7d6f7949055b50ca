package soundness

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"terfyn/compiler/effects"
	"terfyn/compiler/resource"
	"terfyn/internal/canon"
	"terfyn/store"
	"terfyn/workflows/contract"
)

// executed is one operation that a run executed, as one witness tells it.
type executed struct {
	witness    string // transport, trace or ledger
	capability string
	chosen     bool   // by a model
	agent      string // whose model, "" when the witness does not say
	site       string
}

// evidence is everything that is known of one run.
type evidence struct {
	sent    []sent
	events  []store.Event
	effects []store.Effect
}

func (w *world) evidence(run string) evidence {
	w.t.Helper()
	events, err := w.store.Events(w.t.Context(), store.EventFilter{RunID: run, Limit: 10000})
	if err != nil {
		w.t.Fatal(err)
	}
	rows, err := w.store.EffectsOf(w.t.Context(), run)
	if err != nil {
		w.t.Fatal(err)
	}
	return evidence{sent: w.outside.of(run), events: events, effects: rows}
}

// ofCall matches the call site of a call that a model asked for.
var ofCall = regexp.MustCompile(`/turn\d+/call\d+(~\d+)?$`)

// reconciling matches the call site of a reconcile call.
var reconciling = regexp.MustCompile(`/reconcile(~\d+)?$`)

// executed lists what each witness saw happen.
func (e evidence) executed() []executed {
	var out []executed
	for _, s := range e.sent {
		out = append(out, executed{witness: "transport", capability: s.capability, chosen: s.marked, site: s.site})
	}
	for _, ev := range e.events {
		uses, ok := happened(ev)
		if !ok {
			continue
		}
		chosen := ev.ActorType == contract.ActorAgent
		agent := ""
		if chosen {
			agent = ev.ActorID
		}
		out = append(out, executed{witness: "trace", capability: uses, chosen: chosen, agent: agent, site: ev.CallSite})
	}
	for _, row := range e.effects {
		if row.Attempts > 0 {
			out = append(out, executed{
				witness: "ledger", capability: resource.Capability(row.Tool, row.Operation), chosen: ofCall.MatchString(row.CallSite), site: row.CallSite,
			})
		}
	}
	return out
}

// happened gives the capability of an event about something that was sent.
func happened(e store.Event) (capability string, ok bool) {
	data, err := canon.Parse(e.Data)
	if err != nil {
		return "", false
	}
	switch contract.EventType(e.Type) {
	case contract.EffectDispatching:
		return data.Str("uses"), true
	case contract.ToolExecution:
		success, _ := data.At("success").AsBool()
		return data.Str("uses"), success
	}
	return "", false
}

// outsideBound lists what a run did beyond the bound of its workflow (invariant 5). g
// is the pinned graph: what an operation may cause is what its declaration says.
func outsideBound(g resource.Graph, b effects.Bound, all []executed) []string {
	var out []string
	for _, x := range all {
		say := func(format string, args ...any) {
			out = append(out, fmt.Sprintf("%s saw %s at %s (chosen by a model: %v): ", x.witness, x.capability, x.site, x.chosen)+fmt.Sprintf(format, args...))
		}
		operation, ok := b.Operation(x.capability)
		if !ok {
			say("not in the bound of %s", b.Name)
		} else if x.chosen && operation.Authority != effects.Autonomous {
			say("the bound calls it %s", operation.Authority)
		}
		_, declared, _ := g.Operation(x.capability)
		for _, name := range declared.Effects {
			effect, ok := b.Effect(name)
			if !ok {
				say("its effect %s is not in the bound", name)
			} else if x.chosen && effect.Authority != effects.Autonomous {
				say("the bound calls its effect %s %s", name, effect.Authority)
			}
		}
		unknown := slices.IndexFunc(b.Unknown, func(u effects.Unknown) bool { return u.Capability == x.capability })
		if declared.EffectsKnown() {
			continue
		}
		if unknown < 0 {
			say("nobody declared its effects and the bound does not say so")
		} else if x.chosen && b.Unknown[unknown].Authority != effects.Autonomous {
			say("the bound calls its unknown effects %s", b.Unknown[unknown].Authority)
		}
	}
	return out
}

// outsideWorld lists what a run did beyond the pinned manifest and grants (invariant 1).
func outsideWorld(g resource.Graph, all []executed) []string {
	var out []string
	for _, x := range all {
		t, _, listed := g.Operation(x.capability)
		switch {
		case t.Name == "":
			out = append(out, x.witness+" saw a tool that is not in the manifest: "+x.capability)
		case t.OperationsDeclared && !listed:
			out = append(out, x.witness+" saw an operation that is not in the closed manifest: "+x.capability)
		}
		if x.agent == "" {
			continue
		}
		if a, ok := g.Agent(x.agent); !ok || !slices.Contains(a.Grants, x.capability) {
			out = append(out, fmt.Sprintf("%s saw %s chosen by agent %s, to whom it is not granted", x.witness, x.capability, x.agent))
		}
	}
	return out
}

// disagreements lists where the witnesses contradict each other.
func (e evidence) disagreements(g resource.Graph) []string {
	var out []string
	traced := map[string]bool{}   // capability and who chose
	recorded := map[string]bool{} // operation ids in the ledger
	sending := map[string]bool{}  // operation ids at the transport
	for _, ev := range e.events {
		if data, err := canon.Parse(ev.Data); err == nil && data.Str("uses") != "" {
			traced[fmt.Sprint(data.Str("uses"), ev.ActorType == contract.ActorAgent)] = true
		}
	}
	for _, row := range e.effects {
		recorded[row.OperationID+" "+resource.Capability(row.Tool, row.Operation)] = true
	}
	for _, s := range e.sent {
		sending[s.operationID] = true
		t, o, _ := g.Operation(s.capability)
		switch {
		case s.direct && !traced[fmt.Sprint(s.capability, true)]:
			out = append(out, s.capability+" was sent with a model's arguments and the trace says no agent chose it")
		case !traced[fmt.Sprint(s.capability, true)] && !traced[fmt.Sprint(s.capability, false)]:
			out = append(out, s.capability+" was sent and the trace does not say so")
		case s.operationID != "" && !recorded[s.operationID+" "+s.capability]:
			out = append(out, s.capability+" was sent as "+s.operationID+", which the ledger does not know")
		case s.operationID == "" && t.HasSideEffects(o.Name):
			out = append(out, s.capability+" has side effects and was sent outside of the ledger")
		}
	}
	for _, row := range e.effects {
		if row.Attempts > 0 && !sending[row.OperationID] {
			out = append(out, "the ledger says "+row.CallSite+" was sent, the transport did not see it")
		}
	}
	return out
}

// static is a call site without the indexes of loops.
func static(site string) string { return loopIndex.ReplaceAllString(site, "") }

var loopIndex = regexp.MustCompile(`#\d+`)

// sites are the static call sites that left evidence, with all they stand in.
func (e evidence) sites() map[string]bool {
	out := map[string]bool{}
	for _, ev := range e.events {
		for site := static(ev.CallSite); site != ""; {
			out[site] = true
			i := strings.LastIndexByte(site, '/')
			site = site[:max(i, 0)]
		}
	}
	return out
}
