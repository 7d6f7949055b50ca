package export_test

import (
	"testing"

	"terfyn/compiler"
	"terfyn/compiler/export"
)

// tryRoundTrip reports whether the source compiles; if it does, it must come back.
func tryRoundTrip(t testing.TB, src string) bool {
	t.Helper()
	r, ds := compiler.Compile(files(map[string]string{"main.agent": src}), compiler.Options{Project: "demo", SkipPolicyBounds: true})
	if ds.HasErrors() {
		t.Logf("%s", ds)
		return false
	}
	checkRoundTrip(t, export.Compiled{Graph: r.Graph, Programs: r.Programs, Schemas: r.Schemas})
	return true
}

func FuzzExport(f *testing.F) {
	for seed := range uint64(20) {
		f.Add(randomProject(seed))
	}
	for _, fsys := range projects(f) {
		for _, src := range sources(f, fsys) {
			f.Add(src)
		}
	}
	f.Fuzz(func(t *testing.T, src string) { tryRoundTrip(t, src) })
}
