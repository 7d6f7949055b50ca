// Package sink owns a mail service for demonstrations and tests: it keeps what it
// is told to send and can be asked what became of an operation.
//
// It is as forgetful as many real services: it knows no idempotency keys, so a
// mail that is sent twice counts twice. It can lose the answer to a mail that it
// did accept. The package leaves out delivering mail and listening on a port.
package sink

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
)

// OperationHeader carries the operation id of a request.
const OperationHeader = "Terfyn-Operation-Id"

// maxBody bounds what one request may hold, in bytes.
const maxBody = 1 << 20

// Message is one accepted mail, in the order of acceptance.
type Message struct {
	ID          string          `json:"id"`          // mail-1, mail-2, …
	OperationID string          `json:"operationId"` // "" when the request named none
	Mail        json.RawMessage `json:"mail"`        // the body as it came
	Answered    bool            `json:"answered"`    // false: accepted, and the connection was dropped
}

// Sink is the service. The zero value is ready, keeps everything in memory and
// loses no answer. Its methods may be used concurrently.
type Sink struct {
	mu       sync.Mutex
	messages []Message
	lose     int
	log      io.Writer
}

// Resume continues a log of an earlier life: it reads one JSON object per line
// from it and writes every further message to it.
func Resume(log io.ReadWriter) (*Sink, error) {
	s := &Sink{log: log}
	for d := json.NewDecoder(log); ; {
		var m Message
		err := d.Decode(&m)
		if errors.Is(err, io.EOF) {
			return s, nil
		}
		if err != nil {
			return nil, fmt.Errorf("read message %d of the log: %w", len(s.messages)+1, err)
		}
		s.messages = append(s.messages, m)
	}
}

// LoseNext makes the sink accept the next n mails and drop the connection instead
// of answering.
func (s *Sink) LoseNext(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lose = n
}

// Messages returns what was accepted so far.
func (s *Sink) Messages() []Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Message{}, s.messages...)
}

// ServeHTTP answers POST /send, GET /lookup, GET /messages and POST /control.
func (s *Sink) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch r.Method + " " + r.URL.Path {
	case "POST /send":
		s.send(w, r)
	case "GET /lookup":
		s.lookup(w, r.URL.Query().Get("operationId"))
	case "GET /messages":
		messages := s.Messages()
		answer(w, http.StatusOK, map[string]any{"count": len(messages), "messages": messages})
	case "POST /control":
		s.control(w, r)
	default:
		refuse(w, http.StatusNotFound, "there is no "+r.Method+" "+r.URL.Path)
	}
}

func (s *Sink) send(w http.ResponseWriter, r *http.Request) {
	var mail map[string]json.RawMessage
	body, ok := read(w, r, &mail)
	if !ok {
		return
	}
	m, err := s.accept(r.Header.Get(OperationHeader), body)
	if err != nil {
		refuse(w, http.StatusInternalServerError, err.Error())
		return
	}
	if !m.Answered {
		panic(http.ErrAbortHandler) // drops the connection
	}
	answer(w, http.StatusOK, map[string]any{"id": m.ID, "accepted": true})
}

// accept keeps a mail; when the log cannot be written it is not accepted.
func (s *Sink) accept(operationID string, body []byte) (Message, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	m := Message{ID: fmt.Sprintf("mail-%d", len(s.messages)+1), OperationID: operationID, Mail: body, Answered: s.lose == 0}
	if s.log != nil {
		if err := json.NewEncoder(s.log).Encode(m); err != nil {
			return Message{}, fmt.Errorf("write the log: %w", err)
		}
	}
	if s.lose > 0 {
		s.lose--
	}
	s.messages = append(s.messages, m)
	return m, nil
}

// lookup answers in the form of a reconcile operation.
func (s *Sink) lookup(w http.ResponseWriter, operationID string) {
	if operationID == "" {
		refuse(w, http.StatusBadRequest, "the query needs operationId")
		return
	}
	for _, m := range s.Messages() {
		if m.OperationID == operationID {
			answer(w, http.StatusOK, map[string]any{
				"sent": true, "providerId": m.ID, "result": map[string]any{"id": m.ID, "accepted": true},
			})
			return
		}
	}
	answer(w, http.StatusOK, map[string]any{"sent": false})
}

func (s *Sink) control(w http.ResponseWriter, r *http.Request) {
	var order struct {
		LoseNext int `json:"loseNext"`
	}
	if _, ok := read(w, r, &order); !ok {
		return
	}
	if order.LoseNext < 0 {
		refuse(w, http.StatusBadRequest, "loseNext must be 0 or more")
		return
	}
	s.LoseNext(order.LoseNext)
	answer(w, http.StatusOK, order)
}

// read takes the body as one JSON value into v; it has refused when ok is false.
func read(w http.ResponseWriter, r *http.Request, v any) (body []byte, ok bool) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err == nil {
		err = json.Unmarshal(body, v)
	}
	if err != nil {
		refuse(w, http.StatusBadRequest, "the body must be one JSON object: "+err.Error())
		return nil, false
	}
	return body, true
}

func answer(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v) // a caller that is gone needs no answer
}

func refuse(w http.ResponseWriter, status int, why string) {
	answer(w, status, map[string]any{"error": why})
}
