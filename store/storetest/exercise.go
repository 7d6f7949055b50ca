// Package storetest owns the conformance suite of the store: what every backend
// must do, the same way. A method of store.Store exists once its case is here.
//
// It leaves out what only one backend has (files, servers, migrations); those
// tests stand beside the driver.
package storetest

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"terfyn/internal/canon"
	"terfyn/store"
)

// Tamperer is what the opener's store must also be: the suite changes rows
// behind the store's back to see that it notices. Driver tests wrap their store
// and run the statement on a connection of their own.
type Tamperer interface {
	Tamper(t *testing.T, statement string)
}

// Exercise runs the suite. open returns a new, empty, migrated store that is
// closed when t ends, and that implements Tamperer.
func Exercise(t *testing.T, open func(t *testing.T) store.Store) {
	groups := []struct {
		name  string
		cases map[string]func(*testing.T, store.Store)
	}{
		{"deployments", deploymentCases()},
		{"runs", runCases()},
		{"trace", traceCases()},
		{"approvals", approvalCases()},
		{"effects", effectCases()},
		{"transactions", transactionCases()},
	}
	for _, g := range groups {
		t.Run(g.name, func(t *testing.T) {
			t.Parallel()
			for name, check := range g.cases {
				t.Run(name, func(t *testing.T) {
					t.Parallel()
					check(t, open(t))
				})
			}
		})
	}
}

func tamper(t *testing.T, s store.Store, statement string) {
	t.Helper()
	tamperer, ok := s.(Tamperer)
	if !ok {
		t.Fatalf("the store under test, a %T, does not implement storetest.Tamperer", s)
	}
	tamperer.Tamper(t, statement)
}

// epoch is the time cases start at; it has microseconds, as both databases keep.
var epoch = time.Date(2026, 3, 1, 9, 30, 0, 123456000, time.UTC)

func at(n int) time.Time { return epoch.Add(time.Duration(n) * time.Second) }

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// get fails the test on err, for calls of the form get(t)(f()).
func get[T any](t *testing.T) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		must(t, err)
		return v
	}
}

func wantErr(t *testing.T, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Fatalf("got error %v, want %v", err, want)
	}
}

func wantSomeErr(t *testing.T, err error, attempt string) {
	t.Helper()
	if err == nil {
		t.Fatalf("%s was accepted", attempt)
	}
}

func same(t *testing.T, what string, got, want any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("%s (-want +got):\n%s", what, diff)
	}
}

func digest(s string) canon.Digest { return canon.Sum([]byte(s)) }

// race calls f(0..n-1) at the same time and waits for all.
func race(n int, f func(i int)) {
	var wg sync.WaitGroup
	gate := make(chan struct{})
	for i := range n {
		wg.Go(func() {
			<-gate
			f(i)
		})
	}
	close(gate)
	wg.Wait()
}

func background() context.Context { return context.Background() }
