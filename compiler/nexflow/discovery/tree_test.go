package discovery_test

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"terfyn/compiler/nexflow/discovery"
	"terfyn/compiler/nexflow/manifest"
	"terfyn/compiler/nexflow/settest"
	"terfyn/compiler/nexflow/yamlprofile"
)

// tree is a root in memory: texts by path. A text that begins with refusal is a
// file that is not read for the reason behind it.
type tree map[string]string

const refusal = "\x00refused:"

func (f tree) Look(name string) (discovery.Entry, error) {
	text, found := f[name]
	switch {
	case !found:
		return discovery.Absent, nil
	case strings.HasPrefix(text, refusal):
		return discovery.Other, nil
	}
	return discovery.Regular, nil
}

func (f tree) Read(name string, limit int64) ([]byte, error) {
	text, found := f[name]
	if !found {
		return nil, fmt.Errorf("read: %w", fs.ErrNotExist)
	}
	if reason, refused := strings.CutPrefix(text, refusal); refused {
		return nil, fmt.Errorf("read: %w", &discovery.Refused{Reason: manifest.Reason(reason)})
	}
	if int64(len(text)) > limit {
		return nil, &discovery.Refused{Reason: manifest.ReasonSize}
	}
	return []byte(text), nil
}

func (f tree) with(name, text string) tree {
	out := maps.Clone(f)
	out[name] = text
	return out
}

func (f tree) without(name string) tree {
	out := maps.Clone(f)
	delete(out, name)
	return out
}

func (f tree) renamed(from, to string) tree { return f.with(to, f[from]).without(from) }

func (f tree) appended(name, text string) tree { return f.with(name, f[name]+text) }

// put changes one value; the document becomes JSON.
func (f tree) put(t testing.TB, name, pointer, json string) tree {
	return f.edited(t, name, func(d settest.Files) settest.Files { return d.Put(t, name, pointer, json) })
}

func (f tree) drop(t testing.TB, name, pointer string) tree {
	return f.edited(t, name, func(d settest.Files) settest.Files { return d.Drop(t, name, pointer) })
}

func (f tree) edited(t testing.TB, name string, edit func(settest.Files) settest.Files) tree {
	t.Helper()
	v, r := yamlprofile.Parse([]byte(f[name]))
	if r != nil {
		t.Fatalf("%s: %v", name, r)
	}
	return f.with(name, edit(settest.Files{name: v})[name].JSON())
}

// folder reads a folder of the shared sample sets, nil where they are absent.
func folder(t testing.TB, name string) tree {
	t.Helper()
	root := filepath.Join("..", "..", "..", "..", "shared", "data", "nexflow", filepath.FromSlash(name))
	out := tree{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.EqualFold(filepath.Ext(path), ".md") {
			return err
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, path)
		out[filepath.ToSlash(rel)] = string(b)
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// team is a set of one project with the file names of NexFlow's smallest sample.
func team() tree {
	document := func(kind, rest string) string {
		return "specVersion: \"0.1\"\nkind: " + kind + "\nmetadata:\n  project: small-team\n" + rest
	}
	return tree{
		"project.yaml": document("Project", "project:\n  id: small-team\n  displayName: Small Team\n  description: Two people and a helper.\n"+
			"manifests:\n  agents: agents.yaml\n  actors: actors.yaml\n  tasks: tasks.yaml\n  workflow: workflow.yaml\n"),
		"actors.yaml":   document("ActorSet", "actors: []\n"),
		"agents.yaml":   document("AgentSet", "agents: []\n"),
		"tasks.yaml":    document("TaskSet", "tasks: []\n"),
		"workflow.yaml": document("Workflow", "workflow:\n  id: daily\n"),
		"README.md":     "no document",
	}
}

// flows is a set with two workflows and the file names of NexFlow's fixture.
func flows() tree {
	document := func(kind, rest string) string {
		return "specVersion: '0.1'\nkind: " + kind + "\nmetadata: {project: many-flows}\n" + rest
	}
	return tree{
		"project.yaml": document("Project", "project: {id: many-flows}\nmanifests:\n  tasks: work/items.yml\n"+
			"  agents: people/team.yml\n  workflows:\n    - flows/release.yml\n    - flows/documentation.yml\n"),
		"people/team.yml":         document("AgentSet", "agents: []\n"),
		"work/items.yml":          document("TaskSet", "tasks: []\n"),
		"flows/release.yml":       document("Workflow", "workflow: {id: release-review}\n"),
		"flows/documentation.yml": document("Workflow", "workflow: {id: docs-delivery}\n"),
	}
}

// discovered is the records as lines "CODE file > related", without NF-DISCOVERY-.
func discovered(t testing.TB, files discovery.Files, s discovery.Selection) []string {
	t.Helper()
	set, records := discovery.Discover(files, s, discovery.Limits{})
	if (set == nil) != manifest.HasErrors(records) {
		t.Fatalf("a set with errors, or neither: %v", records)
	}
	var out []string
	for _, r := range records {
		if r.Severity != manifest.Error || r.Layer != manifest.DiscoveryLayer || r.Path != "" || r.Keyword != "" || r.Message == "" {
			t.Errorf("not a record of this layer: %+v", r)
		}
		line := strings.TrimPrefix(string(r.Code), "NF-DISCOVERY-") + " " + r.File
		for i, p := range r.Related {
			line += []string{" > ", ", "}[min(i, 1)] + p.File
		}
		out = append(out, line)
	}
	return out
}

// names is the files of the documents of a set.
func names(set *manifest.Set) []string {
	var out []string
	for _, d := range set.Documents {
		out = append(out, d.File)
	}
	return out
}

func sorted(lines []string) []string { return slices.Sorted(slices.Values(lines)) }
