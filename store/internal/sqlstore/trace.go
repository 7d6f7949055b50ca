package sqlstore

import (
	"context"
	"fmt"
	"math"

	"terfyn/store"
)

// EventColumns are the columns of trace_events in the order ScanEvent reads.
const EventColumns = `run_id, seq, call_site, attempt, type, ordinal, actor_type, actor_id, at, data, prev_hash, hash`

// ScanEvent reads one row of EventColumns.
func ScanEvent(row Row) (store.Event, error) {
	var e store.Event
	err := row.Scan(&e.RunID, &e.Seq, &e.CallSite, &e.Attempt, &e.Type, &e.Ordinal, &e.ActorType, &e.ActorID,
		timeInto{&e.At}, &e.Data, &e.PrevHash, &e.Hash)
	if len(e.Data) == 0 {
		e.Data = nil
	}
	return e, err
}

// eventPage is how many events are held at a time while streaming.
const eventPage = 1000

// Append implements store.Trace.
func (o *ops) Append(ctx context.Context, events ...store.Event) ([]store.Event, error) {
	if len(events) == 0 {
		return nil, nil
	}
	prepared, err := prepare(events)
	if err != nil {
		return nil, err
	}
	out, err := o.session.append(ctx, prepared)
	return out, o.wrap(err, "append %d trace events to run %s", len(events), events[0].RunID)
}

// prepare checks events and makes what is hashed of them final.
func prepare(events []store.Event) ([]store.Event, error) {
	prepared := make([]store.Event, len(events))
	for i, e := range events {
		if e.RunID == "" || e.Type == "" {
			return nil, fmt.Errorf("append trace event %q of run %q: an event needs a run and a type", e.Type, e.RunID)
		}
		if err := checkText([]any{e.RunID, e.CallSite, e.Type, e.ActorType, e.ActorID, string(e.Data)}); err != nil {
			return nil, fmt.Errorf("append trace event %s of run %s: %w", e.Type, e.RunID, err)
		}
		e.At = orNow(e.At)
		if len(e.Data) == 0 {
			e.Data = nil
		}
		prepared[i] = e
	}
	return prepared, nil
}

// Events implements store.Trace.
func (o *ops) Events(ctx context.Context, f store.EventFilter) ([]store.Event, error) {
	out, err := o.events(ctx, f, limit(f.Limit, 1000, 10000))
	return out, o.wrap(err, "list the trace of run %s", f.RunID)
}

func (o *ops) events(ctx context.Context, f store.EventFilter, max int) ([]store.Event, error) {
	var w where
	w.add("run_id = $%d AND seq > $%d", f.RunID, f.AfterSeq)
	if f.Type != "" {
		w.add("type = $%d", f.Type)
	}
	query := `SELECT ` + EventColumns + ` FROM trace_events` + w.String() + fmt.Sprintf(` ORDER BY seq LIMIT %d`, max)
	var out []store.Event
	err := o.session.read(ctx, func(c Conn) error {
		out = out[:0]
		return c.Query(ctx, query, w.args, func(row Row) error {
			e, err := ScanEvent(row)
			if err != nil {
				return fmt.Errorf("event %d: %w: %w", e.Seq, store.ErrCorrupt, err)
			}
			out = append(out, e)
			return nil
		})
	})
	return out, err
}

// EachEvent implements store.Trace. It reads pages, so no connection is held
// while f runs and f may use the store.
func (o *ops) EachEvent(ctx context.Context, runID string, f func(store.Event) error) error {
	after := int64(math.MinInt64) // a forged row may have any number
	for {
		page, err := o.events(ctx, store.EventFilter{RunID: runID, AfterSeq: after}, eventPage)
		if err != nil {
			return o.wrap(err, "read the trace of run %s", runID)
		}
		for _, e := range page {
			if err := f(e); err != nil {
				return err
			}
			after = e.Seq
		}
		if len(page) < eventPage {
			return nil
		}
	}
}

// ChainHead implements store.Trace.
func (o *ops) ChainHead(ctx context.Context, runID string) (store.ChainHead, error) {
	var h store.ChainHead
	err := o.session.read(ctx, func(c Conn) error {
		return one(ctx, c, `SELECT seq, hash FROM trace_heads WHERE run_id = $1`, []any{runID}, func(r Row) error {
			return r.Scan(&h.Seq, &h.Hash)
		})
	})
	return h, o.wrap(err, "load the chain head of run %s", runID)
}
