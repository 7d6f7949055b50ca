package sqlite

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/pressly/goose/v3"

	"terfyn/store"
	"terfyn/store/internal/sqlstore"
)

//go:embed migrations/*.sql
var embedded embed.FS

func migrations() fs.FS {
	sub, err := fs.Sub(embedded, "migrations")
	if err != nil {
		panic(err) // the folder is embedded
	}
	return sub
}

// Open opens the file at path for reading and writing, creating it and its
// folder when absent, and migrates it to the newest schema version.
// store.ErrSchemaNewer when a newer terfyn has migrated it.
func Open(ctx context.Context, path string) (store.Store, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("open state %s: %w", path, err)
	}
	if err := create(path); err != nil {
		return nil, fmt.Errorf("open state %s: %w", path, err)
	}
	writer, err := openWriter(path)
	if err != nil {
		return nil, fmt.Errorf("open state %s: %w", path, err)
	}
	reader, err := openReader(path)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open state %s: %w", path, err), writer.Close())
	}
	b := &backend{path: path, writer: writer, reader: reader}
	if err := b.migrate(ctx); err != nil {
		return nil, errors.Join(err, b.Close())
	}
	if err := b.start(ctx); err != nil {
		return nil, errors.Join(err, b.Close())
	}
	return sqlstore.New(b), nil
}

// create makes the folder and an empty file that only its owner may read; the
// files SQLite puts beside it inherit the mode.
func create(path string) error {
	if _, err := os.Stat(path); err == nil {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	return f.Close()
}

// migrate brings the schema up to date. Several processes may open a new file at
// once: the losers of that race look again.
func (b *backend) migrate(ctx context.Context) error {
	const attempts = 20
	needed := sqlstore.Latest(migrations())
	for attempt := 1; ; attempt++ {
		found, err := version(ctx, b.writer)
		switch {
		case err == nil && found > needed:
			return sqlstore.CheckVersion("state "+b.path, found, needed)
		case err == nil && found == needed:
			return nil
		case err == nil:
			err = sqlstore.Migrate(ctx, goose.DialectSQLite3, b.writer, migrations())
		}
		if err == nil {
			continue
		}
		if raced := found < needed || b.Retryable(err); !raced || attempt == attempts {
			return fmt.Errorf("open state %s: %w", b.path, b.Translate(err))
		}
		timer := time.NewTimer(time.Duration(attempt) * 5 * time.Millisecond)
		select {
		case <-ctx.Done():
			timer.Stop()
			return fmt.Errorf("open state %s: %w", b.path, context.Cause(ctx))
		case <-timer.C:
		}
	}
}

// version returns the schema version of db, 0 when it has no tables.
func version(ctx context.Context, db querier) (int64, error) {
	var found int64
	known := false
	c := conn{db}
	err := c.Query(ctx, `SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = $1`,
		[]any{sqlstore.SchemaTable}, func(sqlstore.Row) error { known = true; return nil })
	if err != nil || !known {
		return 0, err
	}
	err = c.Query(ctx, sqlstore.SchemaVersionQuery, nil, func(r sqlstore.Row) error { return r.Scan(&found) })
	return found, err
}
