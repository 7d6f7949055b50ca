package storetest

import (
	"fmt"
	"slices"
	"testing"

	"terfyn/store"
)

func runCases() map[string]func(*testing.T, store.Store) {
	return map[string]func(*testing.T, store.Store){
		"start is idempotent for its chain": runStart,
		"text is kept exactly":              runText,
		"status moves while open":           runStatus,
		"finish closes once":                runFinish,
		"runs are paged newest first":       runPages,
		"steps are replaced and ordered":    steps,
	}
}

func run(id string) store.Run {
	return store.Run{
		RunID: id, FirstExecID: "exec-" + id, Workflow: "pr-review", Environment: "prod", Snapshot: digest("s"),
		Status: store.RunRunning, Actor: "alice", Tenant: "t1", Thread: "th", CostUSD: "0", StartedAt: at(0),
		Input: []byte(`{"id":9007199254740993,"price":1.10}`), ParentRun: "parent",
	}
}

func runStart(t *testing.T, s store.Store) {
	ctx := background()
	r := run("r1")
	same(t, "started", get[store.Run](t)(s.StartRun(ctx, r)), r)
	again := r
	again.StartedAt, again.Actor = at(5), "mallory"
	same(t, "started again", get[store.Run](t)(s.StartRun(ctx, again)), r)
	same(t, "stored", get[store.Run](t)(s.Run(ctx, "r1")), r)
	other := r
	other.FirstExecID = "another"
	_, err := s.StartRun(ctx, other)
	wantErr(t, err, store.ErrConflict)
	_, err = s.Run(ctx, "absent")
	wantErr(t, err, store.ErrNotFound)
	_, err = s.StartRun(ctx, store.Run{})
	wantSomeErr(t, err, "a run without id")

	bare := get[store.Run](t)(s.StartRun(ctx, store.Run{RunID: "bare"}))
	same(t, "defaults", get[store.Run](t)(s.Run(ctx, "bare")), bare)
	if bare.StartedAt.IsZero() || bare.CostUSD != "0" || bare.Status != store.RunRunning {
		t.Fatalf("defaults: %+v", bare)
	}
}

func runText(t *testing.T, s store.Store) {
	ctx := background()
	r := run("r-ü-'quoted'-$1")
	r.Input = []byte("{\"a\":\"\\u0000 \u2028 é\",\"n\":1e400}")
	same(t, "run", get[store.Run](t)(s.StartRun(ctx, r)), r)
	same(t, "stored", get[store.Run](t)(s.Run(ctx, r.RunID)), r)

	r.Status, r.ErrorText = store.RunFailed, "tool said \x00\xff"
	must(t, s.FinishRun(ctx, r))
	same(t, "prose", get[store.Run](t)(s.Run(ctx, r.RunID)).ErrorText, "tool said \uFFFD\uFFFD")
	for _, id := range []string{"zero\x00byte", "bad\xffutf8"} {
		_, err := s.StartRun(ctx, run(id))
		wantSomeErr(t, err, "an id that is no text")
		_, err = s.Run(ctx, id)
		wantSomeErr(t, err, "reading an id that is no text")
	}
}

func runStatus(t *testing.T, s store.Store) {
	ctx := background()
	get[store.Run](t)(s.StartRun(ctx, run("r1")))
	for _, status := range []store.RunStatus{store.RunInterrupted, store.RunInterrupted, store.RunRunning} {
		must(t, s.SetRunStatus(ctx, "r1", status))
		same(t, "status", get[store.Run](t)(s.Run(ctx, "r1")).Status, status)
	}
	wantSomeErr(t, s.SetRunStatus(ctx, "r1", store.RunSucceeded), "closing a run without its result")
	wantErr(t, s.SetRunStatus(ctx, "absent", store.RunRunning), store.ErrNotFound)
	r := run("r1")
	r.Status = store.RunCancelled
	must(t, s.FinishRun(ctx, r))
	must(t, s.SetRunStatus(ctx, "r1", store.RunRunning))
	same(t, "closed", get[store.Run](t)(s.Run(ctx, "r1")).Status, store.RunCancelled)
}

func runFinish(t *testing.T, s store.Store) {
	ctx := background()
	r := get[store.Run](t)(s.StartRun(ctx, run("r1")))
	wantSomeErr(t, s.FinishRun(ctx, r), "finishing as running")
	r.Status, r.Output, r.FinishedAt = store.RunSucceeded, []byte(`{"n":0.10}`), at(60)
	r.CostUSD, r.TokensIn, r.TokensOut = "0.000000000000000001", 1<<40, 7
	must(t, s.FinishRun(ctx, r))
	same(t, "finished", get[store.Run](t)(s.Run(ctx, "r1")), r)
	later := r
	later.Output = []byte(`{}`)
	must(t, s.FinishRun(ctx, later))
	same(t, "finished once", get[store.Run](t)(s.Run(ctx, "r1")), r)
	later.Status = store.RunFailed
	wantErr(t, s.FinishRun(ctx, later), store.ErrConflict)
	later.RunID = "absent"
	wantErr(t, s.FinishRun(ctx, later), store.ErrNotFound)
}

