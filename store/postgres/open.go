package postgres

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"

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

// Options adjust Open.
type Options struct {
	// ReadOnly refuses every write with store.ErrReadOnly. It is enforced here and
	// not by a session setting, which connection poolers in between do not keep.
	ReadOnly bool
}

// Open connects to the store at dsn (a postgres:// URL) and checks its schema
// version: store.ErrSchemaOlder or ErrSchemaNewer when it does not fit.
func Open(ctx context.Context, dsn string, o Options) (store.Store, error) {
	cfg, err := parse(dsn)
	if err != nil {
		return nil, err
	}
	place := describe(cfg.ConnConfig)
	pool, err := pgxpool.NewWithConfig(ctx, cfg)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", place, err)
	}
	if err := check(ctx, pool, place); err != nil {
		pool.Close()
		return nil, err
	}
	return sqlstore.New(&backend{pool: pool, place: place, readOnly: o.ReadOnly}), nil
}

// Migrate brings the store at dsn to the newest schema version. It holds an
// advisory lock, so several at once are safe.
func Migrate(ctx context.Context, dsn string) error {
	cfg, err := parse(dsn)
	if err != nil {
		return err
	}
	place := describe(cfg.ConnConfig)
	db := stdlib.OpenDB(*cfg.ConnConfig)
	defer db.Close()
	found, err := version(func(dest *int64) error {
		return db.QueryRowContext(ctx, sqlstore.SchemaVersionQuery).Scan(dest)
	})
	if err != nil {
		return fmt.Errorf("open %s: %w", place, err)
	}
	switch needed := sqlstore.Latest(migrations()); {
	case found == needed:
		return nil
	case found > needed:
		return sqlstore.CheckVersion(place, found, needed)
	}
	locker, err := lock.NewPostgresSessionLocker(lock.WithLockTimeout(1, 300)) // look every second, for five minutes
	if err != nil {
		return fmt.Errorf("migrate %s: %w", place, err)
	}
	err = sqlstore.Migrate(ctx, goose.DialectPostgres, db, migrations(), goose.WithSessionLocker(locker))
	if err != nil {
		return fmt.Errorf("%s: %w", place, err)
	}
	return nil
}

func parse(dsn string) (*pgxpool.Config, error) {
	cfg, err := pgxpool.ParseConfig(dsn)
	if err != nil {
		// The driver's text quotes the DSN, so only its cause is passed on.
		if cause := errors.Unwrap(err); cause != nil {
			err = cause
		}
		return nil, fmt.Errorf("read the PostgreSQL address of the store: %w", err)
	}
	return cfg, nil
}

func check(ctx context.Context, pool *pgxpool.Pool, place string) error {
	found, err := version(func(dest *int64) error {
		return pool.QueryRow(ctx, sqlstore.SchemaVersionQuery).Scan(dest)
	})
	if err != nil {
		return fmt.Errorf("open %s: %w", place, err)
	}
	return sqlstore.CheckVersion(place, found, sqlstore.Latest(migrations()))
}

// version asks for the schema version; a database without the table has zero.
func version(ask func(dest *int64) error) (int64, error) {
	var found int64
	err := ask(&found)
	var pg *pgconn.PgError
	if errors.As(err, &pg) && pg.Code == undefinedTable {
		return 0, nil
	}
	return found, err
}

// describe names the place without user or password.
func describe(c *pgx.ConnConfig) string {
	if strings.HasPrefix(c.Host, "/") {
		return "PostgreSQL database " + c.Database + " at " + c.Host
	}
	return "PostgreSQL database " + c.Database + " at " + net.JoinHostPort(c.Host, strconv.Itoa(int(c.Port)))
}
