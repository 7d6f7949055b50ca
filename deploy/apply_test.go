package deploy_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"terfyn/compiler/resource"
	"terfyn/deploy"
	"terfyn/deploy/snapshot"
	"terfyn/internal/canon"
	"terfyn/planner"
	"terfyn/store"
)

func TestApplyCommitsAPlan(t *testing.T) {
	t.Parallel()
	s, c := openStore(t), desk("Write.")
	p := prepare(t, s, c)
	got := apply(t, s, c)
	if !got.Changed || got.Current.Version != 1 || got.Current.Environment != "local" {
		t.Fatalf("%+v", got)
	}
	l, err := snapshot.Load(t.Context(), s, got.Current.Snapshot)
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := l.Program("answer"); !ok || !l.Manifest.Allows("mail", "send") || l.Graph.Workflows[0].ProgramDigest == "" {
		t.Errorf("the stored snapshot is not the content: %+v", l.Graph)
	}
	st := stateOf(t, s, "local")
	if len(st.Resources) != p.Summary.Create || len(st.Applies) != 1 {
		t.Fatalf("%d resources, %d applies", len(st.Resources), len(st.Applies))
	}
	want := store.Apply{ID: got.Apply.ID, Environment: "local", Project: "desk", Actor: "ann", PlanDigest: p.Digest(), SnapshotAfter: got.Current.Snapshot, At: noon}
	if diff := cmp.Diff(want, st.Applies[0]); diff != "" {
		t.Error(diff)
	}
	if again := prepare(t, s, c); !again.Empty() || again.Widens() {
		t.Errorf("after the apply the plan still has %+v", again.Operations)
	}
}

func TestApplyAgainWritesNothing(t *testing.T) {
	t.Parallel()
	s, c := openStore(t), desk("Write.")
	firstTime := apply(t, s, c)
	before := stateOf(t, s, "local")
	again := apply(t, s, c)
	if again.Changed || again.Current != firstTime.Current || again.Apply != (store.Apply{}) {
		t.Errorf("%+v", again)
	}
	if diff := cmp.Diff(before, stateOf(t, s, "local")); diff != "" {
		t.Error(diff)
	}
}

func TestApplyUpdatesAndDeletes(t *testing.T) {
	t.Parallel()
	s := openStore(t)
	first := apply(t, s, desk("Write."))
	c := desk("Write well.")
	c.Graph.Workflows, c.Programs = nil, nil
	second := apply(t, s, c)
	if second.Current.Version != 2 || second.Apply.SnapshotBefore != first.Current.Snapshot || second.Apply.SnapshotAfter == first.Current.Snapshot {
		t.Errorf("%+v", second)
	}
	for _, r := range stateOf(t, s, "local").Resources {
		if r.Kind == "Workflow" {
			t.Errorf("%s/%s is still applied", r.Kind, r.Name)
		}
	}
	if _, err := snapshot.Load(t.Context(), s, first.Current.Snapshot); err != nil {
		t.Errorf("the earlier snapshot is gone: %v", err)
	}
}

