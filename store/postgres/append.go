package postgres

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"terfyn/internal/canon"
	"terfyn/store"
	"terfyn/store/audit"
	"terfyn/store/internal/sqlstore"
)

// appendEvent finds the event or links it behind the head of its run's chain,
// in one statement and so in one round trip. Updating the head row takes its
// lock, which serialises appends per run; the link digest is computed from the
// locked row, in SQL, as audit.Link does it. $7 and $8 are the anchor and the
// digest of a first event.
const appendEvent = `WITH stored AS (
	SELECT seq, actor_type, actor_id, at, data, prev_hash, hash FROM trace_events
	WHERE run_id = $1 AND call_site = $2 AND attempt = $3 AND type = $4 AND ordinal = $5
), head AS (
	INSERT INTO trace_heads AS h (run_id, seq, prev_hash, hash)
	SELECT $1::text, 1, $7::text, $8::text WHERE NOT EXISTS (SELECT 1 FROM stored)
	ON CONFLICT (run_id) DO UPDATE SET seq = h.seq + 1, prev_hash = h.hash, hash = 'sha256:' || encode(sha256(convert_to(
		concat_ws(chr(10), '` + audit.LinkDomain + `', h.hash, h.seq + 1, $6::text), 'UTF8')), 'hex')
	RETURNING seq, prev_hash, hash
), added AS (
	INSERT INTO trace_events (run_id, seq, call_site, attempt, type, ordinal, actor_type, actor_id, at, data, prev_hash, hash)
	SELECT $1::text, seq, $2, $3, $4, $5, $9, $10, $11, $12, prev_hash, hash FROM head
)
SELECT true, seq, actor_type, actor_id, at, data, prev_hash, hash FROM stored
UNION ALL
SELECT false, seq, '', '', NULL, '', prev_hash, hash FROM head`

// appendEvents sends the statements and all events as one batch: one round trip, and one
// transaction, the surrounding one or its own. Runs are taken in the order of
// their ids, so two batches cannot wait for each other.
func appendEvents(ctx context.Context, q querier, events []store.Event, first []sqlstore.Statement) ([]store.Event, error) {
	order := make([]int, len(events))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(events[a].RunID, events[b].RunID) })
	var batch pgx.Batch
	for _, s := range first {
		batch.Queue(s.Query, s.Args...)
	}
	for _, i := range order {
		e := events[i]
		body := audit.Body(e)
		genesis := audit.Genesis(e.RunID)
		batch.Queue(appendEvent, e.RunID, e.CallSite, e.Attempt, e.Type, e.Ordinal, string(body),
			string(genesis), string(audit.Link(genesis, 1, body)), e.ActorType, e.ActorID, e.At, string(e.Data))
	}
	results := q.SendBatch(ctx, &batch)
	out := make([]store.Event, len(events))
	var err error
	for range first {
		if _, err = results.Exec(); err != nil {
			break
		}
	}
	for _, i := range order {
		if err != nil {
			break
		}
		out[i], err = readAppended(results, events[i])
	}
	if closeErr := results.Close(); err == nil {
		err = closeErr
	}
	return out, err
}

// readAppended completes e from the statement's row: as it was stored before, or
// with its place in the chain.
func readAppended(results pgx.BatchResults, e store.Event) (store.Event, error) {
	var (
		present      bool
		aType, aID   string
		at           *time.Time
		data         []byte
		seq          int64
		prev, linked canon.Digest
	)
	if err := results.QueryRow().Scan(&present, &seq, &aType, &aID, &at, &data, &prev, &linked); err != nil {
		return e, err
	}
	e.Seq, e.PrevHash, e.Hash = seq, prev, linked
	if present {
		e.ActorType, e.ActorID, e.At, e.Data = aType, aID, at.UTC(), data
		if len(data) == 0 {
			e.Data = nil
		}
		return e, nil
	}
	if want := audit.Hash(prev, e); want != linked {
		return e, fmt.Errorf("the database linked event %d as %s, not %s: %w", seq, linked, want, store.ErrCorrupt)
	}
	return e, nil
}
