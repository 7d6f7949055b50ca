package storetest

import (
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"terfyn/store"
)

func deploymentCases() map[string]func(*testing.T, store.Store) {
	return map[string]func(*testing.T, store.Store){
		"artifact is filed once and read back":       artifactRoundTrip,
		"artifact with a wrong digest is refused":    artifactWrongDigest,
		"altered artifact bytes are noticed":         artifactAltered,
		"deploy writes everything":                   deployAll,
		"deploy of an old plan writes nothing":       deployStale,
		"deploy with a taken id writes nothing":      deployTakenID,
		"deploy of mismatched records is refused":    deployMismatched,
		"apply against apply: one wins":              deployRace,
		"the same snapshot can come back (rollback)": deployRollback,
		"applies are paged newest first":             appliesPages,
	}
}

func artifact(content string) store.Artifact {
	return store.Artifact{
		Digest: digest(content), Kind: store.KindPayload, FormatVersion: 1, Bytes: []byte(content), CreatedAt: at(0),
	}
}

func artifactRoundTrip(t *testing.T, s store.Store) {
	ctx := background()
	for _, content := range []string{"", "\x00\xff binary \x00", `{"n":12345678901234567890.10}`} {
		a := artifact(content)
		must(t, s.PutArtifact(ctx, a))
		again := a
		again.CreatedAt = at(9)
		must(t, s.PutArtifact(ctx, again))
		got := get[store.Artifact](t)(s.Artifact(ctx, a.Digest))
		same(t, "bytes", string(got.Bytes), content)
		got.Bytes, a.Bytes = nil, nil
		same(t, "artifact", got, a)
	}
	_, err := s.Artifact(ctx, digest("absent"))
	wantErr(t, err, store.ErrNotFound)

	undated := artifact("undated")
	undated.CreatedAt = time.Time{}
	must(t, s.PutArtifact(ctx, undated))
	if got := get[store.Artifact](t)(s.Artifact(ctx, undated.Digest)); got.CreatedAt.IsZero() {
		t.Fatal("the store did not date the artifact")
	}
}

func artifactWrongDigest(t *testing.T, s store.Store) {
	a := artifact("one")
	a.Digest = digest("another")
	wantErr(t, s.PutArtifact(background(), a), store.ErrCorrupt)
	_, err := s.Artifact(background(), a.Digest)
	wantErr(t, err, store.ErrNotFound)

	d := deployment(0, "one")
	d.Artifacts = append(d.Artifacts, a)
	_, err = s.Deploy(background(), d)
	wantErr(t, err, store.ErrCorrupt)
	_, err = s.Current(background(), "prod")
	wantErr(t, err, store.ErrNotFound)
}

func artifactAltered(t *testing.T, s store.Store) {
	a, b := artifact("approve nothing"), artifact("approve anything")
	must(t, s.PutArtifact(background(), a))
	must(t, s.PutArtifact(background(), b))
	tamper(t, s, fmt.Sprintf(`UPDATE deployment_artifacts SET bytes =
		(SELECT bytes FROM deployment_artifacts WHERE digest = '%s') WHERE digest = '%s'`, b.Digest, a.Digest))
	_, err := s.Artifact(background(), a.Digest)
	wantErr(t, err, store.ErrCorrupt)
}

// deployment is an apply on top of version, named name.
func deployment(version int64, name string) store.Deployment {
	a := artifact("graph of " + name)
	snapshot := store.Snapshot{
		Digest: digest("snapshot " + name), FormatVersion: 1, CompilerVersion: "1.0", Environment: "prod",
		Graph: a.Digest, ExecutionIR: digest("ir"), Manifest: digest("manifest"), Schemas: digest("schemas"), CreatedAt: at(1),
	}
	return store.Deployment{
		Artifacts: []store.Artifact{a}, Snapshot: snapshot, ExpectedVersion: version,
		Resources: []store.AppliedResource{
			resource("Tool", "slack"), resource("Agent", "writer"), resource("Agent", name),
		},
		Apply: store.Apply{
			ID: "apply-" + name, Environment: "prod", Project: "demo", Actor: "alice",
			PlanDigest: digest("plan " + name), SnapshotAfter: snapshot.Digest, At: at(int(version)),
		},
	}
}

func resource(kind, name string) store.AppliedResource {
	return store.AppliedResource{
		Environment: "prod", Kind: kind, Name: name, SpecHash: digest(kind + name),
		Normalized: []byte(`{"limit":1.50,"name":"` + name + `"}`), AppliedAt: at(2),
	}
}

func deployAll(t *testing.T, s store.Store) {
	ctx := background()
	_, err := s.Current(ctx, "prod")
	wantErr(t, err, store.ErrNotFound)
	d := deployment(0, "reviewer")
	want := store.Current{Environment: "prod", Snapshot: d.Snapshot.Digest, Version: 1, UpdatedAt: at(0)}
	same(t, "deployed", get[store.Current](t)(s.Deploy(ctx, d)), want)
	same(t, "current", get[store.Current](t)(s.Current(ctx, "prod")), want)
	same(t, "snapshot", get[store.Snapshot](t)(s.Snapshot(ctx, d.Snapshot.Digest)), d.Snapshot)
	same(t, "artifact", get[store.Artifact](t)(s.Artifact(ctx, d.Artifacts[0].Digest)), d.Artifacts[0])
	same(t, "resources", get[[]store.AppliedResource](t)(s.AppliedResources(ctx, "prod")),
		[]store.AppliedResource{resource("Agent", "reviewer"), resource("Agent", "writer"), resource("Tool", "slack")})
	same(t, "applies", get[[]store.Apply](t)(s.Applies(ctx, "prod", time.Time{}, 0)), []store.Apply{d.Apply})
	_, err = s.Snapshot(ctx, digest("absent"))
	wantErr(t, err, store.ErrNotFound)

	next := deployment(1, "second")
	next.Resources = []store.AppliedResource{resource("Agent", "writer")}
	next.Resources[0].SpecHash = digest("changed")
	next.Deleted = []store.ResourceKey{{Kind: "Agent", Name: "reviewer"}, {Kind: "Tool", Name: "never"}}
	get[store.Current](t)(s.Deploy(ctx, next))
	same(t, "resources", get[[]store.AppliedResource](t)(s.AppliedResources(ctx, "prod")),
		[]store.AppliedResource{next.Resources[0], resource("Tool", "slack")})
	if other := get[[]store.AppliedResource](t)(s.AppliedResources(ctx, "staging")); len(other) != 0 {
		t.Fatalf("another environment lists %v", other)
	}
}

