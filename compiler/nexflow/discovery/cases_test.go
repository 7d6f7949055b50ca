package discovery_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"terfyn/compiler/nexflow/discovery"
	"terfyn/internal/sharedtest"
)

// row is one case: a change of a set, a selection, and the records that come out.
type row struct {
	id, set string
	change  func(t testing.TB, f tree) tree
	choose  discovery.Selection
	want    []string
}

func list(names ...string) discovery.Selection { return discovery.Selection{Files: names} }

func put(name, pointer, json string) func(testing.TB, tree) tree {
	return func(t testing.TB, f tree) tree { return f.put(t, name, pointer, json) }
}

func add(name, text string) func(testing.TB, tree) tree {
	return func(_ testing.TB, f tree) tree { return f.appended(name, text) }
}

func change(edit func(tree) tree) func(testing.TB, tree) tree {
	return func(_ testing.TB, f tree) tree { return edit(f) }
}

func many(count int) []string {
	names := []string{"project.yaml"}
	for i := 1; i < count; i++ {
		names = append(names, fmt.Sprintf("f%03d.yaml", i))
	}
	return names
}

func unreadable(count int) []string {
	var lines []string
	for _, name := range many(count)[1:] {
		lines = append(lines, "UNSAFE-SOURCE "+name)
	}
	return lines
}

