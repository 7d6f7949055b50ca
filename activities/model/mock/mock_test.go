package mock_test

import (
	"errors"
	"strings"
	"testing"

	"terfyn/activities/model"
	"terfyn/activities/model/mock"
	"terfyn/activities/model/modeltest"
	"terfyn/internal/canon"
)

// script writes turns in the form of mocks/<name>.yaml.
func script(turns []modeltest.Turn) string {
	var list []canon.Value
	for _, t := range turns {
		if t.Status != 0 {
			list = append(list, canon.Object(canon.F("error", canon.Object(canon.F("status", canon.Int(int64(t.Status)))))))
			continue
		}
		v := canon.Object(
			canon.F("text", canon.String(t.Text)),
			canon.F("usage", canon.Object(canon.F("input", canon.Int(t.Input)), canon.F("output", canon.Int(t.Output)))))
		if t.Stop != "" {
			v = v.With("stop", canon.String(string(t.Stop)))
		}
		var calls []canon.Value
		for _, c := range t.Calls {
			calls = append(calls, canon.Object(canon.F("tool", canon.String(c.Name)), canon.F("arguments", c.Arguments)))
		}
		if calls != nil {
			v = v.With("calls", canon.List(calls...))
		}
		list = append(list, v)
	}
	return canon.Object(canon.F("turns", canon.List(list...))).JSON()
}

func TestConformance(t *testing.T) {
	t.Parallel()
	modeltest.Exercise(t, func(_ *testing.T, turns []modeltest.Turn) modeltest.Subject {
		return modeltest.Subject{Provider: mock.Provider{}, Script: script(turns)}
	})
}

func TestScriptIsPlayedByInputAndTurn(t *testing.T) {
	t.Parallel()
	r := model.Request{
		Model: "m", Input: canon.Object(canon.F("id", canon.Int(2))),
		Script: `{"conversations":[{"match":{"id":1},"turns":[{"text":"one"}]},{"match":{"id":2},"turns":[{"output":{"z":1,"a":2},"costUsd":"0.01"}]}]}`,
	}
	got, err := mock.Provider{}.Generate(t.Context(), r)
	if err != nil || got.Text != `{"a":2,"z":1}` || got.CostUSD != "0.01" {
		t.Fatalf("turn = %+v, %v", got, err)
	}
	r.Messages = []model.Message{got.Message()}
	_, err = mock.Provider{}.Generate(t.Context(), r)
	if e, ok := errors.AsType[*model.Error](err); !ok || e.Class != model.Config || !strings.Contains(e.Message, "ends after 1 turns") {
		t.Errorf("past the end: %v", err)
	}
	r.Input = canon.Null()
	if _, err = (mock.Provider{}).Generate(t.Context(), r); err == nil || !strings.Contains(err.Error(), "no conversation") {
		t.Errorf("no match: %v", err)
	}
	r.Script = `{"turns":[{"txt":"a"}]}`
	if _, err = (mock.Provider{}).Generate(t.Context(), r); err == nil || !strings.Contains(err.Error(), "turns[0].txt") {
		t.Errorf("bad script: %v", err)
	}
}

func TestBehaviour255Unscripted(t *testing.T) {
	t.Parallel()
	parameters, err := canon.Parse([]byte(`{"type":"object","required":["path","mode","n"],"properties":{"path":{"type":"string","maxLength":4},"mode":{"enum":["fast","slow"]},"n":{"$ref":"#/$defs/count"}},"$defs":{"count":{"type":"integer","minimum":18446744073709551615}}}`))
	if err != nil {
		t.Fatal(err)
	}
	r := model.Request{Model: "default", Tools: []model.ToolDef{{Name: "list"}, {Name: "svc_restart", Parameters: parameters}}}
	first, err := mock.Provider{}.Generate(t.Context(), r)
	if err != nil || len(first.Calls) != 1 || first.Calls[0].Name != "svc_restart" {
		t.Fatalf("first turn = %+v, %v", first, err)
	}
	if got := first.Calls[0].Arguments.JSON(); got != `{"mode":"fast","n":18446744073709551615,"path":"This"}` {
		t.Errorf("arguments = %s", got)
	}
	const fixed = `{"text":"This is the mock model speaking."}`
	r.Messages = []model.Message{first.Message()}
	if second, err := (mock.Provider{}).Generate(t.Context(), r); err != nil || second.Text != fixed || len(second.Calls) != 0 {
		t.Errorf("second turn = %+v, %v", second, err)
	}
	if only, err := (mock.Provider{}).Generate(t.Context(), model.Request{Tools: r.Tools, NoTools: true}); err != nil || only.Text != fixed {
		t.Errorf("without tools = %+v, %v", only, err)
	}
	self, err := canon.Parse([]byte(`{"type":"object","required":["next"],"properties":{"next":{"$ref":"#"}}}`))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := (mock.Provider{}).Generate(t.Context(), model.Request{OutputSchema: self}); err != nil || !strings.HasPrefix(got.Text, `{"next":`) {
		t.Errorf("a schema that refers to itself gives %+v, %v", got, err)
	}
}
