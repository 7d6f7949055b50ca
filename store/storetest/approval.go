package storetest

import (
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"

	"terfyn/store"
)

func approvalCases() map[string]func(*testing.T, store.Store) {
	return map[string]func(*testing.T, store.Store){
		"opening is idempotent":               approvalOpen,
		"approvals are paged newest first":    approvalPages,
		"the first decision closes":           decideOnce,
		"votes leave the request open":        decideVotes,
		"a repeated decision is the same one": decideRepeated,
		"a stale revision decides nothing":    decideStale,
		"an edit grants its own revision":     decideEdit,
		"50 deciders at once: one wins":       decideRace,
		"closing and its refusals":            approvalClose,
		"a used permit cannot be revoked":     revokeUsed,
	}
}

func approval(id string) store.Approval {
	return store.Approval{
		ID: id, RunID: "r1", CallSite: "review#2/post", Kind: "gate", Tool: "slack", Operation: "post",
		Description: "post a message", Payload: []byte(`{"amount":10.00}`), Revision: digest("call " + id),
		Snapshot: digest("s"), PolicyDigest: digest("p"), Rule: "approvals.requiredFor", Allowed: []string{"approve", "reject"},
		EditPaths: []string{"text"}, Approvers: []string{"alice", "group:release"}, MinApprovals: 1, Submitter: "bob",
		Status: store.ApprovalOpen, OpenedAt: at(0), ExpiresAt: at(3600),
	}
}

func decision(a store.Approval, actor, what string) store.Decision {
	return store.Decision{
		ApprovalID: a.ID, Decision: what, Revision: a.Revision, Actor: actor, Verified: true,
		Signature: "sig", Reason: "because", At: at(10),
	}
}

func opened(t *testing.T, s store.Store, id string) store.Approval {
	t.Helper()
	return get[store.Approval](t)(s.OpenApproval(background(), approval(id)))
}

func approvalOpen(t *testing.T, s store.Store) {
	ctx := background()
	a := approval("a1")
	same(t, "opened", opened(t, s, "a1"), a)
	other := a
	other.Description, other.Revision = "changed", digest("changed")
	same(t, "opened again", get[store.Approval](t)(s.OpenApproval(ctx, other)), a)
	same(t, "stored", get[store.Approval](t)(s.Approval(ctx, "a1")), a)
	_, err := s.Approval(ctx, "absent")
	wantErr(t, err, store.ErrNotFound)
	for name, change := range map[string]func(*store.Approval){
		"an approval without id":       func(a *store.Approval) { a.ID = "" },
		"an approval without revision": func(a *store.Approval) { a.Revision = "" },
		"an approval born approved":    func(a *store.Approval) { a.Status = store.ApprovalApproved },
	} {
		bad := approval("bad")
		change(&bad)
		_, err := s.OpenApproval(ctx, bad)
		wantSomeErr(t, err, name)
	}
	smuggled := approval("a2")
	smuggled.Granted, smuggled.ClosedAt = smuggled.Revision, at(1)
	got := get[store.Approval](t)(s.OpenApproval(ctx, smuggled))
	if got.Granted != "" || !got.ClosedAt.IsZero() {
		t.Fatalf("an approval opened with a grant: %+v", got)
	}
}

func approvalPages(t *testing.T, s store.Store) {
	ctx := background()
	var want []string
	for i := range 11 {
		a := approval(fmt.Sprintf("a%02d", i))
		a.OpenedAt = at(i / 3)
		if i%2 == 1 {
			a.RunID = "r2"
		}
		get[store.Approval](t)(s.OpenApproval(ctx, a))
		want = append(want, a.ID)
	}
	must(t, s.CloseApproval(ctx, "a04", store.ApprovalExpired, at(50)))
	collect := func(f store.ApprovalFilter) (ids []string) {
		for {
			page := get[[]store.Approval](t)(s.ListApprovals(ctx, f))
			if len(page) == 0 {
				return ids
			}
			for _, a := range page {
				ids = append(ids, a.ID)
				f.Before = store.ApprovalCursor{OpenedAt: a.OpenedAt, ID: a.ID}
			}
		}
	}
	slices.Reverse(want)
	same(t, "all", collect(store.ApprovalFilter{Limit: 2}), want)
	same(t, "run", collect(store.ApprovalFilter{RunID: "r2", Limit: 2}), []string{"a09", "a07", "a05", "a03", "a01"})
	same(t, "status", collect(store.ApprovalFilter{Status: store.ApprovalExpired}), []string{"a04"})
	same(t, "both", len(collect(store.ApprovalFilter{RunID: "r1", Status: store.ApprovalOpen, Limit: 3})), 5)
}

