package activities

import (
	"context"

	"terfyn/activities/guard"
	"terfyn/activities/model"
	"terfyn/activities/tool"
	"terfyn/compiler/resource"
	"terfyn/deploy/snapshot"
	"terfyn/store"
)

// ModelFunc opens the provider of a model reference such as mock/drafter; the id
// is the model's name at that provider.
type ModelFunc func(g *resource.Graph, ref string) (p model.Provider, id string, err error)

// Config is what a worker provides.
type Config struct {
	Store store.Store
	Model ModelFunc
	Tools tool.Transport
	// ProjectRoot is the folder relative workspace roots are under.
	ProjectRoot string
	// SearchAttributes: the namespace knows ours.
	SearchAttributes bool
	// RolloverEvents is the history length at which runs continue as new, 0 = when
	// the server suggests it.
	RolloverEvents int
}

// Activities holds what the activities of one worker share.
type Activities struct {
	config    Config
	store     store.Store
	guard     *guard.Guard
	snapshots *snapshot.Cache
}

// cachedSnapshots bounds the verified snapshots a worker keeps.
const cachedSnapshots = 32

// New builds the activities of a worker.
func New(c Config) *Activities {
	cache := snapshot.NewCache(c.Store, cachedSnapshots)
	return &Activities{config: c, store: c.Store, snapshots: cache, guard: &guard.Guard{Store: c.Store, Snapshots: cache}}
}

// inTx runs f in one transaction of the store.
func (a *Activities) inTx(ctx context.Context, f func(tx store.Tx) error) error {
	return a.store.InTx(ctx, f)
}
