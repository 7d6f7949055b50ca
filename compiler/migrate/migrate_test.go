package migrate_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"terfyn/compiler"
	"terfyn/compiler/migrate"
	"terfyn/internal/golden"
	"terfyn/internal/ordered"
)

func project(in map[string][]byte) fstest.MapFS {
	out := fstest.MapFS{}
	for _, name := range ordered.Keys(in) {
		out[name] = &fstest.MapFile{Data: in[name]}
	}
	return out
}

// TestGolden also covers behaviour 244: one warning for each removed field and
// resource.
func TestGolden(t *testing.T) {
	t.Parallel()
	golden.Archives(t, "testdata", func(t *testing.T, in map[string][]byte) map[string]string {
		fsys := project(in)
		r, ds := migrate.Project(fsys, "project.agent")
		out := map[string]string{"diagnostics": ds.String() + "\n"}
		if ds.HasErrors() {
			if r.Text != nil {
				t.Error("there is a text in spite of errors")
			}
			return out
		}
		out["text"] = string(r.Text)
		fsys["project.agent"] = &fstest.MapFile{Data: r.Text}
		delete(fsys, "project.yaml")
		if _, problems := compiler.Compile(fsys, compiler.Options{Project: "demo"}); problems.HasErrors() {
			t.Errorf("the result does not validate:\n%s", problems)
		}
		return out
	})
}

func TestBehaviour244OneWarningPerFieldAndResource(t *testing.T) {
	t.Parallel()
	const agent = "---\napiVersion: agentic.dev/v0\nkind: Agent\nmetadata: {name: NAME}\nspec: {model: mock/default, memory: {size: 3}, runtime: remote}\n"
	manifest := "apiVersion: agentic.dev/v0\nkind: Project\nmetadata: {name: p}\nspec: {}\n" +
		strings.Replace(agent, "NAME", "one", 1) + strings.Replace(agent, "NAME", "two", 1)
	r, ds := migrate.Project(project(map[string][]byte{"project.yaml": []byte(manifest)}), "main.agent")
	if ds.HasErrors() || len(ds) != 4 {
		t.Fatalf("want four warnings, got:\n%s", ds)
	}
	for _, word := range []string{"memory", "remote", "size"} {
		if strings.Contains(string(r.Text), word) {
			t.Errorf("the text still has %q:\n%s", word, r.Text)
		}
	}
	for _, want := range []string{"Agent/one: spec.memory", "Agent/one: spec.runtime", "Agent/two: spec.memory", "Agent/two: spec.runtime"} {
		if strings.Count(ds.String(), want) != 1 {
			t.Errorf("want one warning about %s in:\n%s", want, ds)
		}
	}
}

func TestNoManifest(t *testing.T) {
	t.Parallel()
	_, ds := migrate.Project(fstest.MapFS{}, "main.agent")
	if !ds.HasErrors() || !strings.Contains(ds.String(), "project.yaml") {
		t.Errorf("got %s", ds)
	}
}

// FuzzProject looks for panics; whatever is converted must load.
func FuzzProject(f *testing.F) {
	f.Add("apiVersion: agentic.dev/v0\nkind: Project\nmetadata: {name: p}\nspec: {imports: [project.yaml]}\n---\n- 1\n")
	f.Add("apiVersion: agentic.dev/v0\nkind: Workflow\nmetadata: {name: w}\nspec:\n  steps:\n  - {id: a, approval: true, with: {x: \"${input.a} b\"}}\n  output: {value: \"${steps.a.output}\"}\n")
	f.Fuzz(func(t *testing.T, manifest string) {
		fsys := project(map[string][]byte{"project.yaml": []byte(manifest)})
		r, ds := migrate.Project(fsys, "main.agent")
		if ds.HasErrors() {
			return
		}
		if _, problems := compiler.Compile(project(map[string][]byte{"main.agent": r.Text}), compiler.Options{Project: "p"}); problems.HasErrors() {
			t.Fatalf("the result does not load:\n%s\n%s", problems, r.Text)
		}
	})
}
