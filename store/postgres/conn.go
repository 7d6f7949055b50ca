package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"terfyn/store"
	"terfyn/store/internal/sqlstore"
)

// querier is the part that a pool and a transaction have in common.
type querier interface {
	Exec(ctx context.Context, query string, args ...any) (pgconn.CommandTag, error)
	Query(ctx context.Context, query string, args ...any) (pgx.Rows, error)
	SendBatch(ctx context.Context, b *pgx.Batch) pgx.BatchResults
}

// conn runs statements on a pool or in a transaction.
type conn struct{ q querier }

func (c conn) Exec(ctx context.Context, query string, args ...any) (int64, error) {
	tag, err := c.q.Exec(ctx, query, args...)
	return tag.RowsAffected(), err
}

func (c conn) Query(ctx context.Context, query string, args []any, scan func(sqlstore.Row) error) error {
	rows, err := c.q.Query(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := scan(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

func (c conn) Append(ctx context.Context, events []store.Event, first ...sqlstore.Statement) ([]store.Event, error) {
	return appendEvents(ctx, c.q, events, first)
}

// Time gives nil for the zero time, which is NULL.
func (dialect) Time(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t
}
