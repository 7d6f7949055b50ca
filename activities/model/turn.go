package model

import (
	"fmt"
	"net/http"

	"terfyn/internal/canon"
)

// Settle brings a turn into the form the seam promises: a stop reason is always
// set, a cut or filtered turn has no calls, and a turn that ends in silence is an
// error. A turn that calls tools may lack text.
func (r Response) Settle() (Response, error) {
	switch {
	case r.Stop == Length || r.Stop == Filter:
		r.Calls = nil
		return r, nil
	case len(r.Calls) > 0:
		r.Stop = Tools
		return r, nil
	case r.Text == "":
		return Response{}, EmptyTurn()
	}
	r.Stop = End
	return r, nil
}

// NotAnObject is the text of Call.Invalid for arguments of another kind.
func NotAnObject(v canon.Value) string {
	return fmt.Sprintf("the arguments must be a JSON object, not %s", v.Kind())
}

// StatusClass is the class of an HTTP answer that is no success; 0 stands for no
// answer at all.
func StatusClass(status int) Class {
	switch {
	case status == 0, status >= 500, status == http.StatusTooManyRequests,
		status == http.StatusRequestTimeout, status == http.StatusTooEarly:
		return Retryable
	}
	return Permanent
}

// NoSchema is a request for structured output that names no schema.
func NoSchema() *Error {
	return &Error{Class: Config, Message: "requireStructuredOutput is set, but the agent has no output schema to require"}
}