// A moved baseline, changed content, an altered plan and a plan of another
// environment are refused before anything is written.
func TestApplyRefusesWhatWasNotReviewed(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, text string
		conflict   bool
		edit       func(t *testing.T, s store.Store, in *deploy.ApplyIn)
	}{
		{"moved", "version 1", true, func(t *testing.T, s store.Store, _ *deploy.ApplyIn) { apply(t, s, desk("Another.")) }},
		{"project changed", "project is not the one", true, func(_ *testing.T, _ store.Store, in *deploy.ApplyIn) { in.Content = desk("Changed.") }},
		{"schema changed", "project is not the one", true, func(_ *testing.T, _ store.Store, in *deploy.ApplyIn) {
			in.Content.Schemas["schemas/Mail.json"] = []byte(`true`)
		}},
		{"plan altered", "altered", true, func(_ *testing.T, _ store.Store, in *deploy.ApplyIn) { in.Plan.Operations = nil }},
		{"authority altered", "altered", true, func(_ *testing.T, _ store.Store, in *deploy.ApplyIn) { in.Plan.Authority.Autonomous = "narrowed" }},
		{"other environment", "cannot be applied", true, func(_ *testing.T, _ store.Store, in *deploy.ApplyIn) { in.Content.Environment = "prod" }},
		{"other project", `project "desk" and this is project "shop"`, true, func(_ *testing.T, _ store.Store, in *deploy.ApplyIn) { in.Content.Graph.Project = "shop" }},
		{"from another environment", "--from-env", true, func(t *testing.T, s store.Store, in *deploy.ApplyIn) {
			p, err := deploy.Prepare(t.Context(), s, in.Content, deploy.Options{FromEnvironment: "dev"})
			if err != nil {
				t.Fatal(err)
			}
			in.Plan = p
		}},
	} {
		s, c := openStore(t), desk("Write.")
		apply(t, s, desk("Base."))
		in := input(prepare(t, s, c), c)
		test.edit(t, s, &in)
		before := stateOf(t, s, "local")
		_, err := deploy.Apply(t.Context(), s, in)
		if err == nil || !strings.Contains(err.Error(), test.text) || errors.Is(err, store.ErrConflict) != test.conflict {
			t.Errorf("%s: %v", test.name, err)
		}
		if err != nil && test.conflict && !strings.Contains(err.Error(), "run terfyn plan again") {
			t.Errorf("%s: no advice in %v", test.name, err)
		}
		if diff := cmp.Diff(before, stateOf(t, s, "local")); diff != "" {
			t.Errorf("%s wrote:\n%s", test.name, diff)
		}
	}
}

// late is a store in which another apply commits between check and commit.
type late struct {
	store.Store
	once   sync.Once
	before func()
}

func (l *late) InTx(ctx context.Context, f func(tx store.Tx) error) error {
	l.once.Do(l.before)
	return l.Store.InTx(ctx, f)
}

func TestApplyLosesARaceCleanly(t *testing.T) {
	t.Parallel()
	s := openStore(t)
	var winner state
	l := &late{Store: s, before: func() { apply(t, s, desk("Winner.")); winner = stateOf(t, s, "local") }}
	c := desk("Loser.")
	_, err := deploy.Apply(t.Context(), l, input(prepare(t, l, c), c))
	if !errors.Is(err, store.ErrConflict) || !strings.Contains(err.Error(), "run terfyn plan again") {
		t.Errorf("%v", err)
	}
	if diff := cmp.Diff(winner, stateOf(t, s, "local")); diff != "" {
		t.Error(diff)
	}
}

func TestConcurrentAppliesHaveOneWinner(t *testing.T) {
	t.Parallel()
	s := openStore(t)
	const racers = 8
	contents := make([]snapshot.Content, racers)
	plans := make([]planner.Plan, racers)
	for i := range racers {
		contents[i] = desk(strings.Repeat("x", i+1))
		plans[i] = prepare(t, s, contents[i])
	}
	results := make([]deploy.Applied, racers)
	errs := make([]error, racers)
	var wg sync.WaitGroup
	for i := range racers {
		wg.Go(func() { results[i], errs[i] = deploy.Apply(t.Context(), s, input(plans[i], contents[i])) })
	}
	wg.Wait()
	winner := -1
	for i, err := range errs {
		switch {
		case err == nil && winner >= 0:
			t.Fatal("two applies won")
		case err == nil:
			winner = i
		case !errors.Is(err, store.ErrConflict):
			t.Errorf("racer %d: %v", i, err)
		}
	}
	if winner < 0 {
		t.Fatal("nobody won")
	}
	st := stateOf(t, s, "local")
	if st.Current.Version != 1 || st.Current.Snapshot != results[winner].Current.Snapshot || len(st.Applies) != 1 || st.Applies[0].ID != results[winner].Apply.ID {
		t.Errorf("%+v", st)
	}
	if p := prepare(t, s, contents[winner]); !p.Empty() {
		t.Errorf("rows of a loser were written: %+v", p.Operations)
	}
}

