package sqlite

import (
	"context"
	"database/sql"
	"strings"

	"terfyn/store/internal/sqlstore"
)

// querier is the part that a pool and a transaction have in common.
type querier interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// conn runs statements on a pool or in a transaction.
type conn struct{ q querier }

// numbered turns $1 into ?1: SQLite takes $1 for a name and numbers it by
// appearance. No statement has another dollar sign.
func numbered(query string) string { return strings.ReplaceAll(query, "$", "?") }

func (c conn) Exec(ctx context.Context, query string, args ...any) (int64, error) {
	res, err := c.q.ExecContext(ctx, numbered(query), args...)
	if err != nil {
		return 0, err
	}
	return res.RowsAffected()
}

func (c conn) Query(ctx context.Context, query string, args []any, scan func(sqlstore.Row) error) error {
	rows, err := c.q.QueryContext(ctx, numbered(query), args...)
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
