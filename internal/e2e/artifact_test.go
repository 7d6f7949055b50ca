package e2e

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	historypb "go.temporal.io/api/history/v1"
	"google.golang.org/protobuf/proto"

	"terfyn/internal/canon"
	"terfyn/store"
)

// kept is the artifacts beside recorded histories: a store for replays only.
type kept struct {
	store.Deployments
	dir string
}

// Artifact reads one artifact and verifies it.
func (k kept) Artifact(_ context.Context, d canon.Digest) (store.Artifact, error) {
	b, err := os.ReadFile(filepath.Join(k.dir, "artifact", string(d[len("sha256:"):])+".bin"))
	if err != nil {
		return store.Artifact{}, fmt.Errorf("%w: %s", store.ErrNotFound, d)
	}
	if canon.Sum(b) != d {
		return store.Artifact{}, store.ErrCorrupt
	}
	return store.Artifact{Digest: d, Kind: store.KindPayload, FormatVersion: 1, Bytes: b}, nil
}

func artifacts(t testing.TB, dir string) store.Deployments {
	t.Helper()
	return kept{dir: dir}
}

var digestPattern = regexp.MustCompile(`sha256:[0-9a-f]{64}`)

// keepArtifacts writes the payload artifacts that the claims of h name.
func keepArtifacts(t testing.TB, s store.Deployments, h *historypb.History, dir string) {
	t.Helper()
	for _, m := range digestPattern.FindAll(marshal(t, h), -1) {
		d := canon.Digest(m)
		a, err := s.Artifact(t.Context(), d)
		if err != nil || a.Kind != store.KindPayload {
			continue // the digest of something else
		}
		writeOnce(t, filepath.Join(dir, "artifact", string(d[len("sha256:"):])+".bin"), a.Bytes)
	}
}

func marshal(t testing.TB, m proto.Message) []byte {
	t.Helper()
	b, err := proto.MarshalOptions{Deterministic: true}.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// writeOnce keeps what is there: a released behaviour is not rewritten.
func writeOnce(t testing.TB, path string, b []byte) {
	t.Helper()
	if _, err := os.Stat(path); err == nil {
		return
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b, 0o644); err != nil {
		t.Fatal(err)
	}
}