// Behaviour 65: when the store fails while the snapshot is written, nothing changes.
func TestBehaviour65FailureWritesNothing(t *testing.T) {
	t.Parallel()
	s := openStore(t)
	apply(t, s, desk("Base."))
	before := stateOf(t, s, "local")
	c := desk("Write.")
	ctx, cancel := context.WithCancel(t.Context())
	l := &late{Store: s, before: cancel}
	if _, err := deploy.Apply(ctx, l, input(prepare(t, s, c), c)); err == nil {
		t.Error("a failed apply reports success")
	}
	if diff := cmp.Diff(before, stateOf(t, s, "local")); diff != "" {
		t.Error(diff)
	}
	// The next apply finds the whole change still to be made, and finishes it.
	if a := apply(t, s, c); !a.Changed || a.Current.Version != before.Current.Version+1 {
		t.Errorf("%+v", a)
	}
	if p := prepare(t, s, c); !p.Empty() {
		t.Errorf("after the second apply the plan still has %+v", p.Operations)
	}
}

// mute is a store that cannot append events.
type mute struct{ store.Store }

func (m mute) InTx(ctx context.Context, g func(tx store.Tx) error) error {
	return m.Store.InTx(ctx, func(tx store.Tx) error { return g(muteTx{tx}) })
}

type muteTx struct{ store.Tx }

func (muteTx) Append(context.Context, ...store.Event) ([]store.Event, error) { return nil, errDisk }

// Behaviour 65: rows and audit event are one; without the event there are no rows.
func TestBehaviour65NoRowsWithoutTheAuditEvent(t *testing.T) {
	t.Parallel()
	s, c := openStore(t), desk("Write.")
	if _, err := deploy.Apply(t.Context(), mute{s}, input(prepare(t, s, c), c)); !errors.Is(err, errDisk) {
		t.Errorf("%v", err)
	}
	if st := stateOf(t, s, "local"); st.Current.Version != 0 || len(st.Resources)+len(st.Applies) != 0 {
		t.Errorf("%+v", st)
	}
}

// Behaviour 86: neither the place of the state nor the time is part of a snapshot's
// digest.
func TestBehaviour86DigestIsOfTheContent(t *testing.T) {
	t.Parallel()
	digests := map[canon.Digest]bool{}
	for i := range 3 {
		s, c := openStore(t), desk("Write.")
		in := input(prepare(t, s, c), c)
		in.Now, in.Actor = noon.Add(time.Duration(i)*time.Hour), strings.Repeat("x", i+1)
		a, err := deploy.Apply(t.Context(), s, in)
		if err != nil {
			t.Fatal(err)
		}
		digests[a.Current.Snapshot] = true
	}
	if len(digests) != 1 {
		t.Errorf("%v", digests)
	}
}

func TestPolicyRefusesWithoutEvidence(t *testing.T) {
	t.Parallel()
	s, c := openStore(t), desk("Write.")
	c.Graph.Policies[0].RequireEvidence = true
	in := input(prepare(t, s, c), c)
	in.Plan.Evidence = planner.EvidenceCurrent // what a file claims does not count
	var refused *deploy.RefusedError
	if _, err := deploy.Apply(t.Context(), s, in); !errors.As(err, &refused) || len(refused.Refusals) != 1 || !strings.Contains(err.Error(), "Policy/default") {
		t.Fatalf("%v", err)
	}
	if st := stateOf(t, s, "local"); st.Current.Version != 0 || len(st.Resources) != 0 {
		t.Errorf("%+v", st)
	}
	in.Evidence = planner.EvidenceCurrent
	if a, err := deploy.Apply(t.Context(), s, in); err != nil || !a.Changed {
		t.Errorf("%+v %v", a, err)
	}

	flagged := desk("Again.")
	in = input(prepare(t, s, flagged), flagged)
	in.RequireEvidence = true
	if _, err := deploy.Apply(t.Context(), s, in); !errors.As(err, &refused) || !strings.Contains(err.Error(), "--require-evidence") {
		t.Errorf("%v", err)
	}
}

// A saved plan is applied by its file alone, to the state it was made on.
func TestSavedPlan(t *testing.T) {
	t.Parallel()
	s, c := openStore(t), desk("Write.")
	p, err := planner.DecodeFile(planner.EncodeFile(prepare(t, s, c)))
	if err != nil {
		t.Fatal(err)
	}
	if a, err := deploy.Apply(t.Context(), s, input(p, c)); err != nil || a.Current.Version != 1 {
		t.Fatalf("%+v %v", a, err)
	}
	if _, err := deploy.Apply(t.Context(), s, input(p, c)); !errors.Is(err, store.ErrConflict) {
		t.Errorf("the same plan twice: %v", err)
	}
}

