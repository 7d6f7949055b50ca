package deploy_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"terfyn/compiler/ir"
	"terfyn/deploy"
	"terfyn/internal/canon"
	"terfyn/planner"
	"terfyn/store"
)

// rows is a store whose applied resources are given back changed.
type rows struct {
	store.Store
	edit func([]store.AppliedResource) []store.AppliedResource
}

func (r rows) AppliedResources(ctx context.Context, environment string) ([]store.AppliedResource, error) {
	list, err := r.Store.AppliedResources(ctx, environment)
	return r.edit(list), err
}

// unreadable is a store whose artifacts are damaged.
type unreadable struct {
	store.Store
	err error
}

func (u unreadable) Artifact(context.Context, canon.Digest) (store.Artifact, error) {
	return store.Artifact{}, u.err
}

func TestStoredDrift(t *testing.T) {
	t.Parallel()
	s := openStore(t)
	if _, err := deploy.StoredDrift(t.Context(), s, "local"); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("nothing applied: %v", err)
	}
	apply(t, s, desk("Write."))
	for name, test := range map[string]struct {
		reader deploy.Reader
		want   []string
	}{
		"as applied": {s, nil},
		"row gone":   {rows{s, func(l []store.AppliedResource) []store.AppliedResource { return l[1:] }}, []string{"state Agent/writer missing"}},
		"hash altered": {rows{s, func(l []store.AppliedResource) []store.AppliedResource {
			l[0].SpecHash = canon.Sum(nil)
			return l
		}}, []string{"state Agent/writer altered"}},
		"content altered": {rows{s, func(l []store.AppliedResource) []store.AppliedResource {
			l[0].Normalized = []byte(`{"name":"writer"}`)
			return l
		}}, []string{"state Agent/writer altered"}},
		"no JSON": {rows{s, func(l []store.AppliedResource) []store.AppliedResource {
			l[0].Normalized = []byte(`{`)
			return l
		}}, []string{"state Agent/writer altered"}},
		"row too many": {rows{s, func(l []store.AppliedResource) []store.AppliedResource {
			return append(l, store.AppliedResource{Kind: "Tool", Name: "extra"})
		}}, []string{"state Tool/extra unknown"}},
		"damaged": {unreadable{s, store.ErrCorrupt}, []string{"snapshot " + string(current(t, s)) + " unusable"}},
	} {
		findings, err := deploy.StoredDrift(t.Context(), test.reader, "local")
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		var got []string
		for _, f := range findings {
			got = append(got, strings.Join([]string{f.Source, f.Target, f.Reason}, " "))
			if f.Message == "" {
				t.Errorf("%s: no message", name)
			}
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
	if _, err := deploy.StoredDrift(t.Context(), unreadable{s, errDisk}, "local"); !errors.Is(err, errDisk) {
		t.Errorf("a store that fails is taken for drift: %v", err)
	}
}

func current(t *testing.T, s store.Store) canon.Digest {
	t.Helper()
	c, err := deploy.CurrentSnapshot(t.Context(), s, "local")
	if err != nil {
		t.Fatal(err)
	}
	return c.Snapshot
}

func TestProjectDrift(t *testing.T) {
	t.Parallel()
	p := planner.Plan{Operations: []planner.Operation{
		{Action: planner.Create, Kind: "Tool", Name: "new"}, {Action: planner.Update, Kind: "Agent", Name: "a"}, {Action: planner.Delete, Kind: "Agent", Name: "old"},
	}}
	var got []string
	for _, f := range deploy.ProjectDrift(p) {
		got = append(got, f.Target+" "+f.Reason)
	}
	if diff := cmp.Diff([]string{"Agent/a changed", "Agent/old not_declared", "Tool/new not_applied"}, got); diff != "" {
		t.Error(diff)
	}
	if len(deploy.ProjectDrift(planner.Plan{})) != 0 {
		t.Error("an empty plan drifts")
	}
}

func TestFindSnapshot(t *testing.T) {
	t.Parallel()
	s := openStore(t)
	var digests []canon.Digest
	for i := range 20 {
		c := desk(strings.Repeat("x", i+1))
		in := input(prepare(t, s, c), c)
		in.Now = noon.Add(time.Duration(i) * time.Second)
		a, err := deploy.Apply(t.Context(), s, in)
		if err != nil {
			t.Fatal(err)
		}
		digests = append(digests, a.Current.Snapshot)
	}
	for _, d := range digests {
		for _, prefix := range []string{string(d), d.Short(), strings.TrimPrefix(string(d), "sha256:")} {
			if got, err := deploy.FindSnapshot(t.Context(), s, "local", prefix); err != nil || got != d {
				t.Errorf("%s: %s %v", prefix, got, err)
			}
		}
	}
	// Of twenty digests two begin with the same of sixteen digits.
	first := map[byte]bool{}
	for _, d := range digests {
		c := d.Short()[0]
		if first[c] {
			if _, err := deploy.FindSnapshot(t.Context(), s, "local", string(c)); !errors.Is(err, deploy.ErrAmbiguous) {
				t.Errorf("%c: %v", c, err)
			}
		}
		first[c] = true
	}
	for _, prefix := range []string{"", "sha256:", "nothing", string(canon.Sum(nil))} {
		if _, err := deploy.FindSnapshot(t.Context(), s, "local", prefix); err == nil {
			t.Errorf("%q is found", prefix)
		}
	}
	if _, err := deploy.FindSnapshot(t.Context(), s, "prod", string(digests[0])); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("a snapshot of another environment: %v", err)
	}
}

