package schema

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"terfyn/compiler/nexflow/manifest"
	"terfyn/compiler/nexflow/settest"
	"terfyn/compiler/nexflow/yamlprofile"
	"terfyn/internal/canon"
	"terfyn/internal/ordered"
	"terfyn/internal/sharedtest"
)

// public is the schemas that NexFlow publishes, by kind, and the closed sets of words in them.
type public struct {
	roots map[manifest.Kind]*jsonschema.Schema
	sets  [][]string
}

func sharedFolder(t testing.TB, parts ...string) string {
	t.Helper()
	return sharedtest.Path(t, append([]string{"data", "nexflow"}, parts...)...)
}

func loadPublic(t testing.TB) public {
	t.Helper()
	dir := sharedFolder(t, "schemas")
	names, err := filepath.Glob(filepath.Join(dir, "*.schema.json"))
	if err != nil || len(names) == 0 {
		t.Fatalf("list the schemas of %s: %v", dir, err)
	}
	compiler := jsonschema.NewCompiler()
	compiler.Draft = jsonschema.Draft2020
	compiler.AssertFormat = true
	compiler.LoadURL = func(string) (io.ReadCloser, error) { return nil, errors.New("nothing is loaded") }
	out := public{roots: map[manifest.Kind]*jsonschema.Schema{}}
	kinds := map[string]manifest.Kind{}
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		doc, err := canon.Parse(b)
		if err != nil {
			t.Fatal(err)
		}
		if err := compiler.AddResource(doc.Str("$id"), bytes.NewReader(b)); err != nil {
			t.Fatal(err)
		}
		out.sets = listed(doc, out.sets)
		if kind := doc.At("properties", "kind", "const"); !kind.IsNull() {
			s, _ := kind.AsString()
			kinds[doc.Str("$id")] = manifest.Kind(s)
		}
	}
	for _, address := range ordered.Keys(kinds) {
		out.roots[kinds[address]] = compiler.MustCompile(address)
	}
	if len(out.roots) != len(manifest.Kinds()) {
		t.Fatalf("there are schemas of %d kinds", len(out.roots))
	}
	return out
}

// listed adds the closed sets of words in a schema.
func listed(v canon.Value, sets [][]string) [][]string {
	for _, f := range v.Fields() {
		if f.Name == "enum" {
			sets = append(sets, words(f.Value.Items()...))
		}
		if _, isText := f.Value.AsString(); isText && f.Name == "const" {
			sets = append(sets, words(f.Value))
		}
		sets = listed(f.Value, sets)
	}
	for _, item := range v.Items() {
		sets = listed(item, sets)
	}
	return sets
}

// ours is our own documents, or only one of them.
func ours(t testing.TB, sets [][]string, only string) *corpus {
	t.Helper()
	c := newCorpus(sets)
	files := full(t)
	for _, name := range files.Names() {
		c.add(document("full/"+name, files[name]))
	}
	if only != "" {
		c.documents = []*manifest.Document{document(only, files[only+".yaml"])}
	}
	// Members that no good document can have.
	c.members["AgentDefinitionSet/agentDefinitions/*/components"]["memoryPolicyRef"] = canon.String("x")
	c.members["Project/manifests"]["workflow"] = canon.String("w.yaml")
	return c
}

