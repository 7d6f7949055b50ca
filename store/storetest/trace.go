package storetest

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"terfyn/internal/canon"
	"terfyn/store"
	"terfyn/store/audit"
)

func traceCases() map[string]func(*testing.T, store.Store) {
	return map[string]func(*testing.T, store.Store){
		"events are linked in order":            traceLinked,
		"appending twice is appending once":     traceIdempotent,
		"events are paged and filtered":         tracePages,
		"streaming crosses pages and can stop":  traceStream,
		"a chain may start before its run":      traceBeforeRun,
		"32 writers on one chain leave no gap":  traceWriters,
		"one event from 32 writers is one":      traceSameEvent,
		"batches over several runs do not mix":  traceSeveralRuns,
		"a damaged chain is reported, with seq": traceDamage,
		"an event without a key is refused":     traceRefused,
	}
}

func event(runID string, n int) store.Event {
	return store.Event{
		RunID: runID, CallSite: fmt.Sprintf("step#%d", n), Attempt: 1, Type: "step_started", Ordinal: n % 3,
		ActorType: "agent", ActorID: "writer", At: at(n), Data: []byte(fmt.Sprintf(`{"n":%d,"x":1.10}`, n)),
	}
}

func appendN(t *testing.T, s store.Store, runID string, n int) []store.Event {
	t.Helper()
	var events []store.Event
	for i := range n {
		events = append(events, event(runID, i))
	}
	return get[[]store.Event](t)(s.Append(background(), events...))
}

func wantIntact(t *testing.T, s store.Trace, runID string, count int64) audit.Report {
	t.Helper()
	report := get[audit.Report](t)(audit.Verify(background(), s, runID))
	if !report.Intact() || report.Count != count {
		t.Fatalf("verify %s: %d events, problem %+v; want %d and none", runID, report.Count, report.Problem, count)
	}
	return report
}

func traceLinked(t *testing.T, s store.Store) {
	ctx := background()
	var got []store.Event
	for i := range 3 {
		e := event("r1", i)
		if i == 1 {
			e.Data = nil
		}
		got = append(got, get[[]store.Event](t)(s.Append(ctx, e))...)
	}
	got = append(got, get[[]store.Event](t)(s.Append(ctx, event("r1", 3), event("r1", 4)))...)
	prev := audit.Genesis("r1")
	for i, e := range got {
		want := event("r1", i)
		if i == 1 {
			want.Data = nil
		}
		want.Seq, want.PrevHash = int64(i+1), prev
		want.Hash = audit.Hash(prev, want)
		same(t, "event", e, want)
		prev = want.Hash
	}
	same(t, "listed", get[[]store.Event](t)(s.Events(ctx, store.EventFilter{RunID: "r1"})), got)
	same(t, "head", get[store.ChainHead](t)(s.ChainHead(ctx, "r1")), store.ChainHead{Seq: 5, Hash: prev})
	same(t, "report head", wantIntact(t, s, "r1", 5).Head, prev)
	_, err := s.ChainHead(ctx, "absent")
	wantErr(t, err, store.ErrNotFound)
	_, err = audit.Verify(ctx, s, "absent")
	wantErr(t, err, store.ErrNotFound)
	if none := get[[]store.Event](t)(s.Append(ctx)); len(none) != 0 {
		t.Fatalf("appending nothing returned %v", none)
	}
}

func traceIdempotent(t *testing.T, s store.Store) {
	ctx := background()
	first := appendN(t, s, "r1", 3)
	repeat := event("r1", 1)
	repeat.Data, repeat.ActorID, repeat.At = []byte(`{"other":true}`), "retry", at(100)
	got := get[[]store.Event](t)(s.Append(ctx, repeat, event("r1", 3), event("r1", 0), event("r1", 3)))
	same(t, "stored", got[0], first[1])
	same(t, "new", got[1].Seq, int64(4))
	same(t, "old", got[2], first[0])
	same(t, "repeated in the batch", got[3], got[1])
	wantIntact(t, s, "r1", 4)
}

