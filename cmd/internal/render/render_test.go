package render_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"terfyn/cmd/internal/follow"
	"terfyn/cmd/internal/render"
	"terfyn/compiler/diag"
	"terfyn/compiler/source"
	"terfyn/internal/canon"
	"terfyn/store"
	"terfyn/workflows/contract"
)

func value(t *testing.T, text string) canon.Value {
	t.Helper()
	v, err := canon.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestDocumentAlwaysHasWarnings(t *testing.T) {
	t.Parallel()
	got := render.Document(nil, canon.F("n", canon.Int(1))).JSON()
	if want := `{"n":1,"schemaVersion":1,"warnings":[]}`; got != want {
		t.Errorf("%s", got)
	}
	got = render.Document([]render.Warning{{"c", "r", "m"}}).JSON()
	if want := `{"schemaVersion":1,"warnings":[{"class":"c","message":"m","reason":"r"}]}`; got != want {
		t.Errorf("%s", got)
	}
}

func TestJSONAndYAMLKeepDigits(t *testing.T) {
	t.Parallel()
	v := value(t, `{"big":123456789012345678901234567890,"f":0.1,"e":1e30,"no":"no","num":"1.0","nul":null,"b":true,"list":[9007199254740993,"a\nb"],"empty":{}}`)
	var j, y bytes.Buffer
	if err := render.JSON(&j, v); err != nil {
		t.Fatal(err)
	}
	if !json.Valid(j.Bytes()) || !strings.Contains(j.String(), "9007199254740993") {
		t.Errorf("%s", j.String())
	}
	if err := render.YAML(&y, v); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"big: 123456789012345678901234567890", "f: 0.1", `"no": "no"`, `num: "1.0"`, "nul: null", "b: true", "- 9007199254740993", "empty: {}"} {
		if !strings.Contains(y.String(), line) {
			t.Errorf("no %q in\n%s", line, y.String())
		}
	}
}

// Behaviour 40: a multi-byte character at the cut.
func TestCell(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ in, want string }{
		{"", "-"},
		{"a\nb\tc", "a b c"},
		{strings.Repeat("x", 96), strings.Repeat("x", 96)},
		{strings.Repeat("x", 97), strings.Repeat("x", 93) + "..."},
		{strings.Repeat("x", 92) + "éééé", strings.Repeat("x", 92) + "..."},
		{"\xff", "?"},
	} {
		got := render.Cell(c.in)
		if got != c.want || len(got) > 96 || !utf8.ValidString(got) {
			t.Errorf("Cell(%q) = %q", c.in, got)
		}
	}
}

func TestASCII(t *testing.T) {
	t.Parallel()
	if got := render.ASCII("a … → – é\n"); got != "a ... -> - ?\n" {
		t.Errorf("%q", got)
	}
}

