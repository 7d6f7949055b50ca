//go:build amd64 || arm64

package effectproof

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"terfyn/internal/cage"
)

// reading are the reading commands of the group, with all forms of output.
var reading = []string{
	"discover", "discover --format json", "discover --format sarif",
	"validate", "validate --format json", "validate --format sarif", "validate --strict --format json",
	"inspect", "inspect --format json",
	"graph", "graph --format json", "graph --format mermaid", "graph --format dot",
}

// few are as many of them as show every command and both kinds of output.
var few = []string{"discover", "validate --format json", "validate --strict", "inspect --format json", "graph"}

// proveSet runs a reading command on the set of the world: no effect, and no path of
// this machine in what it says.
func (w *world) proveSet(t testing.TB, c command) cage.Result {
	t.Helper()
	c.args = "nexflow " + c.args
	c.cage.Timeout = 30 * time.Second
	r := w.prove(t, c)
	w.unnamed(t, c, r)
	return r
}

// unnamed fails when the place of the world is in an output.
func (w *world) unnamed(t testing.TB, c command, r cage.Result) {
	t.Helper()
	if text := string(r.Stdout) + string(r.Stderr); strings.Contains(text, w.base) {
		t.Errorf("%s: the absolute root is in the output:\n%s", c.args, text)
	}
}

// TestManifestSets is cases B02 and B04 on good sets: what is read is the set's
// documents and nothing else.
func TestManifestSets(t *testing.T) {
	t.Parallel()
	require(t)
	for _, s := range goodSets() {
		commands := few
		if s.name == "desk" {
			commands = reading
		}
		for _, args := range commands {
			t.Run(s.name+" "+args, func(t *testing.T) {
				t.Parallel()
				w := newWorld(t, s.fill)
				r := w.proveSet(t, command{args: args + " --root ROOT"})
				if r.ExitCode != 0 && !strings.Contains(args, "--strict") {
					t.Errorf("it ended with %d: %s%s", r.ExitCode, r.Stdout, r.Stderr)
				}
				want := documents(t, w.root)
				if diff := cmp.Diff(want, w.files(r.Reads)); diff != "" {
					t.Errorf("it read other files than the set's documents (-want +got):\n%s", diff)
				}
			})
		}
	}
}

// TestSelection names the documents in the call: just they are read.
func TestSelection(t *testing.T) {
	t.Parallel()
	require(t)
	w := newWorld(t, copied(starter))
	for args, want := range map[string][]string{
		"discover --file project.yaml --file agents.yaml":           {"agents.yaml", "project.yaml"},
		"validate --layer schema --file project.yaml --format json": {"project.yaml"},
		"inspect --project project.yaml --against BASE/around/set":  documents(t, w.root),
	} {
		r := w.proveSet(t, command{args: args + " --root ROOT"})
		if diff := cmp.Diff(want, w.files(r.Reads)); diff != "" {
			t.Errorf("%s: it read other files (-want +got):\n%s", args, diff)
		}
		w.withinSet(t, r)
	}
}

// files are the paths that a command opened, without the folders of the project.
func (w *world) files(reads []string) []string {
	return slices.DeleteFunc(w.own(reads), func(p string) bool {
		info, err := os.Stat(w.root + "/" + p)
		return !strings.HasPrefix(p, "/") && err == nil && info.IsDir()
	})
}

// TestBrokenSets is cases B02 and B04 on sets with mistakes, some of which point out
// of the set: nothing outside of it is opened, and nothing of it asked about.
func TestBrokenSets(t *testing.T) {
	t.Parallel()
	require(t)
	for _, s := range badSets() {
		for _, args := range []string{"discover", "validate --format json", "graph"} {
			t.Run(s.name+" "+args, func(t *testing.T) {
				t.Parallel()
				w := newWorld(t, s.fill)
				r := w.proveSet(t, command{args: args + " --root ROOT"})
				if strings.HasPrefix(args, "validate") && r.ExitCode != s.code {
					t.Errorf("it ended with %d, want %d: %s%s", r.ExitCode, s.code, r.Stdout, r.Stderr)
				}
				w.withinSet(t, r)
				if info, err := os.Lstat(w.root + "/tasks.yaml"); err == nil && !info.Mode().IsRegular() && slices.Contains(w.own(r.Reads), "tasks.yaml") {
					t.Errorf("it opened tasks.yaml to read, which is %s", info.Mode())
				}
			})
		}
	}
}