func tracePages(t *testing.T, s store.Store) {
	ctx := background()
	appendN(t, s, "r1", 10)
	odd := event("r1", 99)
	odd.Type = "limit_hit"
	get[[]store.Event](t)(s.Append(ctx, odd))
	page := get[[]store.Event](t)(s.Events(ctx, store.EventFilter{RunID: "r1", AfterSeq: 3, Limit: 4}))
	same(t, "seqs", []int64{page[0].Seq, page[3].Seq, int64(len(page))}, []int64{4, 7, 4})
	typed := get[[]store.Event](t)(s.Events(ctx, store.EventFilter{RunID: "r1", Type: "limit_hit"}))
	if len(typed) != 1 || typed[0].Seq != 11 {
		t.Fatalf("filtered: %v", typed)
	}
}

func traceStream(t *testing.T, s store.Store) {
	const n = 2345 // more than two pages
	appendN(t, s, "r1", n)
	wantIntact(t, s, "r1", n)
	stop := errors.New("stop")
	seen := int64(0)
	err := s.EachEvent(background(), "r1", func(e store.Event) error {
		if seen++; e.Seq != seen {
			t.Fatalf("event %d came at place %d", e.Seq, seen)
		}
		if seen == 1500 {
			return stop
		}
		return nil
	})
	if !errors.Is(err, stop) || seen != 1500 {
		t.Fatalf("stopped with %v after %d", err, seen)
	}
}

func traceBeforeRun(t *testing.T, s store.Store) {
	appendN(t, s, "early", 2)
	get[store.Run](t)(s.StartRun(background(), run("early")))
	get[[]store.Event](t)(s.Append(background(), event("early", 2)))
	wantIntact(t, s, "early", 3)
}

func traceWriters(t *testing.T, s store.Store) {
	const writers, each = 32, 12
	errs := make([]error, writers)
	race(writers, func(i int) {
		for k := range each {
			e := event("r1", k)
			e.CallSite = fmt.Sprintf("writer%d/%d", i, k)
			if _, errs[i] = s.Append(background(), e); errs[i] != nil {
				return
			}
		}
	})
	must(t, errors.Join(errs...))
	wantIntact(t, s, "r1", writers*each)
}

func traceSameEvent(t *testing.T, s store.Store) {
	for round := range 5 {
		const writers = 32
		errs, hashes := make([]error, writers), make([]canon.Digest, writers)
		race(writers, func(i int) {
			e := event("r1", round)
			e.ActorID = fmt.Sprint("writer", i)
			var out []store.Event
			if out, errs[i] = s.Append(background(), e); errs[i] == nil {
				hashes[i] = out[0].Hash
			}
		})
		must(t, errors.Join(errs...))
		if len(slices.Compact(hashes)) != 1 {
			t.Fatalf("one event got several hashes: %v", hashes)
		}
		wantIntact(t, s, "r1", int64(round+1))
	}
}

func traceSeveralRuns(t *testing.T, s store.Store) {
	const writers = 8
	errs := make([]error, writers)
	race(writers, func(i int) {
		var events []store.Event
		for k := range 10 { // every second writer locks the runs in the other order
			e := event([]string{"a", "b"}[(k+i)%2], k)
			e.CallSite = fmt.Sprintf("w%d/%d", i, k)
			events = append(events, e)
		}
		_, errs[i] = s.Append(background(), events...)
	})
	must(t, errors.Join(errs...))
	wantIntact(t, s, "a", writers*5)
	wantIntact(t, s, "b", writers*5)
}

func traceRefused(t *testing.T, s store.Store) {
	for name, change := range map[string]func(*store.Event){
		"an event without run":  func(e *store.Event) { e.RunID = "" },
		"an event without type": func(e *store.Event) { e.Type = "" },
		"data that is no text":  func(e *store.Event) { e.Data = []byte{'"', 0xff, '"'} },
		"a zero byte":           func(e *store.Event) { e.ActorID = "a\x00b" },
	} {
		bad := event("r1", 1)
		change(&bad)
		_, err := s.Append(background(), event("r1", 0), bad)
		wantSomeErr(t, err, name)
	}
	_, err := s.ChainHead(background(), "r1")
	wantErr(t, err, store.ErrNotFound)
}