// rows have the ids of the table of cases where they stand there, and others for
// what follows from the rules without standing there.
func rows() []row {
	const project, tasks = "project.yaml", "tasks.yaml"
	return slices.Concat(rowsOfSelection(), rowsOfHints(), []row{
		{id: "D14", set: "F", change: put("flows/documentation.yml", "/specVersion", `"0.2"`), want: []string{"UNSUPPORTED-VERSION flows/documentation.yml"}},
		{id: "unquoted version", set: "M", change: put(tasks, "/specVersion", `0.1`), want: []string{"UNSUPPORTED-VERSION tasks.yaml"}},
		{id: "no version", set: "M", change: func(t testing.TB, f tree) tree { return f.drop(t, tasks, "/specVersion") }, want: []string{"UNSUPPORTED-VERSION tasks.yaml"}},
		{id: "version with a blank", set: "M", change: put(tasks, "/specVersion", `"0.1 "`), want: []string{"UNSUPPORTED-VERSION tasks.yaml"}},
		{id: "version and kind", set: "M", change: func(t testing.TB, f tree) tree {
			return f.put(t, tasks, "/specVersion", `"1"`).put(t, tasks, "/kind", `"X"`)
		}, want: []string{"UNSUPPORTED-VERSION tasks.yaml"}},
		{id: "D16", set: "M", change: put(tasks, "/kind", `"TaskList"`), want: []string{"UNSUPPORTED-KIND tasks.yaml"}},
		{id: "D17", set: "M", change: func(t testing.TB, f tree) tree { return f.drop(t, tasks, "/kind") }, want: []string{"UNSUPPORTED-KIND tasks.yaml"}},
		{id: "kind in lower case", set: "M", change: put(tasks, "/kind", `"taskset"`), want: []string{"UNSUPPORTED-KIND tasks.yaml"}},
		{id: "kind is a list", set: "M", change: put(tasks, "/kind", `["TaskSet"]`), want: []string{"UNSUPPORTED-KIND tasks.yaml"}},
		{id: "D18", set: "M", change: add(tasks, "\nkind: TaskSet\n"), want: []string{"UNSAFE-SOURCE tasks.yaml"}},
		{id: "D19", set: "M", change: add(tasks, "\nnotes: !include other.yaml\n"), want: []string{"UNSAFE-SOURCE tasks.yaml"}},
		{id: "second document", set: "M", change: add(tasks, "\n---\nkind: TaskSet\n"), want: []string{"UNSAFE-SOURCE tasks.yaml"}},
		{id: "D21", set: "M", change: add(tasks, "\nnote: &n x\nnotes: ["+strings.Repeat("*n, ", 101)+"]\n"), want: []string{"UNSAFE-SOURCE tasks.yaml"}},
		{id: "D21 with 100", set: "M", change: add(tasks, "\nnote: &n x\nnotes: ["+strings.Repeat("*n, ", 100)+"]\n")},
		{id: "D22", set: "M", change: add(tasks, "\n#"+strings.Repeat("x", 1<<20)+"\n"), want: []string{"LIMIT-EXCEEDED tasks.yaml"}},
		{id: "D28", set: "M", change: add(tasks, "\nnotes: \"\xff\"\n"), want: []string{"UNSAFE-SOURCE tasks.yaml"}},
		{id: "D31", set: "M", change: add(tasks, "\nx: .inf\n"), want: []string{"UNSAFE-SOURCE tasks.yaml"}},
		{id: "D32", set: "M", change: add(tasks, "\n1: x\n"), want: []string{"UNSAFE-SOURCE tasks.yaml"}},
		{id: "D37", set: "M", change: change(func(f tree) tree { return f.with(tasks, "- a\n") }), want: []string{"UNSAFE-SOURCE tasks.yaml"}},
		{id: "empty file", set: "M", change: change(func(f tree) tree { return f.with(tasks, "") }), want: []string{"UNSAFE-SOURCE tasks.yaml"}},
		{id: "merge key", set: "M", change: add(tasks, "\nx: &a {b: c}\ny: {<<: *a}\n")},
		{id: "D12", set: "F", change: put("flows/release.yml", "/workflow/id", `"docs-delivery"`), want: []string{"DUPLICATE-WORKFLOW flows/documentation.yml > flows/release.yml"}},
		{id: "workflows without id", set: "F", change: func(t testing.TB, f tree) tree {
			return f.drop(t, "flows/release.yml", "/workflow/id").drop(t, "flows/documentation.yml", "/workflow/id")
		}},
		{id: "D13", set: "F", change: put("people/team.yml", "/metadata/project", `"other-project"`), want: []string{"PROJECT-MISMATCH people/team.yml"}},
		{id: "no metadata", set: "F", change: func(t testing.TB, f tree) tree { return f.drop(t, "people/team.yml", "/metadata") }, want: []string{"PROJECT-MISMATCH people/team.yml"}},
		{id: "metadata in another case", set: "M", change: put(tasks, "/metadata/project", `"Small-Team"`), want: []string{"PROJECT-MISMATCH tasks.yaml"}},
		{id: "D33", set: "M", change: put(project, "/metadata/project", `"other"`), want: []string{"PROJECT-MISMATCH project.yaml", "PROJECT-MISMATCH project.yaml"}},
		{id: "no association of the Project", set: "M", change: func(t testing.TB, f tree) tree { return f.drop(t, project, "/metadata/project") }, want: []string{"PROJECT-MISMATCH project.yaml", "PROJECT-MISMATCH project.yaml"}},
		{id: "no project id", set: "M", change: func(t testing.TB, f tree) tree { return f.drop(t, project, "/project/id") }, want: []string{"PROJECT-MISMATCH project.yaml"}},
		{id: "empty project id", set: "M", change: put(project, "/project/id", `""`), want: []string{"PROJECT-MISMATCH project.yaml"}},
		{id: "project id is a number", set: "M", change: put(project, "/project/id", `7`), want: []string{"PROJECT-MISMATCH project.yaml"}},
		{id: "two files", set: "M", change: func(t testing.TB, f tree) tree { return f.with(tasks, "- a\n").with("agents.yaml", "[") }, want: []string{"UNSAFE-SOURCE agents.yaml", "UNSAFE-SOURCE tasks.yaml"}},
	})
}

