//go:build amd64 || arm64

package effectproof

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"terfyn/internal/sharedtest"
)

// set is a manifest set to try, and the exit code of validate.
type set struct {
	name string
	fill func(t testing.TB, root string)
	code int
}

// copied copies a folder; README files and the like are no part of the set, and a
// broken document that nothing names must not be read.
func copied(from string) func(testing.TB, string) {
	return func(t testing.TB, root string) {
		t.Helper()
		if err := os.CopyFS(root, os.DirFS(from)); err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(root, "stray.yaml"), "stray: [\n"+canary+"-stray\n")
	}
}

// changed copies a set and replaces a text in one of its files. The names in links
// become links to the home folder.
func changed(from, file, old, new string, links ...string) func(testing.TB, string) {
	return func(t testing.TB, root string) {
		t.Helper()
		copied(from)(t, root)
		path := filepath.Join(root, file)
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(b), old) {
			t.Fatalf("%s of %s does not hold %q", file, from, old)
		}
		write(t, path, strings.Replace(string(b), old, new, 1))
		for _, l := range links {
			if err := os.Symlink("../../home", filepath.Join(root, l)); err != nil {
				t.Fatal(err)
			}
		}
	}
}

const (
	examples = "../../examples/nexflow/"
	starter  = examples + "starter-team"
	desk     = examples + "support-desk"
)

// goodSets pass validate.
func goodSets() []set {
	all := []set{{"starter", copied(starter), 0}, {"train", copied(examples + "release-train"), 0}, {"desk", copied(desk), 0}}
	for name, path := range map[string]string{"M": "examples/minimal-team", "S": "examples/software-team", "F": "fixtures/discovery/multi-workflow"} {
		all = append(all, set{name, sharedSet(path), 0})
	}
	return all
}

// sharedSet is a set beside the repository; without it the test is skipped.
func sharedSet(path string) func(testing.TB, string) {
	return func(t testing.TB, root string) {
		t.Helper()
		copied(sharedtest.Path(t, "data", "nexflow", filepath.FromSlash(path)))(t, root)
	}
}

// badSets fail validate, each at another place.
func badSets() []set {
	return []set{
		{"unresolved", changed(starter, "tasks.yaml", "owner: developer-agent", "owner: nobody"), 1},
		{"schema", changed(starter, "tasks.yaml", "status: ready", "status: soon"), 1},
		{"yaml", changed(starter, "tasks.yaml", "tasks:\n", "tasks: [\n"), 1},
		{"project", changed(starter, "tasks.yaml", "project: starter-team", "project: elsewhere"), 1},
		{"version", changed(starter, "agents.yaml", `specVersion: "0.1"`, `specVersion: "9.9"`), 3},
		{"missing", changed(starter, "project.yaml", "tasks: tasks.yaml", "tasks: gone.yaml"), 1},
		{"outside", changed(starter, "project.yaml", "tasks: tasks.yaml", "tasks: ../neighbour.yaml"), 1},
		{"absolute", changed(starter, "project.yaml", "tasks: tasks.yaml", "tasks: /etc/passwd"), 1},
		{"address", changed(starter, "project.yaml", "tasks: tasks.yaml", "tasks: https://example.com/tasks.yaml"), 1},
		{"empty", func(testing.TB, string) {}, 1},
		// What lies there is not opened, whatever it is: these are about its type alone.
		{"link", instead(func(path string) error { return os.Symlink("../../home/.netrc", path) }), 1},
		{"folder", instead(func(path string) error { return os.Mkdir(path, 0o755) }), 1},
		{"pipe", instead(func(path string) error { return syscall.Mkfifo(path, 0o644) }), 1},
		{"device", instead(func(path string) error { return os.Symlink(os.DevNull, path) }), 1},
		{"linked folder", changed(starter, "project.yaml", "tasks: tasks.yaml", "tasks: sub/tasks.yaml", "sub"), 1},
	}
}

// instead is a set that has something else in place of a document.
func instead(put func(path string) error) func(testing.TB, string) {
	return func(t testing.TB, root string) {
		t.Helper()
		copied(starter)(t, root)
		path := filepath.Join(root, "tasks.yaml")
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		if err := put(path); err != nil {
			t.Fatal(err)
		}
	}
}

// documents are the files that a set may be read from, as its folder has them.
func documents(t testing.TB, root string) []string {
	t.Helper()
	var all []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		name, _ := filepath.Rel(root, path)
		if err == nil && d.Type().IsRegular() && slices.Contains([]string{".yaml", ".yml"}, filepath.Ext(name)) && name != "stray.yaml" {
			all = append(all, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(all)
	return all
}

var item = regexp.MustCompile(`(?m)^( *)- id: .*$`)

// hostile is the set of support-desk in which everything with an id also has fields
// that look like something to be done. NexFlow knows none of them. The program they
// name would leave a file.
func hostile(t testing.TB, root string) {
	t.Helper()
	copied(desk)(t, root)
	marker := filepath.Join(filepath.Dir(root), "marker")
	write(t, marker, "#!/bin/sh\n: > \"$0-ran\"\n")
	if err := os.Chmod(marker, 0o755); err != nil {
		t.Fatal(err)
	}
	items := 0
	for _, name := range documents(t, root) {
		b, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		items += len(item.FindAll(b, -1))
		write(t, filepath.Join(root, name), item.ReplaceAllString(string(b), strings.Join([]string{
			"$0",
			"$1  command: " + marker,
			"$1  args: [--now]",
			"$1  hook: {before: " + marker + ", after: [" + marker + "]}",
			"$1  script: " + marker,
			"$1  include: ../neighbour.yaml",
			"$1  endpoint: http://" + canary + ".example:8080/endpoint",
			"$1  env: {PASS: \"${OPENAI_API_KEY}\"}",
			"$1  $$ref: https://" + canary + ".example/schema.json",
		}, "\n")))
	}
	if items < 20 {
		t.Fatalf("only %d places of the set took hostile fields", items)
	}
}
