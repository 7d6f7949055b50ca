package sqlite

import (
	"context"
	"database/sql"
	"errors"

	"terfyn/store"
	"terfyn/store/internal/sqlstore"
)

// backend is a file open for writing.
type backend struct {
	dialect
	path   string
	writer *sql.DB // one connection; its transactions begin IMMEDIATE
	reader *sql.DB
}

var _ sqlstore.Backend = (*backend)(nil)

func (b *backend) Read(_ context.Context, f func(sqlstore.Conn) error) error {
	return f(conn{b.reader})
}

func (b *backend) Exec(ctx context.Context, query string, args ...any) (int64, error) {
	return conn{b.writer}.Exec(ctx, query, args...)
}

func (b *backend) Append(ctx context.Context, events []store.Event, first ...sqlstore.Statement) (out []store.Event, err error) {
	err = b.Write(ctx, func(c sqlstore.Conn) error {
		out, err = c.Append(ctx, events, first...)
		return err
	})
	return out, err
}

func (b *backend) Write(ctx context.Context, f func(sqlstore.Conn) error) error {
	tx, err := b.writer.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // no-op after Commit
	if err := f(conn{tx}); err != nil {
		return err
	}
	return tx.Commit()
}

func (b *backend) Describe() string { return "SQLite file " + b.path }

// Close closes the writer last: it then folds the write-ahead log into the file,
// which becomes readable without any file beside it.
func (b *backend) Close() error {
	return errors.Join(b.reader.Close(), b.writer.Close())
}
