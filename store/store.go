package store

import "context"

// Tx is the set of operations; every method of one Tx value is atomic on its
// own on a Store and joins the surrounding transaction inside InTx.
type Tx interface {
	Deployments
	Runs
	Trace
	Approvals
	Effects
	// Record puts steps and appends events in one transaction and, where the
	// database allows it, in one round trip: what a finished call leaves behind.
	Record(ctx context.Context, steps []Step, events []Event) error
}

// Store is an open store.
type Store interface {
	Tx
	// InTx runs f in one read-write transaction and commits when f returns nil.
	// Serialisation failures and lock waits are retried inside, so f must be
	// free of effects outside of tx. No lock may be held across a model or tool
	// call: f never makes one.
	InTx(ctx context.Context, f func(tx Tx) error) error
	// Describe names the backend and place for messages, without secrets.
	Describe() string
	Close() error
}
