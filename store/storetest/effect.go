package storetest

import (
	"errors"
	"fmt"
	"sync/atomic"
	"testing"

	"terfyn/store"
)

func effectCases() map[string]func(*testing.T, store.Store) {
	return map[string]func(*testing.T, store.Store){
		"a dispatch is granted once":               dispatchOnce,
		"2 and 32 dispatchers: one is granted":     dispatchRace,
		"dispatch needs its approval":              dispatchApproval,
		"a permit is taken once, by one operation": permitOnce,
		"32 operations race for one permit":        permitRace,
		"not sent may be sent again":               dispatchAgain,
		"a dead permit may be replaced":            permitReplaced,
		"settling moves from the named states":     settle,
		"effects are listed by prepared time":      effectsOf,
		"revocation races dispatch":                revokeRace,
	}
}

func approved(t *testing.T, s store.Store, id string) store.Approval {
	t.Helper()
	a := opened(t, s, id)
	get[store.Decision](t)(s.Decide(background(), decision(a, "alice", "approve"), store.ApprovalApproved))
	return get[store.Approval](t)(s.Approval(background(), id))
}

// dispatch asks to send under a; the zero approval asks without one.
func dispatch(operation string, a store.Approval) store.Dispatch {
	revision := a.Granted
	if a.ID == "" {
		revision = digest("call " + operation)
	}
	return store.Dispatch{
		Effect: store.Effect{
			OperationID: operation, RunID: "r1", CallSite: "post", Tool: "slack", Operation: "post",
			Revision: revision, PreparedAt: at(1),
		},
		ApprovalID: a.ID, At: at(2),
	}
}

func wantGranted(t *testing.T, s store.Store, d store.Dispatch, want bool) store.Effect {
	t.Helper()
	row, granted, err := s.BeginDispatch(background(), d)
	if err != nil || granted != want {
		t.Fatalf("dispatch %s: granted %v, error %v; want %v", d.Effect.OperationID, granted, err, want)
	}
	return row
}

func dispatchOnce(t *testing.T, s store.Store) {
	ctx := background()
	d := dispatch("op1", store.Approval{})
	want := d.Effect
	want.State, want.Attempts, want.SentAt = store.EffectDispatching, 1, at(2)
	same(t, "row", wantGranted(t, s, d, true), want)
	same(t, "stored", get[store.Effect](t)(s.Effect(ctx, "op1")), want)
	states := []store.EffectState{store.EffectDispatching, store.EffectUnknown, store.EffectFailed, store.EffectSucceeded}
	for i, state := range states {
		if i > 0 {
			must(t, s.Settle(ctx, store.Effect{OperationID: "op1", State: state}, states[i-1]))
		}
		same(t, "state", wantGranted(t, s, d, false).State, state)
	}
	_, err := s.Effect(ctx, "absent")
	wantErr(t, err, store.ErrNotFound)
	_, _, err = s.BeginDispatch(ctx, store.Dispatch{})
	wantSomeErr(t, err, "a dispatch without ids")
}

func dispatchRace(t *testing.T, s store.Store) {
	for _, dispatchers := range []int{2, 32} {
		for _, gated := range []bool{false, true} {
			name := fmt.Sprintf("op-%d-%v", dispatchers, gated)
			var a store.Approval
			if gated {
				a = approved(t, s, "approval-"+name)
			}
			var won atomic.Int64
			errs := make([]error, dispatchers)
			race(dispatchers, func(i int) {
				row, granted, err := s.BeginDispatch(background(), dispatch(name, a))
				if granted {
					won.Add(1)
				}
				if err == nil && row.State != store.EffectDispatching {
					err = fmt.Errorf("the row is %s", row.State)
				}
				errs[i] = err
			})
			must(t, errors.Join(errs...))
			same(t, name, won.Load(), int64(1))
			same(t, "attempts", get[store.Effect](t)(s.Effect(background(), name)).Attempts, 1)
		}
	}
}

