package sqlite

import (
	"context"

	"terfyn/store"
	"terfyn/store/audit"
	"terfyn/store/internal/sqlstore"
)

// Append links events one after the other. It runs in a write transaction, which
// is what serialises the chain.
func (c conn) Append(ctx context.Context, events []store.Event, first ...sqlstore.Statement) ([]store.Event, error) {
	for _, s := range first {
		if _, err := c.Exec(ctx, s.Query, s.Args...); err != nil {
			return nil, err
		}
	}
	out := make([]store.Event, len(events))
	for i, e := range events {
		stored, found, err := c.find(ctx, e)
		if err == nil && !found {
			stored, err = c.link(ctx, e)
		}
		if err != nil {
			return nil, err
		}
		out[i] = stored
	}
	return out, nil
}

// find returns the event filed under the key of e.
func (c conn) find(ctx context.Context, e store.Event) (stored store.Event, found bool, err error) {
	err = c.Query(ctx, `SELECT `+sqlstore.EventColumns+` FROM trace_events
		WHERE run_id = $1 AND call_site = $2 AND attempt = $3 AND type = $4 AND ordinal = $5`,
		[]any{e.RunID, e.CallSite, e.Attempt, e.Type, e.Ordinal}, func(r sqlstore.Row) (err error) {
			found = true
			stored, err = sqlstore.ScanEvent(r)
			return err
		})
	return stored, found, err
}

// link adds e behind the head of its run's chain and moves the head.
func (c conn) link(ctx context.Context, e store.Event) (store.Event, error) {
	e.PrevHash = audit.Genesis(e.RunID)
	err := c.Query(ctx, `SELECT seq, hash FROM trace_heads WHERE run_id = $1`, []any{e.RunID}, func(r sqlstore.Row) error {
		return r.Scan(&e.Seq, &e.PrevHash)
	})
	if err != nil {
		return e, err
	}
	e.Seq++
	e.Hash = audit.Hash(e.PrevHash, e)
	_, err = c.Exec(ctx, `INSERT INTO trace_events (`+sqlstore.EventColumns+`) VALUES ($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12)`,
		e.RunID, e.Seq, e.CallSite, e.Attempt, e.Type, e.Ordinal, e.ActorType, e.ActorID,
		sqlstore.FormatTime(e.At), string(e.Data), string(e.PrevHash), string(e.Hash))
	if err != nil {
		return e, err
	}
	_, err = c.Exec(ctx, `INSERT INTO trace_heads (run_id, seq, prev_hash, hash) VALUES ($1,$2,$3,$4)
		ON CONFLICT (run_id) DO UPDATE SET seq = excluded.seq, prev_hash = excluded.prev_hash, hash = excluded.hash`,
		e.RunID, e.Seq, string(e.PrevHash), string(e.Hash))
	return e, err
}
