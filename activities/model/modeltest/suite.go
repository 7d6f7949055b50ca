package modeltest

import (
	"context"
	"errors"
	"testing"

	"terfyn/activities/model"
	"terfyn/internal/canon"
)

// Subject is a provider that will say the scripted turns.
type Subject struct {
	Provider model.Provider
	Script   string // for Request.Script, "" where the provider is scripted elsewhere
}

// Exercise runs the conformance suite. open returns a provider that plays turns
// by the number of assistant messages in a request; of a Turn the suite uses
// text, calls, stop, tokens and the statuses 400, 429 and 500.
func Exercise(t *testing.T, open func(t *testing.T, turns []Turn) Subject) {
	t.Helper()
	for _, c := range []struct {
		name string
		run  func(t *testing.T, open func(t *testing.T, turns []Turn) Subject)
	}{
		{"text turn", textTurn}, {"tool turn", toolTurn}, {"failed call is answered", failedCall},
		{"silence is an error", silence}, {"length stop", lengthStop}, {"filter stop", filterStop},
		{"errors are classed", classes}, {"cancelled", cancelled}, {"structured without schema", noSchema},
	} {
		t.Run(c.name, func(t *testing.T) { c.run(t, open) })
	}
}

// Ask is the first request of a conversation, with one tool when tools is set.
func (s Subject) Ask(tools bool) model.Request {
	r := model.Request{
		Model: "conformance", System: "be brief", MaxTokens: 100, Script: s.Script,
		Messages: []model.Message{{Role: model.User, Text: "go"}},
	}
	if tools {
		r.Tools = []model.ToolDef{{Name: "ws_read", Description: "reads", Parameters: canon.Object(canon.F("type", canon.String("object")))}}
	}
	return r
}

func must(t *testing.T, s Subject, r model.Request) model.Response {
	t.Helper()
	got, err := s.Provider.Generate(t.Context(), r)
	if err != nil {
		t.Fatalf("Generate: %v", err)
	}
	return got
}

func textTurn(t *testing.T, open func(*testing.T, []Turn) Subject) {
	s := open(t, []Turn{{Text: "hello", Input: 7, Output: 3}})
	got := must(t, s, s.Ask(false))
	if got.Text != "hello" || got.Stop != model.End || len(got.Calls) != 0 || got.Usage != (model.Usage{Input: 7, Output: 3}) {
		t.Errorf("turn = %+v", got)
	}
}

func exactArguments(t *testing.T) canon.Value {
	t.Helper()
	v, err := canon.Parse([]byte(`{"a":9007199254740993,"b":18446744073709551615,"c":0.1}`))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func toolTurn(t *testing.T, open func(*testing.T, []Turn) Subject) {
	arguments := exactArguments(t)
	s := open(t, []Turn{
		{Text: "reading", Calls: []model.Call{{ID: "c1", Name: "ws_read", Arguments: arguments}, {ID: "c2", Name: "ws_read", Arguments: canon.Object()}}},
		{Text: "done"},
	})
	r := s.Ask(true)
	first := must(t, s, r)
	if first.Stop != model.Tools || len(first.Calls) != 2 || first.Text != "reading" {
		t.Fatalf("first turn = %+v", first)
	}
	if got := first.Calls[0].Arguments.JSON(); got != arguments.JSON() {
		t.Errorf("arguments changed: %s", got)
	}
	if first.Calls[0].ID == first.Calls[1].ID || first.Calls[0].ID == "" {
		t.Errorf("call ids %q and %q", first.Calls[0].ID, first.Calls[1].ID)
	}
	r.Messages = append(r.Messages, first.Message(), model.Message{Role: model.Tool, Results: []model.Result{
		{CallID: first.Calls[1].ID}, {CallID: first.Calls[0].ID, Text: "content"},
	}})
	r.NoTools = true
	if second := must(t, s, r); second.Text != "done" || second.Stop != model.End {
		t.Errorf("second turn = %+v", second)
	}
}

func failedCall(t *testing.T, open func(*testing.T, []Turn) Subject) {
	calls := []model.Call{
		{ID: "c1", Name: "ws_read", Arguments: canon.Object()}, {ID: "c2", Name: "ws_read", Arguments: canon.Object()},
		{ID: "c3", Name: "ws_read", Arguments: canon.Object()},
	}
	s := open(t, []Turn{{Calls: calls}, {Text: "done"}})
	r := s.Ask(true)
	first := must(t, s, r)
	r.Messages = append(r.Messages, first.Message(), model.Message{Role: model.Tool, Results: []model.Result{
		{CallID: first.Calls[0].ID, Text: "fine"}, {CallID: first.Calls[1].ID, Text: "refused", IsError: true},
	}})
	if second := must(t, s, r); second.Text != "done" {
		t.Errorf("second turn = %+v", second)
	}
}

func silence(t *testing.T, open func(*testing.T, []Turn) Subject) {
	s := open(t, []Turn{{Text: ""}})
	_, err := s.Provider.Generate(t.Context(), s.Ask(false))
	if e, ok := errors.AsType[*model.Error](err); !ok || e.Class != model.Permanent {
		t.Errorf("an empty turn gives %v", err)
	}
}

func lengthStop(t *testing.T, open func(*testing.T, []Turn) Subject) {
	for _, tools := range []bool{false, true} {
		turn := Turn{Text: `{"cut":`, Stop: model.Length}
		if tools {
			turn.Calls = []model.Call{{ID: "c1", Name: "ws_read", Arguments: canon.Object()}}
		}
		s := open(t, []Turn{turn})
		if got := must(t, s, s.Ask(tools)); got.Stop != model.Length || len(got.Calls) != 0 {
			t.Errorf("a cut turn = %+v", got)
		}
	}
}

func filterStop(t *testing.T, open func(*testing.T, []Turn) Subject) {
	s := open(t, []Turn{{Text: "no", Stop: model.Filter, Calls: []model.Call{{ID: "c1", Name: "ws_read", Arguments: canon.Object()}}}})
	if got := must(t, s, s.Ask(true)); got.Stop != model.Filter || len(got.Calls) != 0 {
		t.Errorf("a filtered turn = %+v", got)
	}
}

func classes(t *testing.T, open func(*testing.T, []Turn) Subject) {
	for status, want := range map[int]model.Class{400: model.Permanent, 429: model.Retryable, 500: model.Retryable} {
		s := open(t, []Turn{{Status: status}})
		_, err := s.Provider.Generate(t.Context(), s.Ask(false))
		e, ok := errors.AsType[*model.Error](err)
		if !ok || e.Class != want || e.Status != status {
			t.Errorf("status %d gives %v", status, err)
			continue
		}
		if (e.Structure != "") != (want == model.Permanent) {
			t.Errorf("status %d has the structure %q", status, e.Structure)
		}
	}
}

func cancelled(t *testing.T, open func(*testing.T, []Turn) Subject) {
	s := open(t, []Turn{{Text: "late"}})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Provider.Generate(ctx, s.Ask(false)); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled call gives %v", err)
	}
}

func noSchema(t *testing.T, open func(*testing.T, []Turn) Subject) {
	s := open(t, []Turn{{Text: "x"}})
	r := s.Ask(false)
	r.Structured = true
	_, err := s.Provider.Generate(t.Context(), r)
	if e, ok := errors.AsType[*model.Error](err); !ok || e.Class != model.Config {
		t.Errorf("structured output without a schema gives %v", err)
	}
}
