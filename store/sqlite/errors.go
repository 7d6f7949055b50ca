package sqlite

import (
	"errors"
	"fmt"
	"time"

	"modernc.org/sqlite"

	"terfyn/store"
	"terfyn/store/internal/sqlstore"
)

// Primary result codes of SQLite; extended codes carry them in the low byte.
const (
	codeBusy       = 5
	codeLocked     = 6
	codeReadOnly   = 8
	codeConstraint = 19
)

type dialect struct{}

// Time gives fixed-width text, or nil for the zero time, which is NULL.
func (dialect) Time(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return sqlstore.FormatTime(t)
}

// ForUpdate is empty: a write transaction excludes every other one.
func (dialect) ForUpdate() string { return "" }

func (dialect) Retryable(err error) bool {
	c := code(err)
	return c == codeBusy || c == codeLocked
}

func (dialect) Translate(err error) error {
	switch code(err) {
	case codeBusy, codeLocked:
		return as(store.ErrLocked, err)
	case codeConstraint:
		return as(store.ErrConflict, err)
	case codeReadOnly:
		return as(store.ErrReadOnly, err)
	}
	return err
}

// code returns the primary result code in err's chain, 0 when there is none.
func code(err error) int {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return 0
	}
	return e.Code() & 0xff
}

// as puts sentinel before err unless it is there already.
func as(sentinel, err error) error {
	if errors.Is(err, sentinel) {
		return err
	}
	return fmt.Errorf("%w: %w", sentinel, err)
}
