// Package open owns the choice of a store's backend from its address. It leaves
// out where the address comes from (flag, environment variable, environment
// resource); the command line decides that.
package open

import (
	"context"
	"fmt"
	"strings"

	"terfyn/store"
	"terfyn/store/postgres"
	"terfyn/store/sqlite"
)

// Mode says what a store is opened for. The zero value is invalid.
type Mode int

const (
	// ReadOnly never creates or changes anything.
	ReadOnly Mode = iota + 1
	// ReadWrite creates and migrates a SQLite file; a PostgreSQL database must
	// have been migrated.
	ReadWrite
	// Migrate is ReadWrite behind a migration, on either backend.
	Migrate
)

// Open opens the store at dsn: a postgres:// or postgresql:// URL, or else the
// path of a SQLite file. Errors wrap store.ErrMissing, ErrSchemaOlder or
// ErrSchemaNewer where those apply, and never hold a password.
func Open(ctx context.Context, dsn string, mode Mode) (store.Store, error) {
	if dsn == "" {
		return nil, fmt.Errorf("open store: the address is empty")
	}
	switch mode {
	case ReadOnly, ReadWrite, Migrate:
	default:
		return nil, fmt.Errorf("open store: invalid mode %d", mode)
	}
	if !IsPostgres(dsn) {
		if mode == ReadOnly {
			return sqlite.OpenReadOnly(ctx, dsn)
		}
		return sqlite.Open(ctx, dsn)
	}
	if mode == Migrate {
		if err := postgres.Migrate(ctx, dsn); err != nil {
			return nil, err
		}
	}
	return postgres.Open(ctx, dsn, postgres.Options{ReadOnly: mode == ReadOnly})
}

// IsPostgres reports whether dsn addresses a PostgreSQL server.
func IsPostgres(dsn string) bool {
	return strings.HasPrefix(dsn, "postgres://") || strings.HasPrefix(dsn, "postgresql://")
}
