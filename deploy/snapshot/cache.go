package snapshot

import (
	"container/list"
	"context"
	"errors"
	"sync"

	"terfyn/internal/canon"
)

// Cache keeps the most recently used snapshots of a process, so that each is
// read and decoded once. It is safe for concurrent use; callers that ask for
// one digest at the same time share one load. Failures are not kept.
type Cache struct {
	source Source
	size   int

	mu      sync.Mutex
	entries map[canon.Digest]*list.Element
	recent  *list.List // of *entry, most recently used first
}

type entry struct {
	digest canon.Digest
	done   chan struct{} // closed once loaded and err are set
	loaded *Loaded
	err    error
}

// NewCache keeps at most size snapshots of s, at least one.
func NewCache(s Source, size int) *Cache {
	return &Cache{source: s, size: max(1, size), entries: map[canon.Digest]*list.Element{}, recent: list.New()}
}

// Load returns the verified snapshot d; errors are those of the function Load.
func (c *Cache) Load(ctx context.Context, d canon.Digest) (*Loaded, error) {
	for {
		e, first := c.claim(d)
		if first {
			c.fill(ctx, e)
			return e.loaded, e.err
		}
		select {
		case <-e.done:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		// The caller that loaded may have been cancelled; that says nothing
		// about this one, which tries itself.
		if !errors.Is(e.err, context.Canceled) && !errors.Is(e.err, context.DeadlineExceeded) {
			return e.loaded, e.err
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
}

// errAborted is what waiting callers see when a load ended in a panic.
var errAborted = errors.New("loading the snapshot was aborted")

// fill loads e and wakes the waiting callers, also when the load panics.
func (c *Cache) fill(ctx context.Context, e *entry) {
	e.err = errAborted
	defer func() {
		if e.err != nil {
			c.drop(e)
		}
		close(e.done)
	}()
	e.loaded, e.err = Load(ctx, c.source, e.digest)
}

// claim returns the entry of d and whether the caller is the one to load it.
func (c *Cache) claim(d canon.Digest) (e *entry, first bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if el, ok := c.entries[d]; ok {
		c.recent.MoveToFront(el)
		return el.Value.(*entry), false
	}
	e = &entry{digest: d, done: make(chan struct{})}
	c.entries[d] = c.recent.PushFront(e)
	for c.recent.Len() > c.size {
		last := c.recent.Back()
		c.recent.Remove(last)
		delete(c.entries, last.Value.(*entry).digest)
	}
	return e, true
}

// drop forgets a failed entry, unless another took its place meanwhile.
func (c *Cache) drop(e *entry) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if el, ok := c.entries[e.digest]; ok && el.Value.(*entry) == e {
		c.recent.Remove(el)
		delete(c.entries, e.digest)
	}
}
