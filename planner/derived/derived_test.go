package derived_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"testing/fstest"

	"terfyn/compiler"
	"terfyn/compiler/effects"
	"terfyn/compiler/resource"
	"terfyn/internal/golden"
	"terfyn/planner/derived"
)

func project(t *testing.T, files map[string][]byte, env string) derived.In {
	t.Helper()
	fsys := fstest.MapFS{}
	for name, b := range files {
		fsys[name] = &fstest.MapFile{Data: b}
	}
	r, ds := compiler.Compile(fsys, compiler.Options{Project: "demo", SkipPolicyBounds: true})
	if ds.HasErrors() {
		t.Fatal(ds.String())
	}
	g, err := resource.Overlay(r.Graph, env)
	if err != nil {
		t.Fatal(err)
	}
	return derived.In{Graph: g, Programs: r.Programs, Bounds: effects.Compute(g)}
}

func TestGolden(t *testing.T) {
	t.Parallel()
	golden.Archives(t, "testdata", func(t *testing.T, in map[string][]byte) map[string]string {
		p := project(t, in, "prod")
		out := map[string]string{}
		for _, r := range resource.Resources(p.Graph) {
			v, err := derived.Of(p, r.Kind, r.Name)
			if err != nil {
				t.Fatal(err)
			}
			var text bytes.Buffer
			if err := json.Indent(&text, v.Encode(), "", " "); err != nil {
				t.Fatal(err)
			}
			out[strings.ToLower(string(r.Kind))+"/"+r.Name] = text.String()
		}
		return out
	})
}

// A preset is shown without being declared; what no kind is about follows nothing.
func TestPresetAndUnknownKind(t *testing.T) {
	t.Parallel()
	p := project(t, map[string][]byte{"main.agent": []byte("workflow w() policy strict { x = 1 }\n")}, "")
	v, err := derived.Of(p, resource.KindPolicy, "strict")
	want := `{"effective":{"approvals":{"requireAllTools":true},"forbidUnknownTools":true},"governs":["workflow/w"]}`
	if err != nil || v.JSON() != want {
		t.Errorf("%s, %v", v.JSON(), err)
	}
	if v, err = derived.Of(p, "Other", "x"); err != nil || v.JSON() != "{}" {
		t.Errorf("%s, %v", v.JSON(), err)
	}
	clash := derived.In{Graph: resource.Normalize(resource.Graph{Agents: []resource.Agent{{Name: "A", Grants: []string{"tool.a.b_c", "tool.a.b.c"}}}})}
	if _, err = derived.Of(clash, resource.KindAgent, "A"); err == nil {
		t.Error("two grants with one name are shown")
	}
}