func rowsOfSelection() []row {
	const project = "project.yaml"
	return []row{
		{id: "nothing changed", set: "M"},
		{id: "nothing changed", set: "F"},
		{id: "named Project", set: "M", change: change(func(f tree) tree { return f.renamed(project, "sub/p.YML") }), choose: discovery.Selection{Project: "sub/p.YML"}},
		{id: "D01", set: "M", change: change(func(f tree) tree { return f.without(project) }), want: []string{"NO-PROJECT <input>"}},
		{id: "project.yml", set: "M", change: change(func(f tree) tree { return f.renamed(project, "project.yml") })},
		{id: "PROJECT.YAML", set: "M", change: change(func(f tree) tree { return f.renamed(project, "PROJECT.YAML") }), want: []string{"NO-PROJECT <input>"}},
		{id: "D02", set: "M", change: change(func(f tree) tree { return f.with("project.yml", f[project]) }), want: []string{"MULTIPLE-PROJECTS project.yaml > project.yml"}},
		{id: "a folder beside", set: "M", change: change(func(f tree) tree { return f.with("project.yml", refusal+"not-regular") }), want: []string{"MULTIPLE-PROJECTS project.yaml > project.yml"}},
		{id: "D08", set: "M", change: change(func(f tree) tree { return f.renamed(project, "p2.yaml").with(project, refusal+"symlink") }), want: []string{"NO-PROJECT <input>", "UNSAFE-SOURCE project.yaml"}},
		{id: "named Project absent", set: "M", choose: discovery.Selection{Project: "none.yaml"}, want: []string{"NO-PROJECT <input>", "UNSAFE-SOURCE none.yaml"}},
		{id: "named Project outside", set: "M", choose: discovery.Selection{Project: "../project.yaml"}, want: []string{"NO-PROJECT <input>", "OUTSIDE-ROOT <redacted-source>"}},
		{id: "named Project of another kind", set: "M", choose: discovery.Selection{Project: "tasks.yaml"}, want: []string{"KIND-MISMATCH tasks.yaml", "NO-PROJECT <input>"}},
		{id: "reject-yaml-syntax", set: "M", change: add(project, "\nx: ["), want: []string{"NO-PROJECT <input>", "UNSAFE-SOURCE project.yaml"}},
		{id: "reject-unsupported-version", set: "M", change: put(project, "/specVersion", `"9.9"`), want: []string{"NO-PROJECT <input>", "UNSUPPORTED-VERSION project.yaml"}},
		{id: "reject-unsupported-kind", set: "M", change: put(project, "/kind", `"Runtime"`), want: []string{"NO-PROJECT <input>", "UNSUPPORTED-KIND project.yaml"}},
		{id: "D23", set: "M", choose: list(many(129)...), want: []string{"LIMIT-EXCEEDED <input>"}},
		{id: "D23 with 128", set: "M", choose: list(many(128)...), want: unreadable(128)},
		{id: "D24", set: "M", choose: list(project, "./"+project), want: []string{"DUPLICATE-SOURCE ./project.yaml > project.yaml"}},
		{id: "D24 the other way", set: "M", choose: list("./"+project, "x/../"+project), want: []string{"DUPLICATE-SOURCE x/../project.yaml > ./project.yaml"}},
		{id: "a path thrice", set: "M", choose: list(project, project, project), want: []string{"DUPLICATE-SOURCE project.yaml > project.yaml", "DUPLICATE-SOURCE project.yaml > project.yaml"}},
		{id: "a path outside twice", set: "M", choose: list(project, "../x.yaml", "./../x.yaml"), want: []string{"DUPLICATE-SOURCE <redacted-source> > <redacted-source>", "OUTSIDE-ROOT <redacted-source>"}},
		{id: "no UTF-8 in a name", set: "M", choose: list(project, "\xff.yaml"), want: []string{"UNSAFE-SOURCE <redacted-source>"}},
		{id: "a colon", set: "M", choose: list(project, ":x.yaml", "a/b:c.yaml"), want: []string{"UNSAFE-SOURCE :x.yaml", "UNSAFE-SOURCE a/b:c.yaml"}},
		{id: "two faults", set: "M", choose: list(project, "./"+project, "none.yaml"), want: []string{"DUPLICATE-SOURCE ./project.yaml > project.yaml", "UNSAFE-SOURCE none.yaml"}},
		{id: "D26", set: "M", change: change(func(f tree) tree { return f.with("more.yaml", f["agents.yaml"]) }), choose: list(project, "agents.yaml", "more.yaml"), want: []string{"DUPLICATE-SINGLETON agents.yaml > more.yaml"}},
		{id: "three of a kind", set: "M", change: change(func(f tree) tree { return f.with("more.yaml", f["agents.yaml"]).with("a.yaml", f["agents.yaml"]) }), choose: list("more.yaml", project, "agents.yaml", "a.yaml"), want: []string{"DUPLICATE-SINGLETON a.yaml > agents.yaml, more.yaml"}},
		{id: "two Projects listed", set: "M", change: change(func(f tree) tree { return f.with("p2.yaml", f[project]) }), choose: list(project, "p2.yaml"), want: []string{"MULTIPLE-PROJECTS p2.yaml > project.yaml"}},
		{id: "no Project listed", set: "M", choose: list("agents.yaml", "tasks.yaml"), want: []string{"NO-PROJECT <input>"}},
		{id: "hints are not followed", set: "M", change: put(project, "/manifests", `"nothing"`), choose: list(project)},
		{id: "another project listed", set: "M", change: put(project, "/project/id", `"other"`), choose: list(project, "tasks.yaml"), want: []string{"PROJECT-MISMATCH project.yaml", "PROJECT-MISMATCH project.yaml", "PROJECT-MISMATCH tasks.yaml"}},
		{id: "I01", set: "M", choose: list("agents.yaml", project, "actors.yaml")},
		{id: "I02", set: "F", choose: list("people/team.yml", project)},
		{id: "D29", set: "M", change: change(func(f tree) tree { return f.with("stray.yaml", "[") })},
	}
}