func dispatchApproval(t *testing.T, s store.Store) {
	ctx := background()
	_, _, err := s.BeginDispatch(ctx, dispatch("op1", store.Approval{ID: "absent", Granted: digest("x")}))
	wantErr(t, err, store.ErrNotFound)
	refused := func(name string, a store.Approval) {
		t.Helper()
		_, granted, err := s.BeginDispatch(ctx, dispatch("op1", a))
		if granted || !errors.Is(err, store.ErrConflict) {
			t.Fatalf("%s: granted %v, %v", name, granted, err)
		}
		_, err = s.Effect(ctx, "op1")
		wantErr(t, err, store.ErrNotFound)
	}
	open := opened(t, s, "open")
	refused("an open request", store.Approval{ID: "open", Granted: open.Revision})
	refused("an open request and no revision", store.Approval{ID: "open"})
	get[store.Decision](t)(s.Decide(ctx, decision(open, "alice", "reject"), store.ApprovalRejected))
	refused("a rejected request", store.Approval{ID: "open", Granted: open.Revision})
	revoked := approved(t, s, "revoked")
	must(t, s.CloseApproval(ctx, "revoked", store.ApprovalRevoked, at(3)))
	refused("a revoked request", revoked)
	other := approved(t, s, "good")
	other.Granted = digest("another call")
	refused("another revision", other)
	wantGranted(t, s, dispatch("op1", get[store.Approval](t)(s.Approval(ctx, "good"))), true)
	// A later attempt learns the outcome even when the approval is gone since.
	must(t, s.CloseApproval(ctx, "good", store.ApprovalSuperseded, at(4)))
	wantGranted(t, s, dispatch("op1", other), false)
}

func permitOnce(t *testing.T, s store.Store) {
	a := approved(t, s, "a1")
	row := wantGranted(t, s, dispatch("op1", a), true)
	same(t, "permit", row.ApprovalID, "a1")
	_, granted, err := s.BeginDispatch(background(), dispatch("op2", a))
	if granted {
		t.Fatal("the permit was taken twice")
	}
	wantErr(t, err, store.ErrConflict)
	_, err = s.Effect(background(), "op2")
	wantErr(t, err, store.ErrNotFound)
	must(t, s.Settle(background(), store.Effect{OperationID: "op1", State: store.EffectNotSent}, store.EffectDispatching))
	_, _, err = s.BeginDispatch(background(), dispatch("op2", a))
	wantErr(t, err, store.ErrConflict)
}

func permitRace(t *testing.T, s store.Store) {
	a := approved(t, s, "a1")
	var won atomic.Int64
	errs := make([]error, 32)
	race(len(errs), func(i int) {
		_, granted, err := s.BeginDispatch(background(), dispatch(fmt.Sprint("op", i), a))
		if granted {
			won.Add(1)
		}
		errs[i] = err
	})
	same(t, "granted", won.Load(), int64(1))
	for _, err := range errs {
		if err != nil {
			wantErr(t, err, store.ErrConflict)
		}
	}
	same(t, "rows", len(get[[]store.Effect](t)(s.EffectsOf(background(), "r1"))), 1)
}

func dispatchAgain(t *testing.T, s store.Store) {
	ctx := background()
	a := approved(t, s, "a1")
	for name, d := range map[string]store.Dispatch{"gated": dispatch("gated", a), "free": dispatch("free", store.Approval{})} {
		wantGranted(t, s, d, true)
		must(t, s.Settle(ctx, store.Effect{OperationID: name, State: store.EffectUnknown, ErrorText: "timeout", SettledAt: at(3)}, store.EffectDispatching))
		must(t, s.Settle(ctx, store.Effect{OperationID: name, State: store.EffectNotSent, Reconciled: true, SettledAt: at(4)}, store.EffectUnknown))
		changed := d
		changed.Effect.Revision = digest("something else")
		_, granted, err := s.BeginDispatch(ctx, changed)
		if granted || !errors.Is(err, store.ErrConflict) {
			t.Fatalf("%s: another revision: granted %v, %v", name, granted, err)
		}
		d.At = at(5)
		row := wantGranted(t, s, d, true)
		want := d.Effect
		want.State, want.ApprovalID, want.Attempts, want.SentAt = store.EffectDispatching, d.ApprovalID, 2, at(5)
		same(t, name, row, want)
		wantGranted(t, s, d, false)
	}
}

