package snapshot_test

import (
	"context"
	"errors"
	"sync"
	"testing"

	"terfyn/deploy/snapshot"
	"terfyn/store"
)

func TestCacheLoadsOnce(t *testing.T) {
	t.Parallel()
	row, artifacts := build(t, desk(), release)
	s := put(row, artifacts)
	gate := make(chan struct{})
	s.before = func(context.Context) error { <-gate; return nil }
	c := snapshot.NewCache(s, 4)
	var wg sync.WaitGroup
	got := make([]*snapshot.Loaded, 16)
	for i := range got {
		wg.Go(func() { got[i], _ = c.Load(t.Context(), row.Digest) })
	}
	close(gate)
	wg.Wait()
	for _, l := range got {
		if l == nil || l != got[0] {
			t.Fatal("callers got different snapshots")
		}
	}
	if s.reads != 1 {
		t.Errorf("read %d times", s.reads)
	}
}

func TestCacheForgetsFailures(t *testing.T) {
	t.Parallel()
	row, artifacts := build(t, desk(), release)
	s := put(row, artifacts)
	delete(s.snapshots, row.Digest)
	c := snapshot.NewCache(s, 1)
	if _, err := c.Load(t.Context(), row.Digest); !errors.Is(err, store.ErrNotFound) {
		t.Fatal(err)
	}
	s.snapshots[row.Digest] = row
	if _, err := c.Load(t.Context(), row.Digest); err != nil {
		t.Fatalf("the failure was kept: %v", err)
	}
}

func TestCacheEvictsTheOldest(t *testing.T) {
	t.Parallel()
	row, artifacts := build(t, desk(), release)
	other, more := build(t, desk(), "1.2.4")
	s := put(row, append(artifacts, more...))
	s.snapshots[other.Digest] = other
	c := snapshot.NewCache(s, 1)
	for _, d := range []struct {
		load store.Snapshot
		want int
	}{{row, 1}, {row, 1}, {other, 2}, {row, 3}} {
		if _, err := c.Load(t.Context(), d.load.Digest); err != nil {
			t.Fatal(err)
		}
		if s.reads != d.want {
			t.Errorf("read %d times, want %d", s.reads, d.want)
		}
	}
}

// A caller that gives up does not take the others with it.
func TestCacheSurvivesACancelledCaller(t *testing.T) {
	t.Parallel()
	row, artifacts := build(t, desk(), release)
	s := put(row, artifacts)
	started := make(chan struct{})
	var once sync.Once
	s.before = func(ctx context.Context) error {
		first := false
		once.Do(func() { first = true })
		if !first {
			return nil
		}
		close(started)
		<-ctx.Done()
		return ctx.Err()
	}
	c := snapshot.NewCache(s, 1)
	ctx, cancel := context.WithCancel(t.Context())
	failed, loaded := make(chan error, 1), make(chan error, 1)
	go func() { _, err := c.Load(ctx, row.Digest); failed <- err }()
	<-started
	go func() { _, err := c.Load(t.Context(), row.Digest); loaded <- err }()
	cancel()
	if err := <-failed; !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled caller: %v", err)
	}
	if err := <-loaded; err != nil {
		t.Errorf("other caller: %v", err)
	}
}

func TestCacheWaiterHonoursItsContext(t *testing.T) {
	t.Parallel()
	row, artifacts := build(t, desk(), release)
	s := put(row, artifacts)
	started, gate := make(chan struct{}), make(chan struct{})
	s.before = func(context.Context) error { close(started); <-gate; return nil }
	c := snapshot.NewCache(s, 1)
	done := make(chan error, 1)
	go func() { _, err := c.Load(t.Context(), row.Digest); done <- err }()
	<-started
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := c.Load(ctx, row.Digest); !errors.Is(err, context.Canceled) {
		t.Errorf("waiter: %v", err)
	}
	close(gate)
	if err := <-done; err != nil {
		t.Error(err)
	}
}
