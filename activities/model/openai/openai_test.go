package openai_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"terfyn/activities/model"
	"terfyn/activities/model/modeltest"
	"terfyn/activities/model/openai"
	"terfyn/internal/canon"
)

func open(t *testing.T, script modeltest.Script) (*openai.Provider, *modeltest.Server) {
	t.Helper()
	server := modeltest.NewServer(script)
	t.Cleanup(server.Close)
	p, err := openai.New(openai.Settings{Name: "lab", BaseURL: server.URL + "/", KeyFrom: "env:OPENAI_TEST_KEY"})
	if err != nil {
		t.Fatal(err)
	}
	return p, server
}

func parse(t *testing.T, text string) canon.Value {
	t.Helper()
	v, err := canon.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestConformance(t *testing.T) {
	t.Setenv("OPENAI_TEST_KEY", "k")
	modeltest.Exercise(t, func(t *testing.T, turns []modeltest.Turn) modeltest.Subject {
		p, server := open(t, modeltest.ByTurn(turns...))
		t.Cleanup(func() {
			if faults := server.Faults(); faults != nil {
				t.Errorf("malformed requests: %v", faults)
			}
		})
		return modeltest.Subject{Provider: p}
	})
}

func TestRequestBodies(t *testing.T) {
	t.Setenv("OPENAI_TEST_KEY", "k-1")
	p, server := open(t, func(modeltest.Request) modeltest.Turn { return modeltest.Turn{Text: "ok"} })
	user := []model.Message{{Role: model.User, Text: "go"}}
	const plain = `{"messages":[{"content":"sys","role":"system"},{"content":"go","role":"user"}],"model":"m"`
	for _, c := range []struct {
		name string
		r    model.Request
		want string
	}{
		{"no grants, nothing set", model.Request{Model: "m", System: "sys", Messages: user}, plain + `}`},
		{"forced final turn", model.Request{Model: "m", System: "sys", Messages: user, NoTools: true, Tools: []model.ToolDef{{Name: "ws"}}}, plain + `}`},
		{"temperature zero", model.Request{Model: "m", System: "sys", Messages: user, Temperature: "0"}, plain + `,"temperature":0}`},
		{"temperature and cap", model.Request{Model: "m", System: "sys", Messages: user, Temperature: "0.1", MaxTokens: 16384}, strings.Replace(plain, `{"messages"`, `{"max_tokens":16384,"messages"`, 1) + `,"temperature":0.1}`},
		{
			"structured, schema exact",
			model.Request{Model: "m", System: "sys", Messages: user, Structured: true, OutputSchema: parse(t, `{"type":"object","properties":{"n":{"maximum":18446744073709551615}}}`)},
			plain + `,"response_format":{"json_schema":{"name":"output","schema":{"properties":{"n":{"maximum":18446744073709551615}},"type":"object"},"strict":true},"type":"json_schema"}}`,
		},
		{"schema without the flag", model.Request{Model: "m", System: "sys", Messages: user, OutputSchema: parse(t, `{"type":"object"}`)}, plain + `}`},
		{
			"tools", model.Request{Model: "m", System: "sys", Messages: user, Tools: []model.ToolDef{{Name: "ws_read_file", Description: "d", Parameters: parse(t, `{"type":"object","required":["path"]}`)}, {Name: "ping"}}},
			plain + `,"tools":[{"function":{"description":"d","name":"ws_read_file","parameters":{"required":["path"],"type":"object"}},"type":"function"},{"function":{"name":"ping","parameters":{"properties":{},"type":"object"}},"type":"function"}]}`,
		},
	} {
		if _, err := p.Generate(t.Context(), c.r); err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		all := server.Requests()
		last := all[len(all)-1]
		if string(last.Body) != c.want || last.Header.Get("Authorization") != "Bearer k-1" {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, last.Body, c.want)
		}
	}
}

func TestDottedToolNameIsRefusedBeforeTheWire(t *testing.T) {
	t.Setenv("OPENAI_TEST_KEY", "k")
	p, server := open(t, modeltest.InOrder())
	_, err := p.Generate(t.Context(), model.Request{Model: "m", Tools: []model.ToolDef{{Name: "ws.read"}}})
	if e, ok := errors.AsType[*model.Error](err); !ok || e.Class != model.Config || server.Calls() != 0 {
		t.Errorf("error %v after %d calls", err, server.Calls())
	}
}

func TestOddToolCalls(t *testing.T) {
	t.Setenv("OPENAI_TEST_KEY", "k")
	p, server := open(t, modeltest.ByTurn(modeltest.Turn{Calls: []model.Call{
		{ID: "", Name: "t", Arguments: canon.Object()}, {ID: "x", Name: "t", Invalid: `{"n":1e400}`},
		{ID: "x", Name: "t", Invalid: `[1]`}, {ID: "y", Name: "t", Invalid: `{"cut":`}, {ID: "z", Name: "t", Invalid: " "},
	}}, modeltest.Turn{Text: "done"}))
	r := model.Request{Model: "m", Messages: []model.Message{{Role: model.User, Text: "go"}}, Tools: []model.ToolDef{{Name: "t"}}}
	got, err := p.Generate(t.Context(), r)
	if err != nil || len(got.Calls) != 5 {
		t.Fatalf("turn %+v, %v", got, err)
	}
	ids := map[string]bool{}
	for i, c := range got.Calls {
		ids[c.ID] = true
		if wantInvalid := i > 0 && i < 4; (c.Invalid != "") != wantInvalid || (wantInvalid && !c.Arguments.IsNull()) {
			t.Errorf("call %d = %+v", i, c)
		}
	}
	if len(ids) != 5 || ids[""] {
		t.Errorf("ids are not distinct: %v", ids)
	}
	r.Messages = append(r.Messages, got.Message())
	if _, err := p.Generate(t.Context(), r); err != nil || server.Faults() != nil {
		t.Errorf("the conversation after odd calls: %v, %v", err, server.Faults())
	}
	last := server.Requests()[1].JSON.At("messages").Items()
	if text := last[len(last)-1].Str("content"); !strings.HasPrefix(text, "ERROR: ") {
		t.Errorf("a missing answer is sent as %q", text)
	}
}

