package cases

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

type started struct {
	Template struct{ Name, Version, SpecVersion string }
	Files    []struct{ File, Status string }
	Review   bool `json:"reviewRequired"`
}

// beside makes a folder that holds only a file which init has to leave alone.
func beside(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "new")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "keep.txt"), []byte("kept\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestInit is N11 to N14: three files, none of them twice, and none over another.
func TestInit(t *testing.T) {
	t.Parallel()
	dir := beside(t)
	first := ask(t, []string{dir}, "init", "--root", dir, "--id", "my-project")
	holdStarted(t, first, "created")
	if got := names(t, dir); !slices.Equal(got, []string{"actors.yaml", "agents.yaml", "keep.txt", "project.yaml"}) {
		t.Errorf("the folder has %v", got)
	}
	before := photograph(t, dir)
	holdStarted(t, ask(t, []string{dir}, "init", "--root", dir, "--id", "my-project"), "skipped")
	if got := photograph(t, dir); got != before {
		t.Errorf("the second call changed\n%s to\n%s", before, got)
	}

	valid := ask(t, nil, "validate", "--root", dir, "--strict")
	if valid.exit != 0 || len(valid.Diagnostics) != 0 {
		t.Errorf("the starter gives %v", valid.findings())
	}
	seen := inspect(t, dir)
	if seen.DocumentCount != 3 || len(seen.Inspection.Resources) != 4 || len(seen.Inspection.References) != 2 {
		t.Errorf("%d documents, %d resources, %d references", seen.DocumentCount, len(seen.Inspection.Resources), len(seen.Inspection.References))
	}

	agents := filepath.Join(dir, "agents.yaml")
	b, err := os.ReadFile(agents)
	if err != nil {
		t.Fatal(err)
	}
	b[len(b)-2] ^= 1
	if err := os.WriteFile(agents, b, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(dir, "actors.yaml")); err != nil {
		t.Fatal(err)
	}
	before = photograph(t, dir)
	a := ask(t, []string{dir}, "init", "--root", dir, "--id", "my-project")
	if a.exit != 1 || len(a.Diagnostics) != 1 || a.Diagnostics[0].Code != "TERFYN-CLI-INIT-CONFLICT" || text(a.Diagnostics[0].File) != "agents.yaml" {
		t.Errorf("conflict: %s", a.out)
	}
	if got := photograph(t, dir); got != before {
		t.Errorf("the conflict changed\n%s to\n%s", before, got)
	}
}

func holdStarted(t *testing.T, a answer, status string) {
	t.Helper()
	var s started
	result(t, a, &s)
	if s.Template.Name != "minimal-team" || s.Template.Version != "0.1-draft" || s.Template.SpecVersion != "0.1" || !s.Review || len(s.Files) != 3 {
		t.Errorf("got %s", a.Result)
	}
	for _, f := range s.Files {
		if f.Status != status {
			t.Errorf("%s is %s instead of %s", f.File, f.Status, status)
		}
	}
	for layer, status := range a.Checks {
		if status != "not-run" {
			t.Errorf("%s is %s", layer, status)
		}
	}
}

// TestInitDestinations is N16: what is no folder, or a link to one, takes nothing.
func TestInitDestinations(t *testing.T) {
	t.Parallel()
	outer := t.TempDir()
	file, link, real := filepath.Join(outer, "file"), filepath.Join(outer, "link"), filepath.Join(outer, "real")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(real, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("real", link); err != nil {
		t.Fatal(err)
	}
	before := photograph(t, outer)
	for _, root := range []string{filepath.Join(outer, "missing"), filepath.Join(outer, "missing", "below"), file, link} {
		a := ask(t, []string{outer}, "init", "--root", root, "--id", "a")
		if a.exit != 1 || len(a.Diagnostics) != 1 || a.Diagnostics[0].Code != "TERFYN-CLI-INIT-DESTINATION" || a.Diagnostics[0].File != nil {
			t.Errorf("%s: %s", filepath.Base(root), a.out)
		}
	}
	if got := photograph(t, outer); got != before {
		t.Errorf("the folder had\n%sand has\n%s", before, got)
	}
}

// TestInitReadOnly is N17: a folder that takes no file keeps none.
func TestInitReadOnly(t *testing.T) {
	t.Parallel()
	dir := beside(t)
	if err := os.Chmod(dir, 0o555); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(dir, 0o755) })
	a := ask(t, []string{dir}, "init", "--root", dir, "--id", "a")
	if os.Geteuid() == 0 { // for root the folder is not closed
		holdStarted(t, a, "created")
		return
	}
	if a.exit != 1 && a.exit != 4 || len(names(t, dir)) != 1 {
		t.Errorf("exit %d, files %v", a.exit, names(t, dir))
	}
}

// TestInitNames is N19: the name that a project gets from its id.
func TestInitNames(t *testing.T) {
	t.Parallel()
	for args, want := range map[string]string{
		"data-lab_two": "Data Lab Two", "a": "A", "a|Größe & Co": "Größe & Co",
	} {
		dir := beside(t)
		id, name, given := strings.Cut(args, "|")
		line := []string{"init", "--root", dir, "--id", id}
		if given {
			line = append(line, "--name", name)
		}
		if a := ask(t, []string{dir}, line...); a.exit != 0 {
			t.Fatalf("%s: %s", args, a.out)
		}
		b, err := os.ReadFile(filepath.Join(dir, "project.yaml"))
		if err != nil {
			t.Fatal(err)
		}
		doc, err := readDocument(b)
		if err != nil {
			t.Fatal(err)
		}
		for _, place := range []string{"/project/displayName", "/metadata/name"} {
			got, err := lookup(doc, place)
			if err != nil || got != want {
				t.Errorf("%s: %s is %v (%v)", args, place, got, err)
			}
		}
		encoded, err := json.Marshal(doc)
		if err != nil || strings.Contains(string(encoded), "http") {
			t.Errorf("%s: %s (%v)", args, encoded, err)
		}
	}
}
