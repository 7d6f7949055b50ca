// Package modeltest owns what proves a model provider: a strict local server
// that speaks OpenAI chat completions, and a conformance suite every provider
// passes. It leaves out the providers themselves.
package modeltest

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"

	"terfyn/activities/model"
	"terfyn/internal/canon"
)

// Turn is one scripted answer of the server. Status, Raw, Hang and Drop exclude
// an ordinary answer.
type Turn struct {
	Text   string
	Calls  []model.Call
	Stop   model.Stop // "" = end, or tools when there are calls
	Input  int64      // tokens
	Output int64

	Status     int    // an error answer with this HTTP status
	Code       string // its error code
	RetryAfter string // header of an error answer
	Raw        string // a 200 answer with exactly this body
	Hang       bool   // no answer until the client goes away
	Drop       bool   // the connection is closed after the request was read
}

// Request is one captured request.
type Request struct {
	Index  int // from 0, refused requests included
	Header http.Header
	Body   []byte
	JSON   canon.Value
	Fault  string // why the server refused it, "" = well-formed
}

// Assistants counts the assistant messages of the request: the turn it asks for.
func (r Request) Assistants() (n int) {
	for _, m := range r.JSON.At("messages").Items() {
		if m.Str("role") == "assistant" {
			n++
		}
	}
	return n
}

// Script answers a well-formed request.
type Script func(Request) Turn

// InOrder answers the nth well-formed request with the nth turn; later ones get status 500.
func InOrder(turns ...Turn) Script {
	var mu sync.Mutex
	next := 0
	return func(Request) Turn {
		mu.Lock()
		defer mu.Unlock()
		next++
		return pick(turns, next-1)
	}
}

// ByTurn answers by the number of assistant messages in the request, so that a
// repeated request gets the same turn.
func ByTurn(turns ...Turn) Script {
	return func(r Request) Turn { return pick(turns, r.Assistants()) }
}

func pick(turns []Turn, i int) Turn {
	if i < len(turns) {
		return turns[i]
	}
	return Turn{Status: http.StatusInternalServerError, Code: "script_ended"}
}

// Server speaks chat completions on the loopback interface and refuses every
// malformed conversation with status 400. It needs a bearer key.
type Server struct {
	URL string // base URL for a provider, without trailing slash

	server   *httptest.Server
	script   Script
	mu       sync.Mutex
	requests []Request
}

// NewServer starts a server; Close ends it.
func NewServer(script Script) *Server {
	s := &Server{script: script}
	s.server = httptest.NewServer(http.HandlerFunc(s.serve))
	s.URL = s.server.URL + "/v1"
	return s
}

// Close stops the server and waits for its open requests.
func (s *Server) Close() {
	s.server.CloseClientConnections()
	s.server.Close()
}

// Calls counts the requests that arrived, refused ones included.
func (s *Server) Calls() int { return len(s.Requests()) }

// Requests returns the captured requests in order of arrival.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request(nil), s.requests...)
}

// Faults returns why requests were refused, in order.
func (s *Server) Faults() []string {
	var out []string
	for _, r := range s.Requests() {
		if r.Fault != "" {
			out = append(out, r.Fault)
		}
	}
	return out
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the client went away
	}
	req := Request{Header: r.Header.Clone(), Body: body}
	req.JSON, err = canon.Parse(body)
	switch {
	case r.Method != http.MethodPost || r.URL.Path != "/v1/chat/completions":
		req.Fault = "unknown endpoint " + r.Method + " " + r.URL.Path
	case err != nil:
		req.Fault = "the body is no JSON: " + err.Error()
	default:
		req.Fault = check(req.JSON)
	}
	s.mu.Lock()
	req.Index = len(s.requests)
	s.requests = append(s.requests, req)
	s.mu.Unlock()
	switch {
	case len(strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")) == 0:
		refuse(w, http.StatusUnauthorized, "invalid_api_key", "no bearer key")
	case req.Fault != "":
		refuse(w, http.StatusBadRequest, "invalid_request", req.Fault)
	default:
		answer(w, r, req, s.script(req))
	}
}

func answer(w http.ResponseWriter, r *http.Request, req Request, t Turn) {
	switch {
	case t.Hang:
		<-r.Context().Done()
	case t.Drop:
		panic(http.ErrAbortHandler)
	case t.Status != 0:
		if t.RetryAfter != "" {
			w.Header().Set("Retry-After", t.RetryAfter)
		}
		refuse(w, t.Status, t.Code, "scripted failure that quotes the conversation: "+string(req.Body))
	case t.Raw != "":
		write(w, http.StatusOK, []byte(t.Raw))
	default:
		write(w, http.StatusOK, completion(req, t).Encode())
	}
}

func completion(req Request, t Turn) canon.Value {
	message := canon.Object(canon.F("role", canon.String("assistant")), canon.F("content", canon.String(t.Text)), canon.F("refusal", canon.Null()))
	reason := map[model.Stop]string{"": "stop", model.End: "stop", model.Tools: "tool_calls", model.Length: "length", model.Filter: "content_filter"}[t.Stop]
	if len(t.Calls) > 0 {
		var calls []canon.Value
		for _, c := range t.Calls {
			calls = append(calls, toolCall(c))
		}
		message = message.With("tool_calls", canon.List(calls...))
		if t.Stop == "" {
			reason = "tool_calls"
		}
	}
	return canon.Object(
		canon.F("id", canon.String(fmt.Sprintf("completion-%d", req.Index))),
		canon.F("object", canon.String("chat.completion")),
		canon.F("created", canon.Int(1)),
		canon.F("model", req.JSON.At("model")),
		canon.F("choices", canon.List(canon.Object(
			canon.F("index", canon.Int(0)), canon.F("message", message), canon.F("finish_reason", canon.String(reason))))),
		canon.F("usage", canon.Object(
			canon.F("prompt_tokens", canon.Int(t.Input)), canon.F("completion_tokens", canon.Int(t.Output)),
			canon.F("total_tokens", canon.Int(t.Input+t.Output)))),
	)
}

// toolCall writes a call. Invalid, when set, is sent as the text of the arguments.
func toolCall(c model.Call) canon.Value {
	arguments := c.Arguments.JSON()
	if c.Invalid != "" {
		arguments = c.Invalid
	}
	return canon.Object(
		canon.F("id", canon.String(c.ID)), canon.F("type", canon.String("function")),
		canon.F("function", canon.Object(canon.F("name", canon.String(c.Name)), canon.F("arguments", canon.String(arguments)))))
}

func refuse(w http.ResponseWriter, status int, code, message string) {
	write(w, status, canon.Object(canon.F("error", canon.Object(
		canon.F("message", canon.String(message)), canon.F("type", canon.String("test_error")),
		canon.F("code", canon.String(code)), canon.F("param", canon.Null())))).Encode())
}

func write(w http.ResponseWriter, status int, body []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(body)
}