func rowsOfHints() []row {
	const project, actors = "project.yaml", "/manifests/actors"
	outside := []string{"OUTSIDE-ROOT <redacted-source>"}
	redacted := []string{"UNSAFE-SOURCE <redacted-source>"}
	shape := []string{"UNSAFE-SOURCE <input>"}
	renamed := func(name string) func(testing.TB, tree) tree {
		return func(t testing.TB, f tree) tree {
			return f.renamed("agents.yaml", name).put(t, project, "/manifests/agents", `"`+name+`"`)
		}
	}
	out := []row{
		{id: "D06", set: "M", change: change(func(f tree) tree { return f.with("actors.yaml", refusal+"symlink") }), want: []string{"UNSAFE-SOURCE actors.yaml"}},
		{id: "D07", set: "M", change: func(t testing.TB, f tree) tree {
			return f.put(t, project, actors, `"link/actors.yaml"`).with("link/actors.yaml", refusal+"symlink")
		}, want: []string{"UNSAFE-SOURCE link/actors.yaml"}},
		{id: "D09", set: "M", change: func(t testing.TB, f tree) tree {
			return f.put(t, project, actors, `"agents.yaml"`).drop(t, project, "/manifests/agents")
		}, want: []string{"KIND-MISMATCH agents.yaml"}},
		{id: "one path for two hints", set: "M", change: put(project, "/manifests/agents", `"actors.yaml"`), want: []string{"DUPLICATE-SOURCE actors.yaml > actors.yaml"}},
		{id: "D11", set: "F", change: put(project, "/manifests/workflow", `"flows/release.yml"`), want: []string{"DUPLICATE-SOURCE <input>"}},
		{id: "D27", set: "M", change: renamed("agents.json"), want: []string{"UNSAFE-SOURCE agents.json"}},
		{id: ".YML", set: "M", change: renamed("agents.YML")},
		{id: ".YaMl", set: "M", change: renamed("x/y/agents.YaMl")},
		{id: "no extension", set: "M", change: renamed("agents"), want: []string{"UNSAFE-SOURCE agents"}},
		{id: "missing hint file", set: "M", change: change(func(f tree) tree { return f.without("agents.yaml") }), want: []string{"UNSAFE-SOURCE agents.yaml"}},
		{id: "D34", set: "F", change: put(project, "/manifests/workflows", `[]`), want: shape},
		{id: "D36", set: "F", change: put(project, "/manifests/workflows", `["flows/release.yml", "flows/release.yml"]`), want: []string{"DUPLICATE-SOURCE flows/release.yml > flows/release.yml"}},
		{id: "the Project as a hint", set: "M", change: put(project, actors, `"./project.yaml"`), want: []string{"DUPLICATE-SOURCE ./project.yaml > project.yaml"}},
		{id: "another Project as a hint", set: "M", change: func(t testing.TB, f tree) tree {
			return f.with("q.yaml", f[project]).put(t, project, actors, `"q.yaml"`)
		}, want: []string{"KIND-MISMATCH q.yaml", "MULTIPLE-PROJECTS project.yaml > q.yaml"}},
		{id: "unknown hint", set: "M", change: put(project, "/manifests/plugins", `"plugins.yaml"`), want: []string{"UNSUPPORTED-HINT <input>"}},
		{id: "two unknown hints and a bad one", set: "M", change: func(t testing.TB, f tree) tree {
			return f.put(t, project, "/manifests/plugins", `1`).put(t, project, "/manifests/project", `"x"`).put(t, project, actors, `[]`)
		}, want: []string{"UNSAFE-SOURCE <input>", "UNSUPPORTED-HINT <input>", "UNSUPPORTED-HINT <input>"}},
		{id: "no hints", set: "M", change: func(t testing.TB, f tree) tree { return f.drop(t, project, "/manifests") }},
		{id: "empty hints", set: "M", change: put(project, "/manifests", `{}`)},
		{id: "a path twice, one missing", set: "F", change: put(project, "/manifests/workflows", `["flows/release.yml", "flows//release.yml", "flows/none.yml"]`), want: []string{"DUPLICATE-SOURCE flows//release.yml > flows/release.yml", "UNSAFE-SOURCE flows/none.yml"}},
	}
	for count, want := range map[int][]string{127: {}, 128: {"LIMIT-EXCEEDED <input>"}} { // with the Project one more
		out = append(out, row{id: fmt.Sprint(count, " hints"), set: "F", change: func(t testing.TB, f tree) tree {
			var names []string
			for i := range count {
				names = append(names, fmt.Sprintf(`"w%03d.yaml"`, i))
				f = f.with(fmt.Sprintf("w%03d.yaml", i), f["flows/release.yml"]).put(t, fmt.Sprintf("w%03d.yaml", i), "/workflow/id", fmt.Sprintf(`"w%d"`, i))
			}
			return f.put(t, project, "/manifests", `{"workflows": [`+strings.Join(names, ",")+`]}`)
		}, want: want})
	}
	for _, json := range []string{`[]`, `"x.yaml"`, `null`, `{}`, `[1]`, `["flows/release.yml", null]`} {
		out = append(out, row{id: "workflows " + json, set: "F", change: put(project, "/manifests/workflows", json), want: shape})
	}
	for _, json := range []string{`null`, `7`, `["a.yaml"]`, `{"path": "a.yaml"}`, `true`} {
		out = append(out, row{id: "a hint " + json, set: "M", change: put(project, actors, json), want: shape})
	}
	for _, json := range []string{`[]`, `null`, `"actors.yaml"`, `1`} {
		out = append(out, row{id: "manifests " + json, set: "M", change: put(project, "/manifests", json), want: shape})
	}
	for _, locator := range []string{"../actors.yaml", "/tmp/actors.yaml", "x/../../actors.yaml", "..", `a\\b.yaml`, `..\\a.yaml`, "https://example.org/a.yaml", "file:a.yaml", "C:a.yaml", "c+d-e.f1:x", "//host/a.yaml", "../a.json", "/x"} {
		out = append(out, row{id: "D03 D04 " + locator, set: "M", change: put(project, actors, `"`+locator+`"`), want: outside})
	}
	for _, locator := range []string{"", "  ", `\t`, `a\u0000.yaml`, `a\n.yaml`, `a\u202e.yaml`, strings.Repeat("x", 508) + ".yaml"} {
		out = append(out, row{id: "not repeated: " + locator, set: "M", change: put(project, actors, `"`+locator+`"`), want: redacted})
	}
	return out
}

// TestCases runs every row on sets of our own and, where they are, on the shared
// sample sets.
func TestCases(t *testing.T) {
	t.Parallel()
	for source, sets := range map[string]map[string]tree{
		"own":    {"M": team(), "F": flows()},
		"shared": {"M": folder(t, "examples/minimal-team"), "F": folder(t, "fixtures/discovery/multi-workflow")},
	} {
		for _, r := range rows() {
			t.Run(source+" "+r.id, func(t *testing.T) {
				t.Parallel()
				files := sets[r.set]
				if files == nil {
					t.Fatalf("%s has no such set", sharedtest.Path(t, "data", "nexflow"))
				}
				if r.change != nil {
					files = r.change(t, files)
				}
				if diff := cmp.Diff(sorted(r.want), sorted(discovered(t, files, r.choose))); diff != "" {
					t.Errorf("records (-want +got):\n%s", diff)
				}
			})
		}
	}
}