func permitReplaced(t *testing.T, s store.Store) {
	ctx := background()
	first, second := approved(t, s, "a1"), approved(t, s, "a2")
	wantGranted(t, s, dispatch("op1", first), true)
	must(t, s.Settle(ctx, store.Effect{OperationID: "op1", State: store.EffectNotSent}, store.EffectDispatching))
	for _, d := range []store.Dispatch{dispatch("op1", second), dispatch("op1", store.Approval{})} {
		_, granted, err := s.BeginDispatch(ctx, d) // the first permit is alive
		if granted || !errors.Is(err, store.ErrConflict) {
			t.Fatalf("granted %v, %v", granted, err)
		}
	}
	must(t, s.CloseApproval(ctx, "a1", store.ApprovalSuperseded, at(9)))
	_, _, err := s.BeginDispatch(ctx, dispatch("op1", first))
	wantErr(t, err, store.ErrConflict)
	row := wantGranted(t, s, dispatch("op1", second), true)
	same(t, "permit", row.ApprovalID, "a2")
	same(t, "revision", row.Revision, second.Granted)
}

func settle(t *testing.T, s store.Store) {
	ctx := background()
	wantGranted(t, s, dispatch("op1", store.Approval{}), true)
	e := store.Effect{
		OperationID: "op1", State: store.EffectUnknown, ProviderID: "p-1", ResultRef: digest("result"),
		ErrorText: "lost \xff", SettledAt: at(7),
	}
	wantErr(t, s.Settle(ctx, e, store.EffectPrepared, store.EffectFailed), store.ErrConflict)
	must(t, s.Settle(ctx, e, store.EffectPrepared, store.EffectDispatching))
	got := get[store.Effect](t)(s.Effect(ctx, "op1"))
	same(t, "filled", []any{got.State, got.ProviderID, got.ResultRef, got.ErrorText, got.SettledAt},
		[]any{store.EffectUnknown, "p-1", digest("result"), "lost \uFFFD", at(7)})
	wantErr(t, s.Settle(ctx, e, store.EffectDispatching), store.ErrConflict)
	must(t, s.Settle(ctx, store.Effect{OperationID: "op1", State: store.EffectSucceeded, Reconciled: true, SettledAt: at(8)}, store.EffectUnknown))
	got = get[store.Effect](t)(s.Effect(ctx, "op1"))
	same(t, "kept", []any{got.State, got.ProviderID, got.ResultRef, got.ErrorText, got.Reconciled},
		[]any{store.EffectSucceeded, "p-1", digest("result"), "", true})
	e.OperationID = "absent"
	wantErr(t, s.Settle(ctx, e, store.EffectDispatching), store.ErrNotFound)
	wantSomeErr(t, s.Settle(ctx, store.Effect{OperationID: "op1", State: store.EffectFailed}), "settling from nowhere")
	wantSomeErr(t, s.Settle(ctx, store.Effect{OperationID: "op1"}, store.EffectSucceeded), "settling to nothing")
}

func effectsOf(t *testing.T, s store.Store) {
	for i, prepared := range []int{5, 1, 3} {
		d := dispatch(fmt.Sprint("op", i), store.Approval{})
		d.Effect.PreparedAt = at(prepared)
		wantGranted(t, s, d, true)
	}
	var ids []string
	for _, e := range get[[]store.Effect](t)(s.EffectsOf(background(), "r1")) {
		ids = append(ids, e.OperationID)
	}
	same(t, "order", ids, []string{"op1", "op2", "op0"})
	same(t, "other run", len(get[[]store.Effect](t)(s.EffectsOf(background(), "r2"))), 0)
}

// revokeRace: whichever comes first, the other is refused.
func revokeRace(t *testing.T, s store.Store) {
	for i := range 20 {
		a := approved(t, s, fmt.Sprint("a", i))
		var granted bool
		var sendErr, revokeErr error
		race(2, func(k int) {
			if k == 0 {
				_, granted, sendErr = s.BeginDispatch(background(), dispatch("op-"+a.ID, a))
			} else {
				revokeErr = s.CloseApproval(background(), a.ID, store.ApprovalRevoked, at(9))
			}
		})
		if granted == (revokeErr == nil) {
			t.Fatalf("granted %v (%v), revoked %v", granted, sendErr, revokeErr)
		}
	}
}