func deployStale(t *testing.T, s store.Store) {
	ctx := background()
	first := deployment(0, "first")
	get[store.Current](t)(s.Deploy(ctx, first))
	for _, version := range []int64{0, 2} {
		stale := deployment(version, "stale")
		_, err := s.Deploy(ctx, stale)
		wantErr(t, err, store.ErrConflict)
		wantAbsent(t, s, stale)
	}
	_, err := s.Deploy(ctx, func() store.Deployment {
		d := deployment(3, "nowhere")
		d.Apply.Environment, d.Snapshot.Environment, d.Resources = "empty", "empty", nil
		return d
	}())
	wantErr(t, err, store.ErrConflict)
	same(t, "current", get[store.Current](t)(s.Current(ctx, "prod")).Snapshot, first.Snapshot.Digest)
}

// wantAbsent checks that nothing of d was written.
func wantAbsent(t *testing.T, s store.Store, d store.Deployment) {
	t.Helper()
	ctx := background()
	_, err := s.Snapshot(ctx, d.Snapshot.Digest)
	wantErr(t, err, store.ErrNotFound)
	_, err = s.Artifact(ctx, d.Artifacts[0].Digest)
	wantErr(t, err, store.ErrNotFound)
	for _, r := range get[[]store.AppliedResource](t)(s.AppliedResources(ctx, "prod")) {
		if r.Name == d.Resources[2].Name {
			t.Fatalf("resource %s of the loser is there", r.Name)
		}
	}
	for _, a := range get[[]store.Apply](t)(s.Applies(ctx, "prod", time.Time{}, 0)) {
		if a.PlanDigest == d.Apply.PlanDigest {
			t.Fatal("the loser's apply is recorded")
		}
	}
}

func deployTakenID(t *testing.T, s store.Store) {
	get[store.Current](t)(s.Deploy(background(), deployment(0, "first")))
	d := deployment(1, "second")
	d.Apply.ID = "apply-first"
	_, err := s.Deploy(background(), d)
	wantErr(t, err, store.ErrConflict)
	wantAbsent(t, s, d)
	same(t, "version", get[store.Current](t)(s.Current(background(), "prod")).Version, int64(1))
}

func deployMismatched(t *testing.T, s store.Store) {
	for name, change := range map[string]func(*store.Deployment){
		"a snapshot of another environment": func(d *store.Deployment) { d.Snapshot.Environment = "staging" },
		"a resource of another environment": func(d *store.Deployment) { d.Resources[0].Environment = "staging" },
		"an apply without id":               func(d *store.Deployment) { d.Apply.ID = "" },
		"no environment":                    func(d *store.Deployment) { d.Apply.Environment = "" },
	} {
		d := deployment(0, "odd")
		change(&d)
		_, err := s.Deploy(background(), d)
		wantSomeErr(t, err, name)
		wantAbsent(t, s, deployment(0, "odd"))
	}
}

func deployRace(t *testing.T, s store.Store) {
	const rivals = 8
	for version := range int64(3) { // the first apply inserts the pointer, later ones move it
		var won atomic.Int64
		errs := make([]error, rivals)
		name := func(i int) string { return fmt.Sprintf("v%d-rival%d", version, i) }
		race(rivals, func(i int) {
			if _, errs[i] = s.Deploy(background(), deployment(version, name(i))); errs[i] == nil {
				won.Add(1)
			}
		})
		if won.Load() != 1 {
			t.Fatalf("%d applies won on version %d: %v", won.Load(), version, errs)
		}
		for i, err := range errs {
			if err == nil {
				continue
			}
			if !errors.Is(err, store.ErrConflict) {
				t.Fatalf("a loser got %v", err)
			}
			wantAbsent(t, s, deployment(version, name(i)))
		}
	}
}

func deployRollback(t *testing.T, s store.Store) {
	first := deployment(0, "first")
	get[store.Current](t)(s.Deploy(background(), first))
	get[store.Current](t)(s.Deploy(background(), deployment(1, "second")))
	back := deployment(2, "first")
	back.Apply.ID = "rollback"
	cur := get[store.Current](t)(s.Deploy(background(), back))
	same(t, "current", cur.Snapshot, first.Snapshot.Digest)
	same(t, "version", cur.Version, int64(3))
}

func appliesPages(t *testing.T, s store.Store) {
	for i := range int64(5) {
		get[store.Current](t)(s.Deploy(background(), deployment(i, fmt.Sprint("n", i))))
	}
	var seen []string
	before := time.Time{}
	for range 4 {
		page := get[[]store.Apply](t)(s.Applies(background(), "prod", before, 2))
		for _, a := range page {
			seen = append(seen, a.ID)
			before = a.At
		}
	}
	same(t, "order", seen, []string{"apply-n4", "apply-n3", "apply-n2", "apply-n1", "apply-n0"})
}
