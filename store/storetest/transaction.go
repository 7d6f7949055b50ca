package storetest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"terfyn/store"
)

func transactionCases() map[string]func(*testing.T, store.Store) {
	return map[string]func(*testing.T, store.Store){
		"commit keeps everything":           txCommit,
		"rollback leaves nothing":           txRollback,
		"a panic rolls back":                txPanic,
		"a refused write leaves the rest":   txConflict,
		"32 transactions on one chain":      txWriters,
		"crossing transactions both finish": txCrossing,
		"a cancelled context writes none":   txCancelled,
		"the description names the place":   described,
	}
}

// writeOneOfEach writes a record of every aggregate and reads them back in tx.
func writeOneOfEach(tx store.Tx) error {
	ctx := background()
	a := approval("a1")
	_, err0 := tx.StartRun(ctx, run("r1"))
	_, err1 := tx.Append(ctx, event("r1", 0), event("r1", 1))
	_, err2 := tx.OpenApproval(ctx, a)
	_, err3 := tx.Decide(ctx, decision(a, "alice", "approve"), store.ApprovalApproved)
	a.Granted = a.Revision
	_, granted, err4 := tx.BeginDispatch(ctx, dispatch("op1", a))
	_, err5 := tx.Deploy(ctx, deployment(0, "x"))
	err6 := tx.PutArtifact(ctx, artifact("y"))
	err7 := tx.PutStep(ctx, store.Step{RunID: "r1", CallSite: "c", StartedAt: at(0)})
	if err := errors.Join(err0, err1, err2, err3, err4, err5, err6, err7); err != nil {
		return err
	}
	events, err := tx.Events(ctx, store.EventFilter{RunID: "r1"})
	if !granted || len(events) != 2 {
		return fmt.Errorf("inside: granted %v, %d events, %w", granted, len(events), err)
	}
	return err
}

func wantNothing(t *testing.T, s store.Store) {
	t.Helper()
	ctx := background()
	_, err := s.Run(ctx, "r1")
	wantErr(t, err, store.ErrNotFound)
	_, err = s.ChainHead(ctx, "r1")
	wantErr(t, err, store.ErrNotFound)
	_, err = s.Approval(ctx, "a1")
	wantErr(t, err, store.ErrNotFound)
	_, err = s.Effect(ctx, "op1")
	wantErr(t, err, store.ErrNotFound)
	_, err = s.Current(ctx, "prod")
	wantErr(t, err, store.ErrNotFound)
	_, err = s.Artifact(ctx, digest("y"))
	wantErr(t, err, store.ErrNotFound)
	same(t, "events", len(get[[]store.Event](t)(s.Events(ctx, store.EventFilter{RunID: "r1"}))), 0)
	same(t, "steps", len(get[[]store.Step](t)(s.Steps(ctx, "r1", 0))), 0)
	same(t, "decisions", len(get[[]store.Decision](t)(s.Decisions(ctx, "a1"))), 0)
}

func txCommit(t *testing.T, s store.Store) {
	must(t, s.InTx(background(), writeOneOfEach))
	get[store.Run](t)(s.Run(background(), "r1"))
	get[store.Effect](t)(s.Effect(background(), "op1"))
	get[store.Current](t)(s.Current(background(), "prod"))
	wantIntact(t, s, "r1", 2)
}

func txRollback(t *testing.T, s store.Store) {
	stop := errors.New("stop")
	err := s.InTx(background(), func(tx store.Tx) error {
		must(t, writeOneOfEach(tx))
		return stop
	})
	wantErr(t, err, stop)
	wantNothing(t, s)
	must(t, s.InTx(background(), writeOneOfEach)) // and nothing is in the way
}

func txPanic(t *testing.T, s store.Store) {
	func() {
		defer func() {
			if recover() == nil {
				t.Fatal("the panic was swallowed")
			}
		}()
		_ = s.InTx(background(), func(tx store.Tx) error {
			must(t, writeOneOfEach(tx))
			panic("bug")
		})
	}()
	wantNothing(t, s)
}

func txConflict(t *testing.T, s store.Store) {
	ctx := background()
	get[store.Run](t)(s.StartRun(ctx, run("r1")))
	err := s.InTx(ctx, func(tx store.Tx) error {
		r := run("r1")
		r.FirstExecID = "another"
		if _, err := tx.StartRun(ctx, r); !errors.Is(err, store.ErrConflict) {
			return fmt.Errorf("start: %w", err)
		}
		// A conflict is an answer, not a broken transaction.
		_, err := tx.Append(ctx, event("r1", 0))
		return err
	})
	must(t, err)
	wantIntact(t, s, "r1", 1)
}

func txWriters(t *testing.T, s store.Store) {
	const writers = 32
	errs := make([]error, writers)
	race(writers, func(i int) {
		errs[i] = s.InTx(background(), func(tx store.Tx) error {
			site := fmt.Sprint("w", i)
			if err := tx.PutStep(background(), store.Step{RunID: "r1", CallSite: site, Attempt: 1}); err != nil {
				return err
			}
			e := event("r1", 0)
			e.CallSite = site
			same := event("r1", 1) // every writer brings this one along
			_, err := tx.Append(background(), e, same)
			return err
		})
	})
	must(t, errors.Join(errs...))
	wantIntact(t, s, "r1", writers+1)
	same(t, "steps", len(get[[]store.Step](t)(s.Steps(background(), "r1", 0))), writers)
}

// txCrossing makes two transactions wait for each other where locks are taken
// per row; the one that is refused runs again.
func txCrossing(t *testing.T, s store.Store) {
	ctx := background()
	appendN(t, s, "a", 1)
	appendN(t, s, "b", 1)
	first := [2]chan struct{}{make(chan struct{}), make(chan struct{})}
	errs := make([]error, 2)
	race(2, func(i int) {
		runs := []string{"a", "b"}
		tries := 0
		errs[i] = s.InTx(ctx, func(tx store.Tx) error {
			tries++
			mine, other := event(runs[i], 10+i), event(runs[1-i], 20+i)
			if _, err := tx.Append(ctx, mine); err != nil {
				return err
			}
			if tries == 1 {
				close(first[i])
			}
			if strings.HasPrefix(s.Describe(), "PostgreSQL") { // a single writer cannot cross
				<-first[1-i]
			}
			_, err := tx.Append(ctx, other)
			return err
		})
	})
	must(t, errors.Join(errs...))
	wantIntact(t, s, "a", 3)
	wantIntact(t, s, "b", 3)
}

func txCancelled(t *testing.T, s store.Store) {
	ctx, cancel := context.WithCancel(background())
	err := s.InTx(ctx, func(tx store.Tx) error {
		err := writeOneOfEach(tx)
		cancel()
		return err
	})
	wantErr(t, err, context.Canceled)
	wantNothing(t, s)
}

func described(t *testing.T, s store.Store) {
	if text := s.Describe(); len(text) < 10 {
		t.Fatalf("description %q", text)
	}
	if _, ok := s.(Tamperer); !ok {
		t.Fatalf("%T does not implement Tamperer", s)
	}
}