// samples is our documents and every one below data/nexflow.
func samples(t testing.TB, sets [][]string) *corpus {
	t.Helper()
	c := ours(t, sets, "")
	root := sharedFolder(t)
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if ext := filepath.Ext(path); err != nil || entry.IsDir() || ext != ".yaml" && ext != ".yml" {
			return err
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		v, refusal := yamlprofile.Parse(b)
		if refusal != nil {
			return nil
		}
		doc := document(strings.TrimPrefix(filepath.ToSlash(path), filepath.ToSlash(root)+"/"), v)
		if _, known := doc.Kind.Info(); known {
			c.add(doc)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// differences is the variants that l and the public schemas judge differently, up
// to most, and how many were accepted and refused by both.
func differences(t testing.TB, l *library, p public, c *corpus, most int) (found []string, accepted, refused int) {
	t.Helper()
	c.variants(func(v variant) {
		if len(found) >= most {
			return
		}
		ours, err := l.validate(l.roots[v.kind], v.root)
		if err != nil {
			t.Fatal(err)
		}
		theirs := p.roots[v.kind].Validate(toLibrary(v.root))
		switch {
		case (ours == nil) != (theirs == nil):
			found = append(found, fmt.Sprintf("%s: accepted by ours: %t, by the public schemas: %t", v.what, ours == nil, theirs == nil))
		case ours == nil:
			accepted++
		default:
			refused++
		}
	})
	return found, accepted, refused
}

func TestSchemasAcceptWhatThePublicOnesAccept(t *testing.T) {
	t.Parallel()
	p := loadPublic(t)
	l, err := load(embedded())
	if err != nil {
		t.Fatal(err)
	}
	found, accepted, refused := differences(t, l, p, samples(t, p.sets), 20)
	for _, d := range found {
		t.Error(d)
	}
	t.Logf("%d variants accepted, %d refused by both", accepted, refused)
	if accepted < 1000 || refused < 1000 {
		t.Error("the variants are too few, or all of one side")
	}
}

// Each alteration of one place in our schemas must be noticed by the comparison.
func TestTheComparisonNoticesAlteredSchemas(t *testing.T) {
	t.Parallel()
	p := loadPublic(t)
	for _, a := range []struct{ document, file, old, new string }{
		{"tasks", "shared", `"maxLength": 128,`, ``},
		{"capabilities", "shared", `"low", "medium", `, `"low", `},
		{"prompt-sets", "shared", `"format": "date-time"`, `"title": "anything"`},
		{"actors", "actors", `"required": ["agentRef"],
          "not"`, `"not"`},
		{"agent-definitions", "agent-definitions", `"state": {"const": "approved"}`, `"state": {}`},
		{"agent-definitions", "agent-definitions", `"not": {}`, `"type": "string"`},
		{"context", "context", `"required": ["allowedTools", "requiresApprovalForTools"],`, ``},
		{"project", "gate", `"not": {"required": ["targets", "appliesTo"]},`, ``},
		{"project", "gate", `"scope": {"not": {}}`, `"scope": {}`},
		{"project", "network", `"maximum": 65535`, `"maximum": 65536`},
		{"project", "network", `"else": {"not": {"required": ["approvalGate"]}}`, `"else": {}`},
		{"project", "override", `"onFailure": {"const": "remain_blocked"}`, `"onFailure": {"type": "string"}`},
		{"project", "project", `"additionalProperties": {"$ref": "#/$defs/path"},`, ``},
		{"providers", "providers", `"minProperties": 1,`, ``},
	} {
		t.Run(a.file+" "+a.old, func(t *testing.T) {
			t.Parallel()
			l, err := load(altered(t, a.file, a.old, a.new))
			if err != nil {
				t.Fatal(err)
			}
			if found, _, _ := differences(t, l, p, ours(t, p.sets, a.document), 1); len(found) == 0 {
				t.Error("no difference was found")
			}
		})
	}
}

// altered is the embedded schemas with one text replaced.
func altered(t testing.TB, file, old, new string) fs.FS {
	t.Helper()
	out := fstest.MapFS{}
	names, err := fs.Glob(embedded(), folder+"/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		b, err := fs.ReadFile(embedded(), name)
		if err != nil {
			t.Fatal(err)
		}
		if name == folder+"/"+file+suffix {
			changed := strings.Replace(string(b), old, new, 1)
			if changed == string(b) {
				t.Fatalf("%s has no %q", name, old)
			}
			b = []byte(changed)
		}
		out[name] = &fstest.MapFile{Data: b}
	}
	return out
}

// Every sample and fixture is judged as the public schemas judge it; settest reads
// them without the profile of YAML.
func TestSamplesPass(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"minimal-team", "software-team", "startup-team", "product-delivery-team", "open-source-maintainer"} {
		for _, r := range check(t, settest.Sample(t, "examples/"+name)) {
			t.Errorf("%s: %s: %s", name, brief(r), r.Message)
		}
	}
}
