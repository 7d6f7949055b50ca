package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"terfyn/store"
	"terfyn/store/internal/sqlstore"
)

// backend is a file open for writing.
type backend struct {
	dialect
	path   string
	writer *sql.DB // one connection, which conn holds once the schema fits
	conn   *sql.Conn
	writes *prepared     // on conn
	turn   chan struct{} // holds one token: whoever has it may write
	reader *sql.DB
	reads  *prepared // on reader
}

// start takes the writing connection for good, so that statements stay prepared on it.
func (b *backend) start(ctx context.Context) error {
	c, err := b.writer.Conn(ctx)
	if err != nil {
		return fmt.Errorf("open state %s: %w", b.path, b.Translate(err))
	}
	b.conn, b.writes, b.reads = c, &prepared{on: c}, &prepared{on: b.reader}
	b.turn = make(chan struct{}, 1)
	b.turn <- struct{}{}
	return nil
}

var _ sqlstore.Backend = (*backend)(nil)

func (b *backend) Read(_ context.Context, f func(sqlstore.Conn) error) error {
	return f(conn{b.reads})
}

func (b *backend) Exec(ctx context.Context, query string, args ...any) (int64, error) {
	if err := b.take(ctx); err != nil {
		return 0, err
	}
	defer b.give()
	return conn{b.writes}.Exec(ctx, query, args...)
}

// take waits for the turn to write.
func (b *backend) take(ctx context.Context) error {
	select {
	case <-b.turn:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (b *backend) give() { b.turn <- struct{}{} }

func (b *backend) Append(ctx context.Context, events []store.Event, first ...sqlstore.Statement) (out []store.Event, err error) {
	err = b.Write(ctx, func(c sqlstore.Conn) error {
		out, err = c.Append(ctx, events, first...)
		return err
	})
	return out, err
}

func (b *backend) Write(ctx context.Context, f func(sqlstore.Conn) error) error {
	if err := b.take(ctx); err != nil {
		return err
	}
	defer b.give()
	if _, err := b.writes.ExecContext(ctx, "BEGIN IMMEDIATE"); err != nil {
		return err
	}
	committed := false
	defer func() {
		if !committed { // also when f panics or ctx has ended
			_, _ = b.writes.ExecContext(context.WithoutCancel(ctx), "ROLLBACK")
		}
	}()
	if err := f(conn{b.writes}); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return context.Cause(ctx)
	}
	_, err := b.writes.ExecContext(context.WithoutCancel(ctx), "COMMIT")
	committed = err == nil
	return err
}

func (b *backend) Describe() string { return "SQLite file " + b.path }

// Close closes the writer last: it then folds the write-ahead log into the file,
// which becomes readable without any file beside it.
func (b *backend) Close() error {
	var errs []error
	if c := b.conn; c != nil { // closing twice is closing once
		b.conn = nil
		errs = append(errs, b.reads.Close(), b.writes.Close(), c.Close())
	}
	return errors.Join(append(errs, b.reader.Close(), b.writer.Close())...)
}
