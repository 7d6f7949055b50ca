package render_test

import (
	"bytes"
	"path/filepath"
	"testing"
	"testing/fstest"

	"terfyn/cmd/internal/render"
	"terfyn/compiler"
	"terfyn/deploy"
	"terfyn/deploy/snapshot"
	"terfyn/internal/golden"
	"terfyn/planner"
	"terfyn/store/sqlite"
)

func content(t *testing.T, text string) snapshot.Content {
	t.Helper()
	r, ds := compiler.Compile(fstest.MapFS{"main.agent": {Data: []byte(text)}}, compiler.Options{Project: "desk"})
	if ds.HasErrors() {
		t.Fatal(ds)
	}
	return snapshot.Content{Environment: "local", Graph: r.Graph, Programs: r.Programs, Schemas: r.Schemas}
}

const before = `
agent writer { model mock/default version "1" grants { tool.desk.read } }
tool desk { type mock operations { read { effects { desk.read } } write { effects { desk.write } } } }
policy open { preset permissive approvals { requiredFor { tool.desk.write } } effects { permit { desk.read } permitWithApproval { desk.write } } }
workflow draft() policy open { x = writer() return x }
workflow old() policy open { return { n: 1 } }
`

const after = `
agent writer { model mock/default version "2" changeSummary "May write." grants { tool.desk.read tool.desk.write } }
tool desk { type mock operations { read { effects { desk.read } } write { effects { desk.write } } } }
policy open { preset permissive approvals { requiredFor { tool.desk.write } } effects { permit { desk.read } permitWithApproval { desk.write } } }
workflow draft() policy open { x = writer() return x }
`

func TestPlanForPeople(t *testing.T) {
	t.Parallel()
	s, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "state.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	plan := func(text string) planner.Plan {
		p, err := deploy.Prepare(t.Context(), s, content(t, text), deploy.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	show := func(name string, p planner.Plan) {
		var b bytes.Buffer
		render.Plan(&b, p, render.NewPalette(false))
		golden.File(t, filepath.Join("testdata", name+".txt"), b.Bytes())
	}
	first := plan(before)
	show("first", first)
	if _, err := deploy.Apply(t.Context(), s, deploy.ApplyIn{Plan: first, Content: content(t, before), CompilerVersion: "test", Actor: "ann"}); err != nil {
		t.Fatal(err)
	}
	show("unchanged", plan(before))
	show("widened", plan(after))
}
