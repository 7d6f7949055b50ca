package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/big"
	"time"

	"terfyn/cmd/internal/follow"
	"terfyn/cmd/internal/render"
	"terfyn/cmd/internal/wire"
	"terfyn/deploy/snapshot"
	"terfyn/internal/canon"
	"terfyn/store"
)

// followed is a run to follow.
type followed struct {
	id        string
	firstExec string // pins the execution that is meant
	// answers are read from here when the run waits for a person; nil stops there.
	answers *answers
}

// follow watches a run, shows where it ended and returns the exit code for it.
func (a *app) follow(ctx context.Context, c *wire.Connection, s store.Store, f followed) error {
	o, err := a.watch(ctx, c, s, f, 0)
	for err == nil && len(o.Waiting) > 0 && f.answers != nil {
		if err = a.answer(ctx, c, s, f, o.Waiting[0]); errors.Is(err, errLater) {
			break
		}
		if err == nil {
			o, err = a.watch(ctx, c, s, f, o.LastSeq)
		}
	}
	if err != nil && !errors.Is(err, errLater) {
		return err
	}
	if o.Detached {
		a.note("Detached; the run goes on. Follow it again with: terfyn attach %s", f.id)
	}
	return a.showOutcome(f.id, o)
}

func (a *app) watch(ctx context.Context, c *wire.Connection, s store.Store, f followed, after int64) (follow.Outcome, error) {
	w := follow.Watch{
		Store: s, RunID: f.id, FirstExecID: f.firstExec, AfterSeq: after,
		Await: func(ctx context.Context) (canon.Value, error) { return c.Result(ctx, f.id) },
	}
	if a.flags.verbose {
		w.Event = a.liveEvent
	} else if terminal(a.err) && !a.flags.quiet {
		w.Progress = a.progress(a.now())
		defer func() { _, _ = io.WriteString(a.err, "\r\x1b[K") }()
	}
	return w.Follow(ctx)
}

func (a *app) showOutcome(id string, o follow.Outcome) error {
	err := a.show(func(w io.Writer) { render.Run(w, id, o, a.palette(w)) }, render.RunFields(id, o)...)
	if err != nil || o.Fault == nil {
		return err
	}
	return exit(faultCode(o.Fault.Type))
}

// liveEvent writes one line to stderr.
func (a *app) liveEvent(e store.Event) {
	text := render.Event(e)
	if a.plain() {
		text = render.ASCII(text)
	}
	a.note("%s", text)
}

// progress redraws one line on a terminal.
func (a *app) progress(began time.Time) func([]store.Step) {
	return func(steps []store.Step) {
		done, tokens, cost := 0, int64(0), new(big.Rat)
		for _, s := range steps {
			if s.Status == store.StepSucceeded || s.Status == store.StepFailed {
				done++
			}
			tokens += s.TokensIn + s.TokensOut
			if c, ok := new(big.Rat).SetString(s.CostUSD); ok {
				cost.Add(cost, c)
			}
		}
		_, _ = fmt.Fprintf(a.err, "\r\x1b[K%d of %d steps, %d tokens, USD %s, %s", done, len(steps), tokens, cost.FloatString(4), a.now().Sub(began).Round(time.Second))
	}
}

func startedText(id string) func(io.Writer) {
	return func(w io.Writer) {
		say(w, "Run ID: %s", id)
		say(w, "Status: started")
		say(w, "Follow it with: terfyn attach %s", id)
	}
}

// deployed reports whether content is what the snapshot holds.
func deployed(ctx context.Context, s store.Store, content snapshot.Content, d canon.Digest) (bool, error) {
	row, err := s.Snapshot(ctx, d)
	if err != nil {
		return false, fmt.Errorf("read the current snapshot: %w", err)
	}
	built, _, err := snapshot.Build(content, row.CompilerVersion)
	if err != nil {
		return false, fmt.Errorf("compare the project with the current snapshot: %w", err)
	}
	return built.Digest == d, nil
}