// withinSet fails when a command opened, or asked about, what is not in the set. A name
// that is not there can have been asked about, and so can the folders above the root.
func (w *world) withinSet(t testing.TB, r cage.Result) {
	t.Helper()
	allowed := append(documents(t, w.root), ".", "..", "project.yaml", "project.yml", "tasks.yaml", "gone.yaml", "sub")
	for _, p := range append(w.own(r.Reads), w.own(r.Looks)...) {
		if !slices.Contains(allowed, p) && !strings.HasPrefix(w.root, p+"/") {
			t.Errorf("it touched %s", p)
		}
	}
}

// TestHostileFields is case B03: fields that look like something to be done change
// nothing in what is said, and nothing is done.
func TestHostileFields(t *testing.T) {
	t.Parallel()
	require(t)
	plain, full := newWorld(t, copied(desk)), newWorld(t, hostile)
	for _, args := range few {
		t.Run(args, func(t *testing.T) {
			t.Parallel()
			r := full.proveSet(t, command{args: args + " --root ROOT"})
			if diff := cmp.Diff(unplaced(said(plain.inside(t, command{args: "nexflow " + args + " --root ROOT"}))), unplaced(said(r)), cmp.AllowUnexported(output{})); diff != "" {
				t.Errorf("the fields changed the answer:\n%s", diff)
			}
			full.withinSet(t, r)
		})
	}
}

// places are the lines and columns that findings are shown with: more lines in a file
// move what stands below.
var places = regexp.MustCompile(`line \d+, column \d+`)

func unplaced(o output) output {
	o.stdout, o.stderr = places.ReplaceAllString(o.stdout, "line …"), places.ReplaceAllString(o.stderr, "line …")
	return o
}

// TestSurroundings is case B07: another user, a read-only mount, no environment, another
// one, a closed input and another working directory change nothing.
func TestSurroundings(t *testing.T) {
	t.Parallel()
	require(t)
	w := newWorld(t, copied(desk))
	settings := map[string]command{
		"no environment": {env: []string{}},
		"another environment": {env: []string{
			"HOME=/nowhere", "TERFYN_PROJECT=" + w.base, "TERFYN_STATE=postgres://" + canary + "@db.example/x", "TERFYN_FORMAT=json",
			"NO_COLOR=1", "LANG=tr_TR.UTF-8", "LC_ALL=de_DE.UTF-8", "TZ=Pacific/Apia", "XDG_CONFIG_HOME=" + w.home,
			"HTTPS_PROXY=http://proxy.example", "EDITOR=/bin/false", "PAGER=/bin/false",
		}},
		"closed input":              {cage: cage.Command{NoStdin: true}},
		"another working directory": {cage: cage.Command{Dir: "/"}},
	}
	if os.Geteuid() == 0 {
		settings["another user"] = command{cage: cage.Command{User: &cage.User{UID: 65534, GID: 65534}}}
		settings["a read-only mount"] = command{cage: cage.Command{ReadOnly: []string{w.base}}}
	} else {
		t.Log("not root: neither another user nor a read-only mount is tried")
	}
	for name, c := range settings {
		for _, args := range []string{"discover", "validate --format json", "inspect", "graph --format json"} {
			t.Run(name+" "+args, func(t *testing.T) {
				t.Parallel()
				c.args = args + " --root ROOT"
				r := w.proveSet(t, c)
				if diff := cmp.Diff(documents(t, w.root), w.files(r.Reads)); diff != "" || r.ExitCode != 0 {
					t.Errorf("it ended with %d (%s), and read (-want +got):\n%s", r.ExitCode, r.Stderr, diff)
				}
			})
		}
	}
}

// TestNoRunCommand tries words that sound like running something (case U04), and the
// commands that need no set: nothing of the project is opened or even asked about.
func TestNoRunCommand(t *testing.T) {
	t.Parallel()
	require(t)
	w := newWorld(t, copied(starter))
	code := map[string]int{"help": 0, "--help": 0, "version": 0, "--version": 0, "validate --help": 0}
	for _, word := range strings.Fields("run execute preflight start serve watch deploy provider mcp a2a install update login auth") {
		code[word], code[word+" --root ROOT --format json"] = 2, 2
	}
	for args, want := range code {
		t.Run(args, func(t *testing.T) {
			t.Parallel()
			r := w.proveSet(t, command{args: args, cage: cage.Command{Dir: w.root}})
			if r.ExitCode != want {
				t.Errorf("it ended with %d, want %d: %s%s", r.ExitCode, want, r.Stdout, r.Stderr)
			}
			if want == 2 && strings.Contains(args, "json") && !strings.Contains(string(r.Stdout), `"TERFYN-CLI-USAGE"`) {
				t.Errorf("it said %s%s", r.Stdout, r.Stderr)
			}
			if touched := append(w.own(r.Reads), w.own(r.Looks)...); len(touched) > 0 {
				t.Errorf("it touched %v", touched)
			}
		})
	}
}