func TestErrorsCarryShapeAndNoContent(t *testing.T) {
	t.Setenv("OPENAI_TEST_KEY", "k-secret")
	for _, c := range []struct {
		turn  modeltest.Turn
		class model.Class
		after time.Duration
		want  string
	}{
		{modeltest.Turn{Status: 400, Code: "bad_thing"}, model.Permanent, 0, "status 400 Bad Request, code bad_thing"},
		{modeltest.Turn{Status: 404, Code: "free text"}, model.Permanent, 0, "code ?"},
		{modeltest.Turn{Status: 429, RetryAfter: "7"}, model.Retryable, 7 * time.Second, "status 429"},
		{modeltest.Turn{Status: 503, RetryAfter: "99999999999"}, model.Retryable, time.Hour, "status 503"},
		{modeltest.Turn{Status: 500, RetryAfter: "NaN"}, model.Retryable, 0, "status 500"},
		{modeltest.Turn{Drop: true}, model.Retryable, 0, "connection was lost"},
		{modeltest.Turn{Raw: "<html>"}, model.Retryable, 0, "cannot be read"},
		{modeltest.Turn{Raw: `{"choices":[]}`}, model.Retryable, 0, "no choice"},
	} {
		p, server := open(t, func(modeltest.Request) modeltest.Turn { return c.turn })
		_, err := p.Generate(t.Context(), model.Request{Model: "m", System: "topsecret", Messages: []model.Message{{Role: model.User, Text: "topsecret"}}})
		e, ok := errors.AsType[*model.Error](err)
		if !ok || e.Class != c.class || e.RetryAfter != c.after || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v gives %#v", c.turn, err)
			continue
		}
		if strings.Contains(err.Error(), "secret") || server.Calls() != 1 {
			t.Errorf("%d calls, error %v", server.Calls(), err)
		}
		if has := strings.Contains(err.Error(), "messages: user 1"); has != (c.class == model.Permanent) {
			t.Errorf("%+v: structure in %v", c.turn, err)
		}
	}
}

func TestErrorWithoutJSONKeepsItsStatus(t *testing.T) {
	t.Setenv("OPENAI_TEST_KEY", "k")
	for _, body := range []string{"", "<html>gateway</html>", `{"error":"plain text"}`} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusBadGateway)
			_, _ = w.Write([]byte(body))
		}))
		p, err := openai.New(openai.Settings{Name: "lab", BaseURL: server.URL, KeyFrom: "env:OPENAI_TEST_KEY"})
		if err != nil {
			t.Fatal(err)
		}
		_, err = p.Generate(t.Context(), model.Request{Model: "m"})
		server.Close()
		if e, ok := errors.AsType[*model.Error](err); !ok || e.Status != 502 || e.Class != model.Retryable {
			t.Errorf("body %q gives %v", body, err)
		}
	}
}

func TestDeadlineIsRetryable(t *testing.T) {
	t.Setenv("OPENAI_TEST_KEY", "k")
	p, _ := open(t, func(modeltest.Request) modeltest.Turn { return modeltest.Turn{Hang: true} })
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err := p.Generate(ctx, model.Request{Model: "m", Messages: []model.Message{{Role: model.User, Text: "go"}}})
	if e, ok := errors.AsType[*model.Error](err); !ok || e.Class != model.Retryable || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a passed deadline gives %v", err)
	}
}

func TestSettings(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "ambient")
	t.Setenv("OPENAI_ORG_ID", "ambient-org")
	for _, base := range []string{"not-a-url", "ftp://h", "https://"} {
		if _, err := openai.New(openai.Settings{BaseURL: base}); err == nil || !strings.Contains(err.Error(), "baseUrl") {
			t.Errorf("base URL %q: %v", base, err)
		}
	}
	var seen http.Header
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen = r.Header.Clone()
		http.Redirect(w, r, "http://127.0.0.1:1/elsewhere", http.StatusTemporaryRedirect)
	}))
	defer server.Close()
	p, err := openai.New(openai.Settings{Name: "local", BaseURL: server.URL})
	if err != nil {
		t.Fatal(err)
	}
	_, err = p.Generate(t.Context(), model.Request{Model: "m"})
	if err == nil {
		t.Error("a redirect to another origin was followed")
	}
	if seen == nil || seen.Get("Authorization") != "" || seen.Get("OpenAI-Organization") != "" {
		t.Errorf("headers taken from the environment: %v", seen)
	}
	unset, err := openai.New(openai.Settings{Name: "lab", BaseURL: server.URL, KeyFrom: "env:OPENAI_TEST_UNSET"})
	if err != nil {
		t.Fatal(err)
	}
	_, err = unset.Generate(t.Context(), model.Request{Model: "m"})
	if e, ok := errors.AsType[*model.Error](err); !ok || e.Class != model.Config || !strings.Contains(err.Error(), "OPENAI_TEST_UNSET") {
		t.Errorf("an unset key gives %v", err)
	}
}
