package deploy_test

import (
	"path/filepath"
	"testing"

	"terfyn/compiler"
	"terfyn/deploy"
	"terfyn/deploy/snapshot"
	"terfyn/internal/bigproject"
	"terfyn/store"
	"terfyn/store/open"
)

// BenchmarkPlan plans over 10,000 applied resources on SQLite: once with nothing
// to do, once with an agent changed in every group.
func BenchmarkPlan(b *testing.B) {
	const declarations = 10_000
	s, content := applyBig(b, declarations)
	changed := bigContent(b, declarations)
	for i := 0; i < len(changed.Graph.Agents); i += 4 {
		changed.Graph.Agents[i].Instructions += " Be brief."
	}
	for _, c := range []struct {
		name       string
		content    snapshot.Content
		operations int
	}{{"unchanged", content, 0}, {"changed", changed, declarations / bigproject.GroupSize}} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				plan, err := deploy.Prepare(b.Context(), s, c.content, deploy.Options{})
				if err != nil || len(plan.Operations) != c.operations {
					b.Fatalf("%d operations, %v", len(plan.Operations), err)
				}
			}
		})
	}
}

// BenchmarkPlanDigest names a plan over 10,000 resources, which apply does again.
func BenchmarkPlanDigest(b *testing.B) {
	plan, err := deploy.Prepare(b.Context(), nil, bigContent(b, 10_000), deploy.Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if !plan.Digest().Valid() {
			b.Fatal("no digest")
		}
	}
}

// TestPlanIsLinear counts the work of a plan over applied resources and over twice
// as many.
func TestPlanIsLinear(t *testing.T) {
	bigproject.Linear(t, func(declarations int) func() {
		s, content := applyBig(t, declarations)
		return func() {
			plan, err := deploy.Prepare(t.Context(), s, content, deploy.Options{})
			if err != nil || !plan.Empty() {
				t.Fatalf("%d operations, %v", len(plan.Operations), err)
			}
		}
	})
}

// applyBig gives a store in which a big project is applied.
func applyBig(tb testing.TB, declarations int) (store.Store, snapshot.Content) {
	tb.Helper()
	content := bigContent(tb, declarations)
	s, err := open.Open(tb.Context(), filepath.Join(tb.TempDir(), "state.db"), open.ReadWrite)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := s.Close(); err != nil {
			tb.Error(err)
		}
	})
	plan, err := deploy.Prepare(tb.Context(), s, content, deploy.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	if _, err := deploy.Apply(tb.Context(), s, input(plan, content)); err != nil {
		tb.Fatal(err)
	}
	return s, content
}

func bigContent(tb testing.TB, declarations int) snapshot.Content {
	tb.Helper()
	r, ds := compiler.Compile(bigproject.Files(declarations), compiler.Options{Project: "big"})
	if ds.HasErrors() {
		tb.Fatalf("%.2000s", ds)
	}
	return snapshot.Content{Environment: "local", Graph: r.Graph, Programs: r.Programs, Schemas: r.Schemas}
}
