package cli

import (
	"bufio"
	"context"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"terfyn/cmd/internal/render"
	"terfyn/policy"
	"terfyn/store"
	"terfyn/workflows/contract"
)

func bindInteractive(c *cobra.Command, on *bool) {
	c.Flags().BoolVarP(on, "interactive", "i", false, "when the run waits for a person, ask here and go on: approve, reject, edit or later")
}

// answers reads decisions line by line. All questions of a process share one, so
// that nothing read ahead is lost.
type answers struct{ in *bufio.Reader }

// answers is nil when nobody is to be asked.
func (a *app) answers(interactive bool) *answers {
	if !interactive {
		return nil
	}
	return &answers{in: bufio.NewReader(a.in)}
}

// errLater: the person leaves the request open.
var errLater = errors.New("decide later")

// maxWord is the longest line that names a decision, with its reason.
const maxWord = 4096

// answer shows one request, asks, and hands the decision over.
func (a *app) answer(ctx context.Context, c decider, s store.Store, f followed, req store.Approval) error {
	render.Approval(a.err, req, nil, a.palette(a.err))
	d, err := a.ask(ctx, f.answers, req)
	if err != nil {
		return err
	}
	_, err = a.decide(ctx, c, s, f.id, d, decideTimeout)
	return err
}

func (a *app) ask(ctx context.Context, in *answers, req store.Approval) (contract.Decision, error) {
	words := append(asked(req.Allowed), "later")
	line, err := a.prompt(ctx, in, "Decision ("+strings.Join(words, ", ")+"): ", maxWord)
	if err != nil {
		return contract.Decision{}, err
	}
	word, reason, _ := strings.Cut(strings.TrimSpace(line), " ")
	d := contract.Decision{ApprovalID: req.ID, Revision: req.Revision, Decision: word, Reason: strings.TrimSpace(reason)}
	switch {
	case word == "later":
		return d, errLater
	case !slices.Contains(words, word):
		return d, usagef("%q is no answer to %s; use %s", word, req.ID, strings.Join(words, ", "))
	case word != policy.Edit:
		return d, nil
	}
	text, err := a.prompt(ctx, in, "Changed arguments (one line, a JSON object): ", policy.MaxEditBytes)
	if err != nil {
		return d, err
	}
	d.Edit, err = editDocument(nil, text)
	return d, err
}

// asked are the decisions that can be typed here.
func asked(allowed []string) []string {
	var out []string
	for _, d := range allowed {
		if d != policy.Switch && d != policy.Answered {
			out = append(out, d)
		}
	}
	return out
}

// prompt asks for one line; the end of ctx ends the wait.
func (a *app) prompt(ctx context.Context, in *answers, question string, limit int) (string, error) {
	_, _ = io.WriteString(a.err, question)
	type answer struct {
		line string
		err  error
	}
	got := make(chan answer, 1)
	go func() {
		line, err := in.line(limit)
		got <- answer{line, err}
	}()
	select {
	case r := <-got:
		return r.line, r.err
	case <-ctx.Done():
		return "", errLater
	}
}

// line reads one line of at most limit bytes without its end (LF or CRLF).
func (in *answers) line(limit int) (string, error) {
	var b []byte
	for {
		part, err := in.in.ReadSlice('\n')
		b = append(b, part...)
		if len(b) > limit+len("\r\n") {
			return "", usagef("the line is longer than %d bytes", limit)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case errors.Is(err, io.EOF):
			return "", failf(ExitFailure, "read an answer: %w", io.ErrUnexpectedEOF)
		case err != nil:
			return "", failf(ExitFailure, "read an answer: %w", err)
		}
		line := strings.TrimSuffix(strings.TrimSuffix(string(b), "\n"), "\r")
		if len(line) > limit {
			return "", usagef("the line is longer than %d bytes", limit)
		}
		return line, nil
	}
}
