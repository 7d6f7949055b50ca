// Package tooltest owns the conformance suite of tool transports: whatever the
// transport, a call ends when its context ends, numbers stay exact, texts are
// valid and errors bounded. It leaves out the transports.
package tooltest

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"terfyn/activities/tool"
)

// Answer is what the other side of a transport is made to do. One field is set.
type Answer struct {
	JSON string // answers with this document
	Raw  []byte // answers with these bytes, which may be no UTF-8
	Fail string // fails for good, with this text in the error where the transport can carry it
	Hang bool   // never answers; the transport must give up by itself
}

// Driver opens calls on one transport. Raw and Hang say what it can be made to do.
type Driver struct {
	Open func(t *testing.T, a Answer) (tool.Transport, tool.Call)
	Raw  bool
	Hang bool
}

// numbers are spellings that a double or a 64-bit integer would damage.
var numbers = []string{"9007199254740993", "616581622363398142", "18446744073709551615", "0.1", "-9223372036854775809"}

// Exercise runs the suite.
func Exercise(t *testing.T, d Driver) {
	t.Helper()
	t.Run("numbers stay exact", d.exact)
	t.Run("big output", d.bigOutput)
	t.Run("error with a big message", d.bigError)
	t.Run("cancelled before the call", d.cancelledBefore)
	if d.Raw {
		t.Run("invalid UTF-8", d.invalidText)
	}
	if d.Hang {
		t.Run("timeout of the call", d.timeout)
		t.Run("cancelled during the call", d.cancelledDuring)
	}
}

func (d Driver) exact(t *testing.T) {
	transport, call := d.Open(t, Answer{JSON: `{"n":[` + strings.Join(numbers, ",") + `]}`})
	got, err := transport.Call(t.Context(), call)
	if err != nil {
		t.Fatal(err)
	}
	if want := `"n":[` + strings.Join(numbers, ",") + `]`; !strings.Contains(got.Output.JSON(), want) {
		t.Errorf("output %s", got.Output.JSON())
	}
}

func (d Driver) bigOutput(t *testing.T) {
	transport, call := d.Open(t, Answer{JSON: `{"text":"` + strings.Repeat("y", 3<<20) + `"}`})
	got, err := transport.Call(t.Context(), call)
	if err != nil {
		t.Fatal(err)
	}
	limited, isCut := tool.Limit(got.Output, 262144)
	if len(got.Output.JSON()) < 3<<20 || !isCut || len(limited.JSON()) > 262144 || !strings.Contains(limited.JSON(), `"text":"yyy`) {
		t.Errorf("%d bytes, limited to %d (cut %v)", len(got.Output.JSON()), len(limited.JSON()), isCut)
	}
}

func (d Driver) bigError(t *testing.T) {
	transport, call := d.Open(t, Answer{Fail: strings.Repeat("é", 3<<20/2)})
	_, err := transport.Call(t.Context(), call)
	e := failure(t, err)
	if len(e.Error()) > tool.MaxMessage || !utf8.ValidString(e.Error()) || e.Code == "" {
		t.Errorf("message of %d bytes, valid %v, code %q", len(e.Error()), utf8.ValidString(e.Error()), e.Code)
	}
	if e.Class != tool.Failed && e.Class != tool.BadInput {
		t.Errorf("class %s", e.Class)
	}
}

func (d Driver) cancelledBefore(t *testing.T) {
	transport, call := d.Open(t, Answer{JSON: `{}`})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := transport.Call(ctx, call)
	if e := failure(t, err); e.Class != tool.NotSent || !errors.Is(err, context.Canceled) {
		t.Errorf("class %s, error %v", e.Class, err)
	}
}

func (d Driver) invalidText(t *testing.T) {
	transport, call := d.Open(t, Answer{Raw: []byte("ab\xff\xfecd")})
	got, err := transport.Call(t.Context(), call)
	if err != nil {
		t.Fatal(err)
	}
	if text := got.Output.JSON(); !utf8.ValidString(text) || !strings.Contains(text, "ab\uFFFD") || !strings.Contains(text, "cd") {
		t.Errorf("output %q", text)
	}
}

func (d Driver) timeout(t *testing.T) {
	transport, call := d.Open(t, Answer{Hang: true})
	call.Timeout = 100 * time.Millisecond
	_, err := transport.Call(t.Context(), call)
	if e := failure(t, err); e.Code != "timeout" || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("code %q, error %v", e.Code, err)
	}
}

func (d Driver) cancelledDuring(t *testing.T) {
	transport, call := d.Open(t, Answer{Hang: true})
	ctx, cancel := context.WithCancel(t.Context())
	timer := time.AfterFunc(100*time.Millisecond, cancel)
	defer timer.Stop()
	_, err := transport.Call(ctx, call)
	if e := failure(t, err); e.Code != "cancelled" || !errors.Is(err, context.Canceled) {
		t.Errorf("code %q, error %v", e.Code, err)
	}
}

func failure(t *testing.T, err error) *tool.Error {
	t.Helper()
	e, ok := errors.AsType[*tool.Error](err)
	if !ok {
		t.Fatalf("error %v is no *tool.Error", err)
	}
	return e
}
