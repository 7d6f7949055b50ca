package snapshot

import (
	"errors"
	"fmt"

	"terfyn/internal/canon"
	"terfyn/store"
)

// FormatError says that stored bytes have a format version this program does
// not read. They are never reinterpreted.
type FormatError struct {
	What      string // what was read, as a noun
	Found     int64
	Supported int64
}

// Error names both versions.
func (e *FormatError) Error() string {
	return fmt.Sprintf("%s has format version %d, and this terfyn reads version %d; use the terfyn release that wrote it, or apply again and start a new run",
		e.What, e.Found, e.Supported)
}

func checkFormat(what string, doc canon.Value, supported int64) error {
	found, ok := doc.At("formatVersion").AsInt()
	if !ok {
		return fmt.Errorf("%s carries no format version", what)
	}
	if found != supported {
		return &FormatError{What: what, Found: found, Supported: supported}
	}
	return nil
}

// Unusable reports whether err says that a snapshot can never be used: it is
// missing, its bytes are not what their digest says, or this terfyn does not read
// its format. Any other error is of the moment.
func Unusable(err error) bool {
	var format *FormatError
	return errors.Is(err, store.ErrCorrupt) || errors.Is(err, store.ErrNotFound) || errors.As(err, &format)
}
