package cli

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"terfyn/policy"
	"terfyn/store"
)

// Behaviour 96: long lines are taken up to the limit, in either spelling of the
// line end, and refused beyond.
func TestAnswerLines(t *testing.T) {
	t.Parallel()
	const limit = policy.MaxEditBytes
	for _, c := range []struct {
		size int
		end  string
		ok   bool
	}{
		{0, "\n", true}, {70 << 10, "\n", true}, {limit, "\n", true}, {limit, "\r\n", true}, {limit + 1, "\n", false}, {limit + 1, "\r\n", false}, {2 * limit, "\n", false},
	} {
		text := strings.Repeat("x", c.size)
		a := &app{streams: streams{in: strings.NewReader(text + c.end + "next\n")}}
		in := a.answers(true)
		got, err := in.line(limit)
		if c.ok != (err == nil) || c.ok && got != text {
			t.Errorf("%d bytes and %q: %d bytes, %v", c.size, c.end, len(got), err)
		}
		if !c.ok {
			continue
		}
		if next, err := in.line(limit); err != nil || next != "next" {
			t.Errorf("the line after: %q, %v", next, err)
		}
	}
}

// Behaviour 97: answers that were read ahead are not lost, and the end of input
// is told.
func TestTwoQuestionsOnePipe(t *testing.T) {
	t.Parallel()
	var shown bytes.Buffer
	a := &app{streams: streams{in: strings.NewReader("approve\nreject too dear\n"), err: &shown}}
	in, req := a.answers(true), store.Approval{ID: "apr-1", Revision: "sha256:1", Allowed: []string{policy.Approve, policy.Reject, policy.Switch}}
	first, err := a.ask(t.Context(), in, req)
	if err != nil || first.Decision != policy.Approve || first.Revision != req.Revision {
		t.Errorf("%+v %v", first, err)
	}
	second, err := a.ask(t.Context(), in, req)
	if err != nil || second.Decision != policy.Reject || second.Reason != "too dear" {
		t.Errorf("%+v %v", second, err)
	}
	if _, err := a.ask(t.Context(), in, req); !errors.Is(err, io.ErrUnexpectedEOF) || codeOf(err) != ExitFailure {
		t.Errorf("%v", err)
	}
	if !strings.Contains(shown.String(), "Decision (approve, reject, later): ") {
		t.Errorf("%q", shown.String())
	}
	if a.answers(false) != nil {
		t.Error("somebody is asked without being told to")
	}
}