// Every apply and rollback leaves an event with actor, plan and both snapshots; one
// that fails leaves none.
func TestApplyIsAudited(t *testing.T) {
	t.Parallel()
	s := openStore(t)
	first := apply(t, s, desk("First."))
	c := desk("Second.")
	in := input(prepare(t, s, c), c)
	in.Actor, in.Rollback = "bob", true
	second, err := deploy.Apply(t.Context(), s, in)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := deploy.Apply(t.Context(), s, in); !errors.Is(err, store.ErrConflict) {
		t.Fatal(err)
	}
	apply(t, s, c) // nothing to do
	events, err := s.Events(t.Context(), store.EventFilter{RunID: store.ApplyChain("local")})
	if err != nil || len(events) != 2 {
		t.Fatalf("%v %+v", err, events)
	}
	for i, want := range []struct {
		action, actor, before, after string
		apply                        store.Apply
	}{
		{"apply", "ann", "", string(first.Current.Snapshot), first.Apply},
		{"rollback", "bob", string(first.Current.Snapshot), string(second.Current.Snapshot), second.Apply},
	} {
		e := events[i]
		data, err := canon.Parse(e.Data)
		if err != nil {
			t.Fatal(err)
		}
		if e.Type != deploy.EventDeployed || e.ActorID != want.actor || e.CallSite != want.apply.ID || !e.At.Equal(noon) {
			t.Errorf("%+v", e)
		}
		if data.Str("action") != want.action || data.Str("snapshotBefore") != want.before || data.Str("snapshotAfter") != want.after ||
			data.Str("planDigest") != string(want.apply.PlanDigest) || data.At("version").JSON() != canon.Int(int64(i+1)).JSON() {
			t.Errorf("%s", data.JSON())
		}
	}
	if events[1].PrevHash != events[0].Hash {
		t.Error("the events are no chain")
	}
}

// The plan shows what changes in a program, and who is running on the old one.
func TestPlanReadsProgramsAndRuns(t *testing.T) {
	t.Parallel()
	s := openStore(t)
	apply(t, s, desk("Write."))
	for _, r := range []store.Run{
		{RunID: "run-1", Workflow: "answer", Environment: "local"}, {RunID: "run-2", Workflow: "other", Environment: "local"}, {RunID: "run-3", Workflow: "answer", Environment: "prod"},
		{RunID: "run-4", Workflow: "answer", Environment: "local"},
	} {
		r.FirstExecID, r.Snapshot, r.Status, r.Input, r.CostUSD, r.StartedAt = "exec-"+r.RunID, current(t, s), store.RunRunning, []byte("{}"), "0", noon
		if _, err := s.StartRun(t.Context(), r); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.FinishRun(t.Context(), store.Run{RunID: "run-4", Status: store.RunSucceeded, CostUSD: "0", FinishedAt: noon}); err != nil {
		t.Fatal(err)
	}
	if err := s.SetRunStatus(t.Context(), "run-1", store.RunInterrupted); err != nil {
		t.Fatal(err)
	}
	c := desk("Write.")
	c.Programs = []ir.Program{{Workflow: "answer", Body: []ir.Node{ir.Return{ID: "return", Expr: ir.Literal{Value: canon.Int(2)}}}}}
	p := prepare(t, s, c)
	if len(p.Programs) != 1 || len(p.Programs[0].Lines) != 3 || p.Programs[0].NotCompared != "" {
		t.Errorf("%+v", p.Programs)
	}
	want := []planner.OpenRun{{RunID: "run-1", Workflow: "answer", Status: "interrupted", Snapshot: current(t, s), StartedAt: noon}}
	if diff := cmp.Diff(want, p.OpenRuns.Runs); diff != "" {
		t.Error(diff)
	}
	if p := prepare(t, unreadable{s, store.ErrCorrupt}, c); len(p.Programs) != 1 || !strings.Contains(p.Programs[0].NotCompared, store.ErrCorrupt.Error()) {
		t.Errorf("%+v", p.Programs)
	}
	if p := prepare(t, s, desk("Write.")); len(p.OpenRuns.Runs) != 0 || len(p.Programs) != 0 {
		t.Errorf("nothing changes: %+v %+v", p.OpenRuns, p.Programs)
	}
	other, err := deploy.Prepare(t.Context(), s, c, deploy.Options{FromEnvironment: "prod"})
	if err != nil || other.OpenRuns.NotChecked == "" {
		t.Errorf("%v %+v", err, other.OpenRuns)
	}
	// Runs come and go; a reviewed plan stays the one that may be applied.
	if err := s.FinishRun(t.Context(), store.Run{RunID: "run-1", Status: store.RunCancelled, CostUSD: "0", FinishedAt: noon}); err != nil {
		t.Fatal(err)
	}
	if _, err := deploy.Apply(t.Context(), s, input(p, c)); err != nil {
		t.Error(err)
	}
}
