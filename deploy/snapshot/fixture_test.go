package snapshot_test

import (
	"context"
	"sync"
	"testing"

	"terfyn/compiler/ir"
	"terfyn/compiler/resource"
	"terfyn/deploy/snapshot"
	"terfyn/internal/canon"
	"terfyn/store"
)

const release = "1.2.3"

func flag(b bool) *bool { return &b }

// desk is a project with one of everything a snapshot holds.
func desk() snapshot.Content {
	return snapshot.Content{
		Environment: "prod",
		Graph: resource.Normalize(resource.Graph{
			Project: "desk",
			Agents:  []resource.Agent{{Name: "writer", Model: "mock/w", Instructions: "Write.", Grants: []string{"tool.mail.send"}}},
			Tools: []resource.Tool{
				{Name: "mail", Type: "http", HTTP: &resource.HTTP{BaseURL: "https://mail.example"}, OperationsDeclared: true, Operations: []resource.Operation{
					{Name: "send", Schema: "schemas/Mail.json", Effects: []string{"mail.send"}, Idempotency: "key"},
					{Name: "find", ReadOnly: flag(true), Effects: []string{"mail.read"}},
				}},
				{Name: "open", Type: "mock"},
				{Name: "shut", Type: "mock", OperationsDeclared: true},
			},
			Workflows: []resource.Workflow{{Name: "answer"}, {Name: "batch"}},
		}),
		Programs: []ir.Program{
			{Workflow: "answer", Body: []ir.Node{ir.Return{ID: "return", Expr: ir.Literal{Value: canon.Int(1)}}}},
			{Workflow: "batch", Body: []ir.Node{ir.Return{ID: "return", Expr: ir.Literal{Value: canon.Int(2)}}}},
		},
		Schemas: map[string][]byte{
			"schemas/Mail.json": []byte(`{"type":"object","required":["to"]}`),
			"schemas/None.json": []byte(`false`),
		},
	}
}

func build(t *testing.T, c snapshot.Content, compiler string) (store.Snapshot, []store.Artifact) {
	t.Helper()
	s, artifacts, err := snapshot.Build(c, compiler)
	if err != nil {
		t.Fatal(err)
	}
	return s, artifacts
}

// shelf is a Source in memory whose content tests can tamper with.
type shelf struct {
	mu        sync.Mutex
	snapshots map[canon.Digest]store.Snapshot
	artifacts map[canon.Digest]store.Artifact
	reads     int
	before    func(ctx context.Context) error // runs ahead of each Snapshot read
}

func put(s store.Snapshot, artifacts []store.Artifact) *shelf {
	sh := &shelf{snapshots: map[canon.Digest]store.Snapshot{s.Digest: s}, artifacts: map[canon.Digest]store.Artifact{}}
	for _, a := range artifacts {
		sh.artifacts[a.Digest] = a
	}
	return sh
}

func (s *shelf) Snapshot(ctx context.Context, d canon.Digest) (store.Snapshot, error) {
	s.mu.Lock()
	s.reads++
	before := s.before
	s.mu.Unlock()
	if before != nil {
		if err := before(ctx); err != nil {
			return store.Snapshot{}, err
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	row, ok := s.snapshots[d]
	if !ok {
		return store.Snapshot{}, store.ErrNotFound
	}
	return row, nil
}

func (s *shelf) Artifact(_ context.Context, d canon.Digest) (store.Artifact, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	a, ok := s.artifacts[d]
	if !ok {
		return store.Artifact{}, store.ErrNotFound
	}
	return a, nil
}
