package sqlstore

import (
	"context"
	"time"

	"terfyn/store"
)

// Row is the current row of a query.
type Row interface {
	Scan(dest ...any) error
}

// Statement is a writing statement with its arguments.
type Statement struct {
	Query string
	Args  []any
}

// Conn runs statements: on a pool, where each is atomic on its own, or in one
// transaction.
type Conn interface {
	// Exec returns the number of rows changed.
	Exec(ctx context.Context, query string, args ...any) (int64, error)
	// Query calls scan once per row; scan's error ends it.
	Query(ctx context.Context, query string, args []any, scan func(Row) error) error
	// Append links prepared events; see Backend.
	Append(ctx context.Context, events []store.Event, first ...Statement) ([]store.Event, error)
}

// Backend is one open database.
type Backend interface {
	Dialect
	// Read runs f on a connection for reading. It may run f again, so f resets
	// what it collects.
	Read(ctx context.Context, f func(Conn) error) error
	// Exec runs one writing statement, committed when it returns.
	Exec(ctx context.Context, query string, args ...any) (int64, error)
	// Write runs f once in a read-write transaction.
	Write(ctx context.Context, f func(Conn) error) error
	// Append runs the statements first and links events to their chains, all in
	// one transaction. RunID, At and Data of the events are final; Seq, PrevHash
	// and Hash are the backend's to set.
	Append(ctx context.Context, events []store.Event, first ...Statement) ([]store.Event, error)
	Describe() string
	Close() error
}

// Dialect holds what differs between the databases.
type Dialect interface {
	// Time gives the argument for a column of time; the zero time is NULL.
	Time(t time.Time) any
	// ForUpdate is appended to a SELECT whose row must not change before commit.
	ForUpdate() string
	// Retryable reports that the transaction lost against another and may be
	// run again from its start.
	Retryable(err error) bool
	// Translate adds the fitting store error to err, keeping err in the chain.
	Translate(err error) error
}
