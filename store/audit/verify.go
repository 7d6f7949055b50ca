package audit

import (
	"context"
	"errors"
	"fmt"

	"terfyn/internal/canon"
	"terfyn/store"
)

// Kind names what is wrong with a chain.
type Kind string

// The kinds of damage Verify tells apart. Names are shown and stay stable.
const (
	Missing    Kind = "missing"    // sequence numbers are absent before a later event
	Truncated  Kind = "truncated"  // the recorded head lies beyond the last event
	Blanked    Kind = "blanked"    // a hash column is empty
	Altered    Kind = "altered"    // linked in place, but its content is another
	Reordered  Kind = "reordered"  // neither its link nor its hash fit its place
	Unlinked   Kind = "unlinked"   // sound by itself, but not linked to the event before
	Foreign    Kind = "foreign"    // the trail starts at another run's anchor
	Unreadable Kind = "unreadable" // a column does not hold what the store writes
	Head       Kind = "head"       // the recorded head is absent or names another hash
)

// Problem is the first damage found.
type Problem struct {
	Seq  int64 // the event it was found at; for Missing the first absent one
	Kind Kind
	Text string // one sentence
}

// Report is the result of walking one chain.
type Report struct {
	RunID string
	Count int64        // events seen
	Head  canon.Digest // hash of the last event seen; Genesis when there is none
	// Problem is nil when the chain is intact. The walk still counts all events
	// behind it, but judges none of them.
	Problem *Problem
}

// Intact reports whether the chain passed.
func (r Report) Intact() bool { return r.Problem == nil }

// Verify walks the chain of runID in one pass and constant memory. Damage is a
// Problem of the report; the error tells that the store could not be read.
// A run without any event and without a recorded head gives store.ErrNotFound.
func Verify(ctx context.Context, t store.Trace, runID string) (Report, error) {
	// The head is read first: events appended while the walk runs lie behind it
	// and are checked like the others.
	head, err := t.ChainHead(ctx, runID)
	headless := errors.Is(err, store.ErrNotFound)
	if err != nil && !headless {
		return Report{}, fmt.Errorf("verify run %s: %w", runID, err)
	}
	w := walk{report: Report{RunID: runID, Head: Genesis(runID)}, recorded: head}
	err = t.EachEvent(ctx, runID, func(e store.Event) error { w.visit(e); return nil })
	switch {
	case errors.Is(err, store.ErrCorrupt):
		w.fail(w.last+1, Unreadable, "%v", err)
	case err != nil:
		return w.report, fmt.Errorf("verify run %s: %w", runID, err)
	}
	if headless && w.report.Count == 0 && w.report.Problem == nil {
		return w.report, fmt.Errorf("verify run %s: trace %w", runID, store.ErrNotFound)
	}
	w.finish(headless)
	if w.last <= head.Seq || w.report.Problem != nil {
		return w.report, nil
	}
	// Events behind the head that was read: the run goes on, or somebody added rows
	// that no append made.
	if head, err = t.ChainHead(ctx, runID); err != nil {
		return w.report, fmt.Errorf("verify run %s: %w", runID, err)
	}
	if w.last > head.Seq {
		w.fail(head.Seq+1, Head, "events behind the recorded head %d were not appended by a store", head.Seq)
	}
	return w.report, nil
}

// walk is the state carried from event to event.
type walk struct {
	report   Report
	recorded store.ChainHead
	last     int64 // seq of the event before
}

func (w *walk) visit(e store.Event) {
	w.report.Count++
	prev := w.report.Head
	if w.report.Problem == nil {
		w.check(prev, e)
	}
	w.report.Head, w.last = e.Hash, e.Seq
}

// check judges one event; the first complaint wins, the most specific first.
func (w *walk) check(prev canon.Digest, e store.Event) {
	sound := e.Hash == Hash(e.PrevHash, e)
	switch {
	case e.Seq != w.last+1 && e.Seq > w.last:
		w.fail(w.last+1, Missing, "events %d to %d are missing", w.last+1, e.Seq-1)
	case e.Seq != w.last+1:
		w.fail(e.Seq, Unreadable, "sequence number %d does not follow %d", e.Seq, w.last)
	case e.Hash == "" || e.PrevHash == "":
		w.fail(e.Seq, Blanked, "event %d has no hash", e.Seq)
	case e.PrevHash != prev && e.Seq == 1:
		w.fail(e.Seq, Foreign, "event 1 is not anchored at this run, as if the trail were another run's")
	case e.PrevHash != prev && sound:
		w.fail(e.Seq, Unlinked, "event %d does not link to event %d", e.Seq, e.Seq-1)
	case e.PrevHash != prev:
		w.fail(e.Seq, Reordered, "event %d is not the one that was recorded at this place", e.Seq)
	case !sound:
		w.fail(e.Seq, Altered, "the content of event %d is not what was recorded", e.Seq)
	case e.Seq == w.recorded.Seq && e.Hash != w.recorded.Hash:
		w.fail(e.Seq, Head, "the recorded head names another hash for event %d", e.Seq)
	}
}

// finish judges the end of the chain against the recorded head.
func (w *walk) finish(headless bool) {
	switch {
	case w.report.Problem != nil:
	case headless:
		w.fail(w.last, Head, "the head of the chain is not recorded any more")
	case w.recorded.Seq > w.last:
		w.fail(w.last+1, Truncated, "events %d to %d are missing at the end", w.last+1, w.recorded.Seq)
	case w.recorded.Seq < 1:
		w.fail(w.last, Head, "the recorded head has the sequence number %d", w.recorded.Seq)
	}
}

func (w *walk) fail(seq int64, kind Kind, format string, args ...any) {
	if w.report.Problem == nil {
		w.report.Problem = &Problem{Seq: seq, Kind: kind, Text: fmt.Sprintf(format, args...)}
	}
}
