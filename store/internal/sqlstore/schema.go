package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"github.com/pressly/goose/v3"

	"terfyn/store"
)

// SchemaTable is where applied migrations are recorded. It is named for terfyn
// because a shared database may hold another program's migrations.
const SchemaTable = "terfyn_schema"

// SchemaVersionQuery gives the version of a store that has SchemaTable.
const SchemaVersionQuery = `SELECT COALESCE(MAX(version_id), 0) FROM ` + SchemaTable

// Latest returns the version the migrations in fsys lead to: the highest number
// that a file name starts with.
func Latest(fsys fs.FS) int64 {
	entries, err := fs.ReadDir(fsys, ".")
	if err != nil {
		panic(err) // the files are embedded
	}
	latest := int64(0)
	for _, e := range entries {
		number, _, _ := strings.Cut(e.Name(), "_")
		if n, err := strconv.ParseInt(number, 10, 64); err == nil {
			latest = max(latest, n)
		}
	}
	return latest
}

// CheckVersion compares the version found at place with the one this build
// needs; zero stands for a store without tables.
func CheckVersion(place string, found, needed int64) error {
	switch {
	case found > needed:
		return fmt.Errorf("open %s: %w (it has version %d, this terfyn knows %d): use a newer terfyn",
			place, store.ErrSchemaNewer, found, needed)
	case found < needed:
		return fmt.Errorf("open %s: %w (it has version %d, this terfyn needs %d): run `terfyn store migrate`",
			place, store.ErrSchemaOlder, found, needed)
	}
	return nil
}

// Migrate brings db to the newest version without printing anything.
func Migrate(ctx context.Context, dialect goose.Dialect, db *sql.DB, fsys fs.FS, opts ...goose.ProviderOption) error {
	opts = append(opts, goose.WithTableName(SchemaTable), goose.WithLogger(goose.NopLogger()), goose.WithDisableGlobalRegistry(true))
	p, err := goose.NewProvider(dialect, db, fsys, opts...)
	if err != nil {
		return fmt.Errorf("read migrations: %w", err)
	}
	if _, err = p.Up(ctx); err != nil {
		var partial *goose.PartialError
		if errors.As(err, &partial) {
			err = partial.Err
		}
		return fmt.Errorf("migrate: %w", err)
	}
	return nil
}
