//go:build amd64 || arm64

package effectproof

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"terfyn/internal/cage"
)

// starters are the three files of init, the whole budget it has.
var starters = []string{"actors.yaml", "agents.yaml", "project.yaml"}

// beginning is the call of init for the root.
var beginning = command{
	args:   "nexflow init --root ROOT --id my-project --format json",
	budget: "ROOT/actors.yaml ROOT/agents.yaml ROOT/project.yaml",
}

// kept is a folder with one file that has nothing to do with init.
func kept(t testing.TB, root string) {
	t.Helper()
	write(t, filepath.Join(root, "keep.txt"), "kept\n")
}

// answer is what the tests look at in the answers of the group.
type answer struct {
	ExecutionAuthorized *bool
	Diagnostics         []struct {
		Code string
		File *string
	}
	Result *struct {
		DocumentCount  int
		ReviewRequired bool
		Files          []struct{ File, Status string }
		Inspection     struct{ Resources, References []json.RawMessage }
	}
}

// begin runs a command with a budget in the cage.
func (w *world) begin(t testing.TB, c command, code int) (answer, cage.Result) {
	t.Helper()
	r := w.inside(t, c)
	w.silent(t, c, r)
	w.unnamed(t, c, r)
	var a answer
	if err := json.Unmarshal(r.Stdout, &a); err != nil {
		t.Fatalf("%s: %v: %s%s", c.args, err, r.Stdout, r.Stderr)
	}
	if r.ExitCode != code || a.ExecutionAuthorized == nil || *a.ExecutionAuthorized {
		t.Errorf("%s: it ended with %d, want %d: %s%s", c.args, r.ExitCode, code, r.Stdout, r.Stderr)
	}
	return a, r
}

// TestInit is cases N11 to N14: three files and no other, the same again, the result,
// and a conflict.
func TestInit(t *testing.T) {
	t.Parallel()
	require(t)
	w := newWorld(t, kept)
	before := w.snapshot(t)
	a, r := w.begin(t, beginning, 0)
	if a.Result == nil || !a.Result.ReviewRequired || len(a.Result.Files) != len(starters) {
		t.Fatalf("the answer is %s", r.Stdout)
	}
	w.unchanged(t, before, "around/set", "around/set/actors.yaml", "around/set/agents.yaml", "around/set/project.yaml")
	if got := w.own(r.Writes); !slices.Equal(got, starters) {
		t.Errorf("it wrote %v", got)
	}

	before = w.snapshot(t)
	a, r = w.begin(t, beginning, 0)
	w.unchanged(t, before)
	for _, f := range a.Result.Files {
		if f.Status != "skipped" {
			t.Errorf("the second call: %s", r.Stdout)
		}
	}
	if len(r.Writes) > 0 {
		t.Errorf("the second call wrote %v", r.Writes)
	}

	if a, r = w.begin(t, command{args: "nexflow validate --root ROOT --strict --format json"}, 0); len(a.Diagnostics) > 0 {
		t.Errorf("what init writes: %s", r.Stdout)
	}
	a, r = w.begin(t, command{args: "nexflow inspect --root ROOT --format json"}, 0)
	if i := a.Result.Inspection; a.Result.DocumentCount != 3 || len(i.Resources) != 4 || len(i.References) != 2 {
		t.Errorf("what init writes: %s", r.Stdout)
	}

	w.conflict(t)
}

// conflict alters one file, removes another, and tries init again.
func (w *world) conflict(t *testing.T) {
	t.Helper()
	path := filepath.Join(w.root, "agents.yaml")
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	b[len(b)/2] ^= 1
	write(t, path, string(b))
	if err := os.Remove(filepath.Join(w.root, "actors.yaml")); err != nil {
		t.Fatal(err)
	}
	before := w.snapshot(t)
	a, r := w.begin(t, beginning, 1)
	w.unchanged(t, before)
	if len(a.Diagnostics) != 1 || a.Diagnostics[0].Code != "TERFYN-CLI-INIT-CONFLICT" || *a.Diagnostics[0].File != "agents.yaml" {
		t.Errorf("a conflict: %s", r.Stdout)
	}
	if len(r.Writes) > 0 {
		t.Errorf("with a conflict it wrote %v", r.Writes)
	}
}

