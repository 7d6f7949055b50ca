package deploy_test

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"terfyn/compiler/ir"
	"terfyn/compiler/resource"
	"terfyn/deploy"
	"terfyn/deploy/snapshot"
	"terfyn/internal/canon"
	"terfyn/planner"
	"terfyn/store"
	"terfyn/store/open"
)

const release = "1.2.3"

var noon = time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)

func openStore(t *testing.T) store.Store {
	t.Helper()
	s, err := open.Open(t.Context(), filepath.Join(t.TempDir(), "state.db"), open.ReadWrite)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// desk is a project whose agent has the given instructions.
func desk(instructions string) snapshot.Content {
	return snapshot.Content{
		Environment: "local",
		Graph: resource.Graph{
			Project:   "desk",
			Agents:    []resource.Agent{{Name: "writer", Model: "mock/w", Instructions: instructions, Grants: []string{"tool.mail.send"}}},
			Tools:     []resource.Tool{{Name: "mail", Type: "mock", OperationsDeclared: true, Operations: []resource.Operation{{Name: "send", Effects: []string{"mail.send"}, Schema: "schemas/Mail.json"}}}},
			Policies:  []resource.Policy{{Name: "default", Approvals: resource.Approvals{RequiredFor: []string{"tool.mail.send"}}}},
			Workflows: []resource.Workflow{{Name: "answer", Calls: []resource.Reference{{Kind: "agent", Name: "writer", Site: "ask"}}}},
		},
		Programs: []ir.Program{{Workflow: "answer", Body: []ir.Node{ir.Return{ID: "return", Expr: ir.Literal{Value: canon.Int(1)}}}}},
		Schemas:  map[string][]byte{"schemas/Mail.json": []byte(`{"type":"object"}`)},
	}
}

func prepare(t *testing.T, s deploy.Reader, c snapshot.Content) planner.Plan {
	t.Helper()
	p, err := deploy.Prepare(t.Context(), s, c, deploy.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func input(p planner.Plan, c snapshot.Content) deploy.ApplyIn {
	return deploy.ApplyIn{Plan: p, Content: c, CompilerVersion: release, Actor: "ann", Now: noon}
}

func apply(t *testing.T, s store.Store, c snapshot.Content) deploy.Applied {
	t.Helper()
	a, err := deploy.Apply(t.Context(), s, input(prepare(t, s, c), c))
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// state is everything an apply can write, for comparing before and after.
type state struct {
	Current   store.Current
	Resources []store.AppliedResource
	Applies   []store.Apply
}

func stateOf(t *testing.T, s store.Store, environment string) state {
	t.Helper()
	ctx := context.WithoutCancel(t.Context())
	var st state
	var err error
	st.Current, err = deploy.CurrentSnapshot(ctx, s, environment)
	if err != nil {
		st.Current = store.Current{}
	}
	if st.Resources, err = s.AppliedResources(ctx, environment); err != nil {
		t.Fatal(err)
	}
	if st.Applies, err = s.Applies(ctx, environment, time.Time{}, 50); err != nil {
		t.Fatal(err)
	}
	return st
}
