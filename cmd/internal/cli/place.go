package cli

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"terfyn/cmd/internal/wire"
	"terfyn/store"
	"terfyn/store/open"
)

// statePath is where the state is: flag, TERFYN_STATE, the default under the
// project.
func (a *app) statePath() string {
	if a.flags.state != "" {
		return a.flags.state
	}
	if env := a.getenv("TERFYN_STATE"); env != "" {
		return env
	}
	return filepath.Join(a.flags.project, wire.Folder, "state.db")
}

// readState opens the state for reading; a missing one is an error that says
// where it was looked for.
func (a *app) readState(ctx context.Context) (store.Store, error) {
	return open.Open(ctx, a.statePath(), open.ReadOnly)
}

// writeState opens the state for writing, creating a SQLite file.
func (a *app) writeState(ctx context.Context) (store.Store, error) {
	return open.Open(ctx, a.statePath(), open.ReadWrite)
}

// existingState opens the state for writing and does not create it.
func (a *app) existingState(ctx context.Context) (store.Store, error) {
	path := a.statePath()
	if !open.IsPostgres(path) {
		if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
			return a.readState(ctx) // fails, in the words of every reading command
		}
	}
	return open.Open(ctx, path, open.ReadWrite)
}

// target is where the Temporal server is, as far as flags say.
func (a *app) target() wire.Target {
	return wire.Target{
		Project: a.flags.project, Address: a.flags.address, Namespace: a.flags.namespace,
		Profile: a.flags.profile, TaskQueue: a.flags.taskQueue,
	}
}

// connect dials Temporal; large payloads go through s.
func (a *app) connect(ctx context.Context, s store.Deployments) (*wire.Connection, error) {
	return wire.Dial(ctx, a.target(), s)
}
