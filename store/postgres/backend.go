package postgres

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"terfyn/store"
	"terfyn/store/internal/sqlstore"
)

// begin opens a transaction in one round trip. The wait for a lock is bounded
// like SQLite's, so a stuck session elsewhere ends in store.ErrLocked.
const begin = "BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL lock_timeout = 5000"

type backend struct {
	dialect
	pool     *pgxpool.Pool
	place    string
	readOnly bool
}

var _ sqlstore.Backend = (*backend)(nil)

func (b *backend) Read(_ context.Context, f func(sqlstore.Conn) error) error {
	return f(conn{b.pool})
}

func (b *backend) Exec(ctx context.Context, query string, args ...any) (int64, error) {
	if b.readOnly {
		return 0, store.ErrReadOnly
	}
	return conn{b.pool}.Exec(ctx, query, args...)
}

func (b *backend) Append(ctx context.Context, events []store.Event, first ...sqlstore.Statement) ([]store.Event, error) {
	if b.readOnly {
		return nil, store.ErrReadOnly
	}
	return appendEvents(ctx, b.pool, events, first)
}

func (b *backend) Write(ctx context.Context, f func(sqlstore.Conn) error) error {
	if b.readOnly {
		return store.ErrReadOnly
	}
	tx, err := b.pool.BeginTx(ctx, pgx.TxOptions{BeginQuery: begin})
	if err != nil {
		return err
	}
	// A rollback must reach the server when ctx has ended, too, and when f panics.
	defer func() { _ = tx.Rollback(context.WithoutCancel(ctx)) }()
	if err := f(conn{tx}); err != nil {
		return err
	}
	err = tx.Commit(ctx)
	if errors.Is(err, pgx.ErrTxCommitRollback) {
		return errors.Join(errors.New("a statement of the transaction was refused, nothing was written"), err)
	}
	return err
}

func (b *backend) Describe() string { return b.place }

func (b *backend) Close() error {
	b.pool.Close()
	return nil
}
