package model

import (
	"fmt"
	"strings"
	"time"
)

// Class says what an error allows. The zero Class is invalid.
type Class string

// The classes.
const (
	Retryable Class = "retryable" // 429, 5xx, timeouts, lost connections
	Permanent Class = "permanent" // the same request will fail again
	Config    Class = "config"    // key, namespace, base URL or schema: a person must change something
)

// Error is a failed completion. No field ever holds content of the conversation.
type Error struct {
	Class      Class
	Status     int           // HTTP status, 0 = no answer arrived
	RetryAfter time.Duration // what the server asked for, 0 = nothing
	Structure  string        // shape of the refused conversation; see Structure
	Message    string
	Cause      error // reachable by errors.Is; never shown
}

// Error is the message with status and structure.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString("model: ")
	b.WriteString(e.Message)
	if e.Structure != "" {
		fmt.Fprintf(&b, " (%s)", e.Structure)
	}
	return b.String()
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Cause }

// Timeout reports that the deadline of ctx passed before the answer came.
func Timeout(cause error) *Error {
	return &Error{Class: Retryable, Message: "the model did not answer in time", Cause: cause}
}

// AtTokenCap is the failure of a step whose answer stopped at its cap of output
// tokens: a cut answer is never parsed.
func AtTokenCap(limit int64) *Error {
	return &Error{Class: Permanent, Message: fmt.Sprintf(
		"the answer stopped at the cap of %d output tokens and is incomplete; raise maxTokens of the agent or ask for a shorter answer", limit)}
}

// EmptyTurn is an ended turn that says nothing and calls nothing.
func EmptyTurn() *Error {
	return &Error{Class: Permanent, Message: "the model ended its turn without any text"}
}