func runPages(t *testing.T, s store.Store) {
	ctx := background()
	var want []string
	for i := range 23 {
		r := run(fmt.Sprintf("r%02d", i))
		r.StartedAt = at(i / 4) // several share a start: the id decides
		if i%2 == 0 {
			r.Workflow, r.Environment = "other", "staging"
		}
		if i%5 == 0 {
			r.Status = store.RunInterrupted
		}
		get[store.Run](t)(s.StartRun(ctx, r))
		want = append(want, r.RunID)
	}
	slices.Reverse(want)
	same(t, "all", collectRuns(t, s, store.RunFilter{Limit: 4}), want)
	keep := func(f func(i int) bool) (out []string) {
		for i := 22; i >= 0; i-- {
			if f(i) {
				out = append(out, fmt.Sprintf("r%02d", i))
			}
		}
		return out
	}
	same(t, "workflow", collectRuns(t, s, store.RunFilter{Workflow: "other", Limit: 3}), keep(func(i int) bool { return i%2 == 0 }))
	same(t, "env", collectRuns(t, s, store.RunFilter{Environment: "prod", Limit: 3}), keep(func(i int) bool { return i%2 == 1 }))
	same(t, "status", collectRuns(t, s, store.RunFilter{Status: "interrupted", Limit: 2}), keep(func(i int) bool { return i%5 == 0 }))
	same(t, "both", collectRuns(t, s, store.RunFilter{Status: "interrupted", Workflow: "other", Limit: 1}), keep(func(i int) bool { return i%10 == 0 }))
	if all := get[[]store.Run](t)(s.ListRuns(ctx, store.RunFilter{Limit: 10000})); len(all) != 23 {
		t.Fatalf("a large limit gives %d runs", len(all))
	}
}

// collectRuns walks all pages of f.
func collectRuns(t *testing.T, s store.Store, f store.RunFilter) (ids []string) {
	t.Helper()
	for {
		page := get[[]store.Run](t)(s.ListRuns(background(), f))
		if len(page) == 0 {
			return ids
		}
		if len(page) > f.Limit {
			t.Fatalf("a page of %d holds %d", f.Limit, len(page))
		}
		for _, r := range page {
			ids = append(ids, r.RunID)
			f.Before = store.RunCursor{StartedAt: r.StartedAt, RunID: r.RunID}
		}
	}
}

func steps(t *testing.T, s store.Store) {
	ctx := background()
	step := func(site string, attempt, start int) store.Step {
		return store.Step{
			RunID: "r1", CallSite: site, Attempt: attempt, Kind: "tool", Name: "slack.post", Status: store.StepRunning,
			StartedAt: at(start), CostUSD: "0", Input: []byte(`{"n":1.0}`), Definition: digest("d"),
		}
	}
	a, b, c := step("b", 1, 1), step("a", 1, 1), step("a", 2, 3)
	for _, st := range []store.Step{c, a, b, step("a", 1, 0)} {
		must(t, s.PutStep(ctx, st))
	}
	b.Status, b.FinishedAt, b.Output, b.OutputRef = store.StepSucceeded, at(2), []byte(`[1.00]`), digest("full")
	b.Substituted, b.CostUSD, b.TokensIn, b.TokensOut = true, "1.5", 3, 4
	b.ErrorType, b.ErrorText = "none", "nothing"
	must(t, s.PutStep(ctx, b))
	same(t, "steps", get[[]store.Step](t)(s.Steps(ctx, "r1", 0)), []store.Step{b, a, c})
	same(t, "limited", get[[]store.Step](t)(s.Steps(ctx, "r1", 2)), []store.Step{b, a})
	if none := get[[]store.Step](t)(s.Steps(ctx, "r2", 0)); len(none) != 0 {
		t.Fatalf("another run lists %v", none)
	}
	wantSomeErr(t, s.PutStep(ctx, store.Step{RunID: "r1"}), "a step without call site")

	c.Status = store.StepWaiting
	must(t, s.Record(ctx, []store.Step{c}, []store.Event{event("r1", 0), event("r1", 1)}))
	must(t, s.Record(ctx, []store.Step{c}, []store.Event{event("r1", 1)})) // a repeated activity
	must(t, s.Record(ctx, nil, nil))
	if n := len(get[[]store.Event](t)(s.Events(ctx, store.EventFilter{RunID: "r1"}))); n != 2 {
		t.Fatalf("two recorded events are %d", n)
	}
	wantSomeErr(t, s.Record(ctx, []store.Step{{RunID: "r1"}}, []store.Event{event("r1", 2)}), "a step without call site")
	wantSomeErr(t, s.Record(ctx, []store.Step{step("z", 1, 1)}, []store.Event{{RunID: "r1"}}), "an event without type")
	if n := len(get[[]store.Event](t)(s.Events(ctx, store.EventFilter{RunID: "r1"}))); n != 2 {
		t.Fatalf("a refused record left %d events", n)
	}
	same(t, "refused records leave no step", len(get[[]store.Step](t)(s.Steps(ctx, "r1", 0))), 3)
	end := store.Step{Status: store.StepFailed, ErrorType: "rejected", ErrorText: "no", FinishedAt: at(9)}
	must(t, s.CloseSteps(ctx, "r2", end)) // no steps: nothing to do
	must(t, s.CloseSteps(ctx, "r1", end))
	for _, open := range []*store.Step{&a, &c} {
		open.Status, open.ErrorType, open.ErrorText, open.FinishedAt = end.Status, end.ErrorType, end.ErrorText, end.FinishedAt
	}
	same(t, "closed steps", get[[]store.Step](t)(s.Steps(ctx, "r1", 0)), []store.Step{b, a, c})
}