func TestRollback(t *testing.T) {
	t.Parallel()
	s := openStore(t)
	first := apply(t, s, desk("First."))
	second := apply(t, s, desk("Second."))
	earlier, err := deploy.LoadEarlier(t.Context(), s, "local", first.Current.Snapshot)
	if err != nil {
		t.Fatal(err)
	}
	in := input(prepare(t, s, earlier.Content), earlier.Content)
	in.CompilerVersion = earlier.CompilerVersion
	back, err := deploy.Apply(t.Context(), s, in)
	if err != nil {
		t.Fatal(err)
	}
	if back.Current.Snapshot != first.Current.Snapshot || back.Current.Version != 3 || back.Apply.SnapshotBefore != second.Current.Snapshot {
		t.Errorf("%+v", back)
	}
	if p := prepare(t, s, desk("First.")); !p.Empty() {
		t.Errorf("%+v", p.Operations)
	}
	if _, err := deploy.LoadEarlier(t.Context(), s, "prod", first.Current.Snapshot); err == nil || !strings.Contains(err.Error(), `"local"`) {
		t.Errorf("a snapshot of another environment: %v", err)
	}
	if _, err := deploy.LoadEarlier(t.Context(), s, "local", canon.Sum(nil)); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("an unknown snapshot: %v", err)
	}
}

func TestPrepare(t *testing.T) {
	t.Parallel()
	s, c := openStore(t), desk("Write.")
	nothing := prepare(t, nil, c)
	if diff := cmp.Diff(nothing.JSON().JSON(), prepare(t, s, c).JSON().JSON()); diff != "" {
		t.Errorf("no store and an empty one differ: %s", diff)
	}
	if d, err := deploy.ConfigDigest(c); err != nil || d != nothing.ResolvedConfigDigest {
		t.Errorf("%s %v, plan has %s", d, err, nothing.ResolvedConfigDigest)
	}
	apply(t, s, c)
	prod := c
	prod.Environment = "prod"
	p, err := deploy.Prepare(t.Context(), s, prod, deploy.Options{FromEnvironment: "local"})
	if err != nil || !p.Empty() || p.DeploymentBaseline.Version != 1 {
		t.Errorf("%v %+v", err, p.Operations)
	}
	if p := prepare(t, s, prod); p.Empty() || p.DeploymentBaseline.Version != 0 {
		t.Error("applied rows of one environment count for another")
	}
	c.Schemas = map[string][]byte{"schemas/Mail.json": []byte(`{`)}
	if _, err := deploy.Prepare(t.Context(), s, c, deploy.Options{}); err == nil || !strings.Contains(err.Error(), "schemas/Mail.json") {
		t.Errorf("%v", err)
	}
}

func TestCurrentSnapshot(t *testing.T) {
	t.Parallel()
	s := openStore(t)
	if _, err := deploy.CurrentSnapshot(t.Context(), s, "local"); !errors.Is(err, store.ErrNotFound) || !strings.Contains(err.Error(), "terfyn apply") {
		t.Errorf("%v", err)
	}
	a := apply(t, s, desk("Write."))
	if c, err := deploy.CurrentSnapshot(t.Context(), s, "local"); err != nil || c.Snapshot != a.Current.Snapshot {
		t.Errorf("%+v %v", c, err)
	}
}

func TestWarningsNameHeadersNotValues(t *testing.T) {
	t.Parallel()
	g := resource.Graph{Tools: []resource.Tool{
		{Name: "a", HTTP: &resource.HTTP{Headers: []resource.Header{{Name: "X-Key", Value: "hunter2"}, {Name: "Y", Value: "env:Y"}}}},
		{Name: "b", MCP: &resource.MCP{Headers: []resource.Header{{Name: "Z", Value: "file:/run/z"}, {Name: "E"}}}},
	}}
	got := deploy.Warnings(g)
	if len(got) != 1 || got[0].Class != "secret_literal" || !strings.Contains(got[0].Message, "X-Key") || strings.Contains(got[0].Message, "hunter2") {
		t.Errorf("%+v", got)
	}
}
