package snapshot_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"terfyn/compiler/resource"
	"terfyn/compiler/types"
	"terfyn/deploy/snapshot"
	"terfyn/internal/canon"
	"terfyn/store"
)

func TestLoadGivesBackTheContent(t *testing.T) {
	t.Parallel()
	row, artifacts := build(t, desk(), release)
	l, err := snapshot.Load(t.Context(), put(row, artifacts), row.Digest)
	if err != nil {
		t.Fatal(err)
	}
	again, _ := build(t, l.Content, l.Row.CompilerVersion)
	if again.Digest != row.Digest || l.Digest != row.Digest {
		t.Errorf("loaded content has digest %s, want %s", again.Digest, row.Digest)
	}
	if diff := cmp.Diff(desk().Graph, l.Graph); diff != "" {
		t.Error(diff)
	}
	if p, ok := l.Program("batch"); !ok || p.Digest() != desk().Programs[1].Digest() {
		t.Errorf("program %v %v", p, ok)
	}
	if _, ok := l.Program("ghost"); ok {
		t.Error("there is a program nobody declared")
	}
	if !l.Manifest.Allows("mail", "send") || l.Manifest.Allows("shut", "x") {
		t.Error("the manifest is not the one of the graph")
	}
}

func TestLoadedSchemas(t *testing.T) {
	t.Parallel()
	c := desk()
	c.Schemas["schemas/Far.json"] = []byte(`{"$ref":"other.json"}`)
	row, artifacts := build(t, c, release)
	l, err := snapshot.Load(t.Context(), put(row, artifacts), row.Digest)
	if err != nil {
		t.Fatal(err)
	}
	mail, err := l.Schema("schemas/Mail.json")
	if err != nil || mail == nil {
		t.Fatalf("schema %v, error %v", mail, err)
	}
	if again, _ := l.Schema("schemas/Mail.json"); again != mail {
		t.Error("a schema is compiled more than once")
	}
	if none, err := l.Schema("schemas/None.json"); err != nil || none.Document().JSON() != "false" {
		t.Errorf("boolean schema: %v", err)
	}
	if absent, err := l.Schema("schemas/Absent.json"); absent != nil || err != nil {
		t.Errorf("a schema that was not captured: %v, %v", absent, err)
	}
	if _, err := l.Schema("schemas/Far.json"); !errors.Is(err, types.ErrExternal) || !strings.Contains(err.Error(), "schemas/Far.json") {
		t.Errorf("reference to another file: %v", err)
	}
}

func TestLoadVerifies(t *testing.T) {
	t.Parallel()
	row, artifacts := build(t, desk(), release)
	for _, test := range []struct {
		name  string
		spoil func(*shelf)
		is    error
		text  string
	}{
		{"no row", func(s *shelf) { delete(s.snapshots, row.Digest) }, store.ErrNotFound, ""},
		{"row altered", func(s *shelf) { r := row; r.Environment = "dev"; s.snapshots[row.Digest] = r }, store.ErrCorrupt, ""},
		{"other program set", func(s *shelf) { r := row; r.ExecutionIR = row.Graph; s.snapshots[row.Digest] = r }, store.ErrCorrupt, ""},
		{"artifact gone", func(s *shelf) { delete(s.artifacts, row.Schemas) }, store.ErrNotFound, "schema_bundle"},
		{"artifact altered", func(s *shelf) {
			a := s.artifacts[row.Graph]
			a.Bytes = append([]byte(" "), a.Bytes...)
			s.artifacts[row.Graph] = a
		}, store.ErrCorrupt, "resolved_graph"},
		{"artifact of another kind", func(s *shelf) {
			a := s.artifacts[row.Manifest]
			a.Kind = store.KindPayload
			s.artifacts[row.Manifest] = a
		}, store.ErrCorrupt, "payload"},
	} {
		s := put(row, artifacts)
		test.spoil(s)
		_, err := snapshot.Load(t.Context(), s, row.Digest)
		if !errors.Is(err, test.is) || !strings.Contains(err.Error(), test.text) || !strings.Contains(err.Error(), string(row.Digest)) {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}

// Behaviour 89: an unknown format version is an error that names both.
func TestBehaviour89UnknownFormatNamesBothVersions(t *testing.T) {
	t.Parallel()
	row, artifacts := build(t, desk(), release)
	check := func(name string, spoil func(*shelf)) {
		s := put(row, artifacts)
		spoil(s)
		_, err := snapshot.Load(t.Context(), s, row.Digest)
		var format *snapshot.FormatError
		if !errors.As(err, &format) || format.Found != 7 || format.Supported != 1 {
			t.Errorf("%s: %v", name, err)
			return
		}
		if !strings.Contains(err.Error(), "version 7") || !strings.Contains(err.Error(), "version 1") {
			t.Errorf("%s: %v does not name both versions", name, err)
		}
	}
	check("row", func(s *shelf) { r := row; r.FormatVersion = 7; s.snapshots[row.Digest] = r })
	for _, d := range []canon.Digest{row.Graph, row.ExecutionIR, row.Manifest, row.Schemas} {
		check(string(artifactKind(artifacts, d)), func(s *shelf) { a := s.artifacts[d]; a.FormatVersion = 7; s.artifacts[d] = a })
	}
}

func artifactKind(artifacts []store.Artifact, d canon.Digest) store.ArtifactKind {
	for _, a := range artifacts {
		if a.Digest == d {
			return a.Kind
		}
	}
	return ""
}

func TestHashOfAResource(t *testing.T) {
	t.Parallel()
	l := &snapshot.Loaded{Content: snapshot.Content{Graph: resource.Graph{Project: "p", Agents: []resource.Agent{{Name: "A", Model: "mock/default"}}}}}
	want := canon.Digest("")
	for _, r := range resource.Resources(l.Graph) {
		if r.Kind == resource.KindAgent {
			want = r.Hash
		}
	}
	if got := l.Hash(resource.KindAgent, "A"); got != want || got == "" {
		t.Errorf("hash %q, want %q", got, want)
	}
	if got := l.Hash(resource.KindAgent, "B"); got != "" {
		t.Errorf("the hash of nothing is %q", got)
	}
}
