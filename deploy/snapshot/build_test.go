package snapshot_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"terfyn/compiler/ir"
	"terfyn/compiler/resource"
	"terfyn/deploy/snapshot"
	"terfyn/internal/canon"
)

func TestDigestIgnoresOrderAndLayout(t *testing.T) {
	t.Parallel()
	want, wantArtifacts := build(t, desk(), release)
	for range 50 {
		c := desk()
		slices.Reverse(c.Programs)
		slices.Reverse(c.Graph.Tools)
		slices.Reverse(c.Graph.Workflows)
		c.Schemas = map[string][]byte{
			"schemas/None.json": []byte(" false\n"),
			"schemas/Mail.json": []byte("{\n \"required\": [\"to\"],\n \"type\": \"object\"\n}\n"),
		}
		got, artifacts := build(t, c, release)
		if got.Digest != want.Digest {
			t.Fatalf("digest %s, want %s", got.Digest, want.Digest)
		}
		if diff := cmp.Diff(wantArtifacts, artifacts); diff != "" {
			t.Fatal(diff)
		}
	}
	if want.CreatedAt != (time.Time{}) {
		t.Error("a time entered the snapshot")
	}
}

func TestDigestCoversContent(t *testing.T) {
	t.Parallel()
	base, _ := build(t, desk(), release)
	seen := map[canon.Digest]string{base.Digest: "base"}
	check := func(name string, c snapshot.Content, compiler string) {
		s, _ := build(t, c, compiler)
		if other, dup := seen[s.Digest]; dup {
			t.Errorf("%s has the digest of %s", name, other)
		}
		seen[s.Digest] = name
	}
	check("compiler", desk(), "1.2.4")
	for _, change := range []struct {
		name string
		edit func(*snapshot.Content)
	}{
		{"environment", func(c *snapshot.Content) { c.Environment = "dev" }},
		{"prompt", func(c *snapshot.Content) { c.Graph.Agents[0].Instructions = "Write well." }},
		{"program", func(c *snapshot.Content) {
			c.Programs[0].Body = []ir.Node{ir.Return{ID: "return", Expr: ir.Literal{Value: canon.Int(3)}}}
		}},
		{"schema", func(c *snapshot.Content) { c.Schemas["schemas/Mail.json"] = []byte(`true`) }},
		{"schema captured", func(c *snapshot.Content) { c.Schemas["schemas/More.json"] = []byte(`true`) }},
		{"closed manifest opened", func(c *snapshot.Content) { c.Graph.Tools[2].OperationsDeclared = false }},
	} {
		c := desk()
		change.edit(&c)
		check(change.name, c, release)
	}
}

func TestBuildRefuses(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		want string
		edit func(*snapshot.Content)
	}{
		{`workflow "batch" has no program`, func(c *snapshot.Content) { c.Programs = c.Programs[:1] }},
		{`program "ghost" belongs to no workflow`, func(c *snapshot.Content) { c.Programs = append(c.Programs, ir.Program{Workflow: "ghost"}) }},
		{`workflow "answer" has two programs`, func(c *snapshot.Content) { c.Programs = append(c.Programs, c.Programs[0]) }},
		{`schemas/Mail.json`, func(c *snapshot.Content) { c.Schemas["schemas/Mail.json"] = []byte(`{`) }},
		{`is pinned to program`, func(c *snapshot.Content) { c.Graph.Workflows[0].ProgramDigest = string(canon.Sum([]byte("other"))) }},
	} {
		c := desk()
		test.edit(&c)
		if _, _, err := snapshot.Build(c, release); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("got %v, want it to name %s", err, test.want)
		}
	}
}

func TestManifest(t *testing.T) {
	t.Parallel()
	docs, err := snapshot.ParseSchemas(desk().Schemas)
	if err != nil {
		t.Fatal(err)
	}
	m := snapshot.NewManifest(desk().Graph, docs)
	got, err := snapshot.DecodeManifest(m.Encode())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(m, got); diff != "" {
		t.Error(diff)
	}
	for _, call := range []struct {
		tool, operation string
		want            bool
	}{
		{"mail", "send", true},
		{"mail", "sends", false},
		{"open", "anything", true},
		{"open", "", false},
		{"shut", "anything", false},
		{"ghost", "send", false},
	} {
		if got := got.Allows(call.tool, call.operation); got != call.want {
			t.Errorf("Allows(%s, %s) = %v", call.tool, call.operation, got)
		}
	}
	mail, _ := got.Tool("mail")
	send, _ := mail.Operation("send")
	find, _ := mail.Operation("find")
	if send.SchemaDigest != docs["schemas/Mail.json"].Digest() || !send.SideEffects || find.SideEffects || find.SchemaDigest != "" {
		t.Errorf("operations %+v %+v", send, find)
	}
	shut, _ := got.Tool("shut")
	open, _ := got.Tool("open")
	if !shut.Closed || open.Closed {
		t.Error("a closed empty manifest and an open one look equal")
	}
}

func TestManifestDecodeRefuses(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ doc, want string }{
		{`{"formatVersion":2,"tools":[]}`, "version 2"},
		{`{"tools":[]}`, "no format version"},
		{`{"formatVersion":1,"tools":[],"extra":1}`, "extra"},
		{`{"formatVersion":1, "tools":[]}`, "canonical"},
		{`{`, "capability manifest"},
	} {
		if _, err := snapshot.DecodeManifest([]byte(test.doc)); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want it to name %s", test.doc, err, test.want)
		}
	}
	if got := string(snapshot.NewManifest(resource.Graph{}, nil).Encode()); got != `{"formatVersion":1,"tools":[]}` {
		t.Error(got)
	}
}
