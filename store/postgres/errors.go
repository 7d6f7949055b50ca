package postgres

import (
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5/pgconn"

	"terfyn/store"
)

// SQLSTATE codes the store reacts to.
const (
	uniqueViolation      = "23505"
	serializationFailure = "40001"
	deadlockDetected     = "40P01"
	lockNotAvailable     = "55P03"
	undefinedTable       = "42P01"
	readOnlyTransaction  = "25006"
)

// traceIdentity is the constraint two appends of the same event can race for;
// the loser finds the event when it runs again.
const traceIdentity = "trace_events_identity"

type dialect struct{}

func (dialect) ForUpdate() string { return " FOR UPDATE" }

func (dialect) Retryable(err error) bool {
	var pg *pgconn.PgError
	if !errors.As(err, &pg) {
		return false
	}
	switch pg.Code {
	case serializationFailure, deadlockDetected, lockNotAvailable:
		return true
	case uniqueViolation:
		return pg.ConstraintName == traceIdentity
	}
	return false
}

func (d dialect) Translate(err error) error {
	var pg *pgconn.PgError
	if !errors.As(err, &pg) {
		return err
	}
	switch {
	case d.Retryable(err):
		return as(store.ErrLocked, err)
	case pg.Code == uniqueViolation:
		return as(store.ErrConflict, err)
	case pg.Code == readOnlyTransaction:
		return as(store.ErrReadOnly, err)
	}
	return err
}

// as puts sentinel before err unless it is there already.
func as(sentinel, err error) error {
	if errors.Is(err, sentinel) {
		return err
	}
	return fmt.Errorf("%w: %w", sentinel, err)
}