// TestInitDestinations is cases N16 to N18: destinations and names that are refused
// leave nothing behind.
func TestInitDestinations(t *testing.T) {
	t.Parallel()
	require(t)
	for name, c := range map[string]struct {
		root, more, code string
		exit             int
		how              cage.Command
		prepare          func(w *world) error
	}{
		"missing":   {root: "ROOT/gone", code: "TERFYN-CLI-INIT-DESTINATION", exit: 1},
		"a file":    {root: "ROOT/keep.txt", code: "TERFYN-CLI-INIT-DESTINATION", exit: 1},
		"a link":    {root: "BASE/link", code: "TERFYN-CLI-INIT-DESTINATION", exit: 1, prepare: func(w *world) error { return os.Symlink(w.root, w.base+"/link") }},
		"an id":     {root: "ROOT --id My-Project", exit: 2, code: "TERFYN-CLI-USAGE"},
		"a name":    {root: "ROOT --id a --name \u202ename", exit: 2, code: "TERFYN-CLI-USAGE"},
		"a mode":    {root: "ROOT", code: "TERFYN-CLI-INIT-DESTINATION", exit: 1, prepare: func(w *world) error { return os.Chmod(w.root, 0o555) }, how: nobody()},
		"a mounted": {root: "ROOT", code: "TERFYN-CLI-INIT-DESTINATION", exit: 1, how: cage.Command{ReadOnly: []string{"ROOT"}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, kept)
			if c.prepare != nil {
				if err := c.prepare(w); err != nil {
					t.Fatal(err)
				}
			}
			if len(c.how.ReadOnly) > 0 {
				if os.Geteuid() != 0 {
					t.Skip("skipped: only root mounts folders")
				}
				c.how.ReadOnly = []string{w.root}
			}
			args := "nexflow init --format json --root " + c.root
			if !strings.Contains(args, "--id") {
				args += " --id my-project"
			}
			before := w.snapshot(t)
			a, r := w.begin(t, command{args: args, budget: beginning.budget, cage: c.how}, c.exit)
			w.unchanged(t, before)
			if len(a.Diagnostics) != 1 || a.Diagnostics[0].Code != c.code {
				t.Errorf("the answer is %s", r.Stdout)
			}
		})
	}
}

// nobody runs a program as a user that owns nothing, where root runs the tests.
func nobody() cage.Command {
	if os.Geteuid() != 0 {
		return cage.Command{}
	}
	return cage.Command{User: &cage.User{UID: 65534, GID: 65534}}
}

// TestInitAtTheSameTime runs two calls at once: they leave one whole set of files.
func TestInitAtTheSameTime(t *testing.T) {
	t.Parallel()
	require(t)
	want := map[string]string{}
	w := newWorld(t, kept)
	w.begin(t, beginning, 0)
	for _, name := range append(starters, "keep.txt") {
		want[name] = content(t, filepath.Join(w.root, name))
	}
	for range 6 {
		w := newWorld(t, kept)
		var results [2]cage.Result
		var calls sync.WaitGroup
		for i := range results {
			calls.Go(func() { results[i] = w.inside(t, beginning) })
		}
		calls.Wait()
		if results[0].ExitCode > 1 || results[1].ExitCode > 1 || results[0].ExitCode+results[1].ExitCode == 2 {
			t.Errorf("the calls ended with %d and %d:\n%s%s", results[0].ExitCode, results[1].ExitCode, results[0].Stdout, results[1].Stdout)
		}
		got := map[string]string{}
		entries, err := os.ReadDir(w.root)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			got[e.Name()] = content(t, filepath.Join(w.root, e.Name()))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("two calls left (-want +got):\n%s", diff)
		}
		for _, r := range results {
			w.silent(t, beginning, r)
		}
	}
}

func content(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
