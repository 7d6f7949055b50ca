package store

import "errors"

// Drivers translate their own errors to these; callers test with errors.Is.
var (
	// ErrNotFound: the record asked for does not exist.
	ErrNotFound = errors.New("not found")
	// ErrConflict: the record changed since it was read, or already exists with
	// other content. Nothing was written.
	ErrConflict = errors.New("conflict")
	// ErrLocked: another process held the store for longer than the busy timeout.
	ErrLocked = errors.New("store is locked by another process")
	// ErrSchemaNewer: the store was migrated by a newer terfyn.
	ErrSchemaNewer = errors.New("store schema is newer than this terfyn")
	// ErrSchemaOlder: the store needs `terfyn store migrate` first.
	ErrSchemaOlder = errors.New("store schema is older than this terfyn")
	// ErrMissing: there is no store at the given place (read-only openers never create one).
	ErrMissing = errors.New("no state found")
	// ErrReadOnly: the store was opened for reading and cannot be written.
	ErrReadOnly = errors.New("store is open for reading only")
	// ErrCorrupt: bytes read back do not have the digest they are filed under.
	ErrCorrupt = errors.New("stored bytes do not match their digest")
)