// Behaviour 33: a live line shows a stable code, never the error's own text.
func TestEventLines(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 1, 2, 3, 4, 5, 6e6, time.UTC)
	for _, c := range []struct{ kind, data, want string }{
		{"tool_execution", `{"tool":"mail","durationMs":5,"output":{"secret":1},"success":true}`, "03:04:05.006 tool_execution site agent:a tool=mail success=true durationMs=5"},
		{"run_error", `{"reason":"tool_failed","message":"raw"}`, "03:04:05.006 run_error site agent:a reason=tool_failed"},
		{"run_error", `{"reason":"the raw text","message":"raw"}`, "03:04:05.006 run_error site agent:a reason=run_failed"},
		{"system_error", `{"message":"raw"}`, "03:04:05.006 system_error site agent:a reason=system_error"},
		{"tool_selection", `no JSON`, "03:04:05.006 tool_selection site agent:a"},
	} {
		got := render.Event(store.Event{At: at, Type: c.kind, CallSite: "site", ActorType: "agent", ActorID: "a", Data: []byte(c.data)})
		if got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

func TestRunStatus(t *testing.T) {
	t.Parallel()
	row := func(s store.RunStatus) store.Run { return store.Run{Status: s} }
	for _, c := range []struct {
		o    follow.Outcome
		want string
	}{
		{follow.Outcome{Run: row(store.RunSucceeded)}, "succeeded"},
		{follow.Outcome{Run: row(store.RunInterrupted), Waiting: make([]store.Approval, 1)}, "interrupted"},
		{follow.Outcome{Detached: true}, "started"},
		{follow.Outcome{Run: row(store.RunRunning), Detached: true}, "running"},
		{follow.Outcome{Run: row(store.RunRunning), Fault: &contract.Fault{Type: contract.FaultInternal}}, "failed"},
		{follow.Outcome{Fault: &contract.Fault{Type: contract.FaultCancelled}}, "cancelled"},
	} {
		if got := render.RunStatus(c.o); got != c.want {
			t.Errorf("%+v: %s, want %s", c.o, got, c.want)
		}
	}
}

func TestDiagnosticsShowNoSecret(t *testing.T) {
	t.Parallel()
	src := []byte("header hunter2…\n")
	at := source.NewFile("a.agent", src).Span(7, 14)
	list := diag.List{diag.Warnf(diag.LiteralSecret, at, "a literal"), diag.Errorf(diag.UnknownField, at, "another … one")}
	var b bytes.Buffer
	render.Diagnostics(&b, list[:1], func(string) []byte { return src }, render.Palette{}, false)
	if strings.Contains(b.String(), "hunter2") || !strings.Contains(b.String(), "a.agent:1:8: warning: a literal") {
		t.Errorf("%s", b.String())
	}
	b.Reset()
	render.Diagnostics(&b, list[1:], func(string) []byte { return src }, render.Palette{}, true)
	if got, want := b.String(), "a.agent:1:8: another ... one [TF1201]\n    header hunter2...\n           ^~~~~~~\n"; got != want {
		t.Errorf("%q", got)
	}
	doc := render.DiagnosticList(list).JSON()
	if !strings.Contains(doc, `"column":8`) || !strings.Contains(doc, `"severity":"warning"`) {
		t.Errorf("%s", doc)
	}
}

func TestDiagnosticsInColour(t *testing.T) {
	t.Parallel()
	src := []byte("ab\n")
	at := source.NewFile("a.agent", src).Span(0, 2)
	list := diag.List{diag.Errorf(diag.UnknownField, at, "m").WithFix(at, "ac", "write ac"), diag.Warnf(diag.UnknownField, at, "w")}
	var b bytes.Buffer
	render.Diagnostics(&b, list, func(string) []byte { return src }, render.NewPalette(true), false)
	for _, want := range []string{"\x1b[1ma.agent:1:1:\x1b[0m m \x1b[31m[TF1201]\x1b[0m\n", "\x1b[31m^~\x1b[0m", "\x1b[32mfix:\x1b[0m write ac", "\x1b[33mwarning:\x1b[0m w"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in %q", want, b.String())
		}
	}
	doc := render.DiagnosticList(list).JSON()
	if !strings.Contains(doc, `"fix":{"column":1,"endColumn":3,"endLine":1,"file":"a.agent","line":1,"replacement":"ac","title":"write ac"}`) || strings.Count(doc, `"fix"`) != 1 {
		t.Errorf("%s", doc)
	}
}

func TestApprovalTellsHowToDecide(t *testing.T) {
	t.Parallel()
	a := store.Approval{ID: "apr-1", Tool: "mail", Operation: "send", Status: store.ApprovalOpen, Allowed: []string{"approve", "reject", "edit", "confirm-sent", "confirm-not-sent"}, Payload: []byte(`{"n":9007199254740993}`), MinApprovals: 2}
	var b bytes.Buffer
	render.Approval(&b, a, nil, render.NewPalette(false))
	for _, want := range []string{
		"terfyn approve apr-1", "terfyn reject apr-1 --reason TEXT", "terfyn edit apr-1 --set NAME=JSON", "terfyn confirm apr-1 --sent", "terfyn confirm apr-1 --not-sent",
		"9007199254740993", "single-operator mode), 2 needed", "never",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
	if strings.Contains(b.String(), "\x1b") {
		t.Error("coloured without a terminal")
	}
}

func TestPaletteColoursOnlyWhenAsked(t *testing.T) {
	t.Parallel()
	if got := render.NewPalette(true).Bad("x"); got != "\x1b[31mx\x1b[0m" {
		t.Errorf("%q", got)
	}
	if got := (render.Palette{}).Good("x"); got != "x" {
		t.Errorf("%q", got)
	}
}