func decideOnce(t *testing.T, s store.Store) {
	ctx := background()
	a := opened(t, s, "a1")
	d := decision(a, "alice", "approve")
	want := d
	want.N = 1
	same(t, "decided", get[store.Decision](t)(s.Decide(ctx, d, store.ApprovalApproved)), want)
	a.Status, a.Granted, a.ClosedAt = store.ApprovalApproved, a.Revision, at(10)
	same(t, "approval", get[store.Approval](t)(s.Approval(ctx, "a1")), a)
	winner, err := s.Decide(ctx, decision(a, "bob", "reject"), store.ApprovalRejected)
	wantErr(t, err, store.ErrConflict)
	same(t, "winner", winner, want)
	same(t, "decisions", get[[]store.Decision](t)(s.Decisions(ctx, "a1")), []store.Decision{want})

	_, err = s.Decide(ctx, store.Decision{ApprovalID: "absent"}, store.ApprovalApproved)
	wantErr(t, err, store.ErrNotFound)
	b := opened(t, s, "a2")
	for _, status := range []store.ApprovalStatus{store.ApprovalOpen, "granted"} {
		_, err = s.Decide(ctx, decision(b, "alice", "approve"), status)
		wantSomeErr(t, err, "the status "+string(status))
	}
	get[store.Decision](t)(s.Decide(ctx, decision(b, "alice", "reject"), store.ApprovalRejected))
	got := get[store.Approval](t)(s.Approval(ctx, "a2"))
	if got.Status != store.ApprovalRejected || got.Granted != "" {
		t.Fatalf("rejected: %+v", got)
	}
	must(t, s.CloseApproval(ctx, opened(t, s, "a3").ID, store.ApprovalExpired, at(1)))
	none, err := s.Decide(ctx, decision(approval("a3"), "alice", "approve"), store.ApprovalApproved)
	wantErr(t, err, store.ErrConflict)
	same(t, "no winner", none, store.Decision{})
}

func decideVotes(t *testing.T, s store.Store) {
	ctx := background()
	a := opened(t, s, "a1")
	get[store.Decision](t)(s.Decide(ctx, decision(a, "alice", "approve"), ""))
	same(t, "open", get[store.Approval](t)(s.Approval(ctx, "a1")), a)
	second := get[store.Decision](t)(s.Decide(ctx, decision(a, "carol", "approve"), store.ApprovalApproved))
	same(t, "n", second.N, 2)
	same(t, "closed", get[store.Approval](t)(s.Approval(ctx, "a1")).Status, store.ApprovalApproved)
	same(t, "count", len(get[[]store.Decision](t)(s.Decisions(ctx, "a1"))), 2)
}

func decideRepeated(t *testing.T, s store.Store) {
	ctx := background()
	a := opened(t, s, "a1")
	first := get[store.Decision](t)(s.Decide(ctx, decision(a, "alice", "approve"), ""))
	again := decision(a, "alice", "approve")
	again.At = at(99)
	// One person's vote does not count twice, even when the second would close.
	same(t, "again", get[store.Decision](t)(s.Decide(ctx, again, store.ApprovalApproved)), first)
	same(t, "open", get[store.Approval](t)(s.Approval(ctx, "a1")).Status, store.ApprovalOpen)
	last := get[store.Decision](t)(s.Decide(ctx, decision(a, "carol", "approve"), store.ApprovalApproved))
	same(t, "after closing", get[store.Decision](t)(s.Decide(ctx, decision(a, "carol", "approve"), store.ApprovalApproved)), last)
	same(t, "count", len(get[[]store.Decision](t)(s.Decisions(ctx, "a1"))), 2)
}

