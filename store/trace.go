package store

import (
	"context"
	"strings"
	"time"

	"terfyn/internal/canon"
)

// Event is one entry of a run's audit chain. (RunID, CallSite, Attempt, Type,
// Ordinal) identifies it: appending the same key again is a no-op, so a retried
// activity never doubles an event.
type Event struct {
	RunID     string
	Seq       int64 // 1-based, set by the store
	CallSite  string
	Attempt   int
	Type      string
	Ordinal   int
	ActorType string // user, agent, system
	ActorID   string
	At        time.Time // truncated to microseconds, UTC
	Data      []byte    // canonical JSON, redacted
	PrevHash  canon.Digest
	Hash      canon.Digest
}

// chains of applies begin so; no run has such an id.
const applyChain = "environment/"

// ApplyChain is the id under which the audit chain of an environment's applies is
// kept, beside those of runs.
func ApplyChain(environment string) string { return applyChain + environment }

// IsApplyChain reports whether an id is that of a chain of applies, which a run may
// not write to.
func IsApplyChain(id string) bool { return strings.HasPrefix(id, applyChain) }

// EventFilter narrows a listing of one run's events.
type EventFilter struct {
	RunID    string
	Type     string
	AfterSeq int64
	Limit    int // 0 = 1000, at most 10000
}

// ChainHead is the end of a run's chain as recorded beside the events, so that a
// cut tail is seen. It stays when the content of a run is pruned.
type ChainHead struct {
	Seq  int64 // of the newest event, 0 never occurs
	Hash canon.Digest
}

// Trace holds the audit chains.
type Trace interface {
	// Append links events to the end of their runs' chains, in the given order,
	// and returns them as stored (already present ones included). Appending is
	// serialised per run. See audit.Hash for the hash. The run's row need not
	// exist yet: a chain starts with its first event. A zero At becomes now.
	Append(ctx context.Context, events ...Event) ([]Event, error)
	// Events pages by seq.
	Events(ctx context.Context, f EventFilter) ([]Event, error)
	// EachEvent streams a run's chain in seq order in constant memory; f's error stops it.
	// An event whose columns cannot be read back gives ErrCorrupt.
	EachEvent(ctx context.Context, runID string, f func(Event) error) error
	// ChainHead returns the end of the run's chain. ErrNotFound when the run has no event.
	ChainHead(ctx context.Context, runID string) (ChainHead, error)
}
