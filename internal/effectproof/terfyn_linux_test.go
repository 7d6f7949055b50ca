//go:build amd64 || arm64

package effectproof

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// supportReply is the project of examples/support-reply.
func supportReply(t testing.TB, root string) {
	t.Helper()
	if err := os.CopyFS(root, os.DirFS("../../examples/support-reply")); err != nil {
		t.Fatal(err)
	}
}

// broken is a project with mistakes of several layers.
func broken(t testing.TB, root string) {
	t.Helper()
	write(t, filepath.Join(root, "main.agent"), "agent a {\n    model mock/default\n    grants { tool.gone.read }\n}\n\nworkflow w(input: Missing) {\n    let x = \n}\n")
	write(t, filepath.Join(root, "more.agent"), "policy p { allow everything }\n")
}

// TestReadingCommands runs the commands that only read a project.
func TestReadingCommands(t *testing.T) {
	t.Parallel()
	require(t)
	for _, args := range []string{
		"validate", "validate -o json", "fmt --check", "graph", "graph -o json", "inspect", "inspect agent/Drafter", "export",
		"export --format json", "compile", "plan", "plan -o json", "explain TF2003", "version", "help",
	} {
		for name, project := range map[string]func(testing.TB, string){"good": supportReply, "broken": broken} {
			if name == "broken" && (aboutNothing(args) || strings.Contains(args, "json")) {
				continue
			}
			t.Run(name+" "+args, func(t *testing.T) {
				t.Parallel()
				w := newWorld(t, project)
				r := w.prove(t, command{args: args + " --project ROOT"})
				if (r.ExitCode == 0) != (name == "good") && !aboutNothing(args) {
					t.Errorf("it ended with %d: %s", r.ExitCode, r.Stderr)
				}
				w.readsProject(t, args, r.Reads)
			})
		}
	}
}

// aboutNothing tells whether a command has nothing to do with the project.
func aboutNothing(args string) bool {
	return slices.Contains([]string{"explain TF2003", "version", "help"}, args)
}

// readsProject fails when a command opened more than its project, the user's
// configuration of terfyn, which is one file in the home folder, and more.
func (w *world) readsProject(t testing.TB, args string, reads []string, more ...string) {
	t.Helper()
	more = append(more, filepath.Join(w.home, ".config/terfyn/config.yaml"))
	for _, p := range w.own(reads) {
		if filepath.IsAbs(p) && !slices.ContainsFunc(more, func(m string) bool { return p == m || strings.HasPrefix(p, m+"/") }) {
			t.Errorf("%s: it read %s", args, p)
		}
		if aboutNothing(args) && !filepath.IsAbs(p) {
			t.Errorf("%s: it read %s of the project", args, p)
		}
	}
}

// TestPlanReadsTheStore plans and compares where something is applied: the store is
// opened to read, and not even a lock is taken on it.
func TestPlanReadsTheStore(t *testing.T) {
	t.Parallel()
	require(t)
	w := newWorld(t, supportReply)
	if out := w.outside(t, "apply --auto-approve --project ROOT"); out.code != 0 {
		t.Fatalf("apply: %+v", out)
	}
	write(t, filepath.Join(w.root, "prompts", "drafter.md"), "Write less.\n")
	for _, args := range []string{"plan", "diff", "drift", "state list", "rollback --list", "plan -o json"} {
		r := w.prove(t, command{args: args + " --project ROOT"})
		w.readsProject(t, args, r.Reads, "/dev/urandom") // SQLite seeds its random numbers
		if !slices.Contains(w.own(r.Reads), ".agentic/state.db") {
			t.Errorf("%s: it did not read the store but %v", args, w.own(r.Reads))
		}
	}
}

// TestWritesStayInTheirFolder runs commands that write one file or folder, with a
// budget of just that.
func TestWritesStayInTheirFolder(t *testing.T) {
	t.Parallel()
	require(t)
	for _, c := range []struct{ args, budget, made string }{
		{"export --project ROOT --output BASE/out/it", "BASE/out/it/", "out/it/project.agent"},
		// The plan is written beside its name and then renamed.
		{"plan --project ROOT --out BASE/out/plan.json", "BASE/out/", "out/plan.json"},
	} {
		t.Run(strings.Fields(c.args)[0], func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, supportReply)
			if err := os.Mkdir(filepath.Join(w.base, "out"), 0o755); err != nil {
				t.Fatal(err)
			}
			before := w.snapshot(t)
			r := w.inside(t, command{args: c.args, budget: c.budget})
			if w.silent(t, command{args: c.args, budget: c.budget}, r); r.ExitCode != 0 {
				t.Errorf("it ended with %d: %s", r.ExitCode, r.Stderr)
			}
			w.readsProject(t, c.args, r.Reads, filepath.Join(w.base, "out"))
			after := w.snapshot(t)
			if after[c.made] == "" {
				t.Errorf("%s was not made", c.made)
			}
			for name, line := range after {
				if _, was := before[name]; !was && !strings.HasPrefix(name, "out/") || was && before[name] != line && name != "out" {
					t.Errorf("%s was made or changed: %s", name, line)
				}
				if base := filepath.Base(name); strings.HasPrefix(base, ".plan-") {
					t.Errorf("%s was left behind", name)
				}
			}
		})
	}
}