func decideStale(t *testing.T, s store.Store) {
	a := opened(t, s, "a1")
	d := decision(a, "alice", "approve")
	d.Revision = digest("an older call")
	_, err := s.Decide(background(), d, store.ApprovalApproved)
	wantErr(t, err, store.ErrConflict)
	same(t, "untouched", get[store.Approval](t)(s.Approval(background(), "a1")), a)
	same(t, "decisions", len(get[[]store.Decision](t)(s.Decisions(background(), "a1"))), 0)
}

func decideEdit(t *testing.T, s store.Store) {
	ctx := background()
	a := opened(t, s, "a1")
	d := decision(a, "alice", "edit")
	d.Granted, d.Edit, d.Reason = digest("edited"), []byte(`{"amount":9.90}`), "too\x00much"
	get[store.Decision](t)(s.Decide(ctx, d, store.ApprovalApproved))
	d.N, d.Reason = 1, "too\uFFFDmuch"
	same(t, "stored", get[[]store.Decision](t)(s.Decisions(ctx, "a1")), []store.Decision{d})
	same(t, "granted", get[store.Approval](t)(s.Approval(ctx, "a1")).Granted, digest("edited"))
}

func decideRace(t *testing.T, s store.Store) {
	const deciders = 50
	a := opened(t, s, "a1")
	var won atomic.Int64
	errs, winners := make([]error, deciders), make([]store.Decision, deciders)
	race(deciders, func(i int) {
		what, status := "approve", store.ApprovalApproved
		if i%2 == 1 {
			what, status = "reject", store.ApprovalRejected
		}
		winners[i], errs[i] = s.Decide(background(), decision(a, fmt.Sprint("actor", i), what), status)
		if errs[i] == nil {
			won.Add(1)
		}
	})
	if won.Load() != 1 {
		t.Fatalf("%d decisions won", won.Load())
	}
	stored := get[[]store.Decision](t)(s.Decisions(background(), "a1"))
	same(t, "stored", len(stored), 1)
	for i, err := range errs {
		if err != nil && !errors.Is(err, store.ErrConflict) {
			t.Fatalf("a loser got %v", err)
		}
		same(t, "winner", winners[i], stored[0])
	}
}

func approvalClose(t *testing.T, s store.Store) {
	ctx := background()
	a := opened(t, s, "a1")
	get[store.Decision](t)(s.Decide(ctx, decision(a, "alice", "approve"), store.ApprovalApproved))
	must(t, s.CloseApproval(ctx, "a1", store.ApprovalSuperseded, at(20)))
	must(t, s.CloseApproval(ctx, "a1", store.ApprovalSuperseded, at(30)))
	got := get[store.Approval](t)(s.Approval(ctx, "a1"))
	same(t, "closed", got.ClosedAt, at(20))
	same(t, "status", got.Status, store.ApprovalSuperseded)
	wantErr(t, s.CloseApproval(ctx, "a1", store.ApprovalRevoked, at(20)), store.ErrConflict)
	wantErr(t, s.CloseApproval(ctx, "absent", store.ApprovalRevoked, at(20)), store.ErrNotFound)
	wantSomeErr(t, s.CloseApproval(ctx, "a1", store.ApprovalApproved, at(20)), "approving without a decision")
}

func revokeUsed(t *testing.T, s store.Store) {
	ctx := background()
	a := approved(t, s, "a1")
	_, granted, err := s.BeginDispatch(ctx, dispatch("op1", a))
	if err != nil || !granted {
		t.Fatalf("granted %v, %v", granted, err)
	}
	wantErr(t, s.CloseApproval(ctx, "a1", store.ApprovalRevoked, at(20)), store.ErrConflict)
	must(t, s.Settle(ctx, store.Effect{OperationID: "op1", State: store.EffectNotSent}, store.EffectDispatching))
	must(t, s.CloseApproval(ctx, "a1", store.ApprovalRevoked, at(21)))
}
