package store

import (
	"context"
	"time"

	"terfyn/internal/canon"
)

// EffectState is the state of one side effect in the ledger (execution.md section 5).
type EffectState string

// The ledger states.
const (
	EffectPrepared    EffectState = "prepared"
	EffectDispatching EffectState = "dispatching"
	EffectSucceeded   EffectState = "succeeded"
	EffectFailed      EffectState = "failed"
	EffectUnknown     EffectState = "unknown"
	// EffectNotSent: reconciled, the request had no effect; a new dispatch is allowed.
	EffectNotSent EffectState = "not_sent"
)

// Effect is the ledger row of one side-effecting call.
type Effect struct {
	OperationID string
	RunID       string
	CallSite    string
	Tool        string
	Operation   string
	Revision    canon.Digest
	State       EffectState
	Reconciled  bool // the state was settled by reconcile or by a person
	ProviderID  string
	ApprovalID  string       // permit consumed by this effect; empty = none was needed
	ResultRef   canon.Digest // artifact with the recorded result
	ErrorText   string
	Attempts    int // dispatches
	PreparedAt  time.Time
	SentAt      time.Time
	SettledAt   time.Time
}

// Dispatch asks for the right to send.
type Dispatch struct {
	Effect Effect // identity fields; State is ignored
	// ApprovalID, when set, must name an approved request whose Granted revision
	// equals Effect.Revision and whose permit no other effect has taken.
	ApprovalID string
	At         time.Time
}

// Effects is the ledger.
type Effects interface {
	// BeginDispatch moves the row to dispatching in one transaction, taking the
	// permit, and returns granted true; or returns the row as it stands and
	// granted false when it is dispatching, succeeded, failed or unknown already.
	// Of any number of concurrent callers exactly one is granted.
	// ErrNotFound: no such approval. ErrConflict: the approval is not approved
	// for this revision or its permit is taken.
	// A row in state not_sent is dispatched again with the same permit.
	BeginDispatch(ctx context.Context, d Dispatch) (row Effect, granted bool, err error)
	// Settle moves from one of the states from to e.State, filling provider id,
	// result and error. ErrConflict when the row is in none of them.
	Settle(ctx context.Context, e Effect, from ...EffectState) error
	Effect(ctx context.Context, operationID string) (Effect, error)
	// EffectsOf lists a run's rows by prepared time.
	EffectsOf(ctx context.Context, runID string) ([]Effect, error)
}
