package tool

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"
)

// Class says what may have happened outside. The zero Class is invalid.
type Class string

// The classes.
const (
	NotSent  Class = "not_sent"  // nothing can have changed: another attempt is safe
	Failed   Class = "failed"    // the other side answered with a failure: final
	BadInput Class = "bad_input" // the arguments or the declaration cannot be used: final, nothing was sent
	Unknown  Class = "unknown"   // the request left and its outcome is not known
	Denied   Class = "denied"    // the sandbox refused: final, nothing was done
)

// MaxMessage bounds the text of an error, in bytes.
const MaxMessage = 4 << 10

// Error is a failed call. Message is valid UTF-8 of at most MaxMessage bytes and
// holds no secret.
type Error struct {
	Class      Class
	Code       string // short, stable: timeout, http_404, not_found …
	Message    string
	RetryAfter time.Duration // what the server asked for, 0 = nothing
	// Recoverable: the failure is an answer the model can act on, such as a path
	// that does not exist. Other failures end the step.
	Recoverable bool
	Cause       error // reachable by errors.Is; never shown
}

// Error is the message.
func (e *Error) Error() string { return e.Message }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Cause }

// Failf builds an Error with a bounded message.
func Failf(class Class, code, format string, args ...any) *Error {
	return &Error{Class: class, Code: code, Message: Bound(fmt.Sprintf(format, args...))}
}

// Answerable marks e as one the model can act on.
func (e *Error) Answerable() *Error {
	e.Recoverable = true
	return e
}

// Because sets the cause.
func (e *Error) Because(cause error) *Error {
	e.Cause = cause
	return e
}

// Ended is the failure of a call whose context ended. sent says whether the
// request may have reached the other side.
func Ended(ctx context.Context, c Call, sent bool) *Error {
	class := NotSent
	if sent && c.HasEffects() {
		class = Unknown
	}
	code, what := "cancelled", "was cancelled"
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		code, what = "timeout", "did not end in time"
	}
	return Failf(class, code, "the call of %s.%s %s", c.Tool.Name, c.Operation.Name, what).Because(ctx.Err())
}

// Bound returns s as valid UTF-8 of at most MaxMessage bytes; what was cut is said.
func Bound(s string) string {
	const mark = "… [cut]"
	if len(s) <= MaxMessage {
		s = strings.ToValidUTF8(s, "?")
		if len(s) <= MaxMessage {
			return s
		}
	}
	return cut(s, MaxMessage-len(mark)) + mark
}

// cut returns at most n bytes of s, valid and not split inside of a character.
func cut(s string, n int) string {
	s = s[:min(max(n, 0), len(s))]
	for i := len(s) - 1; i >= 0 && i >= len(s)-utf8.UTFMax; i-- {
		if utf8.RuneStart(s[i]) {
			if !utf8.FullRuneInString(s[i:]) {
				s = s[:i]
			}
			break
		}
	}
	return strings.ToValidUTF8(s, "?")
}
