//go:build amd64 || arm64

package effectproof

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"terfyn/internal/cage"
	"terfyn/internal/cage/probe"
)

// forbiddenEffect is something no reading command may do. The tests of package cage
// know more of them.
type forbiddenEffect struct {
	probe string // a name and paths below a folder
	calls string // the names its system call may have
}

var forbidden = []forbiddenEffect{
	{"dial tcp LISTENER", "socket"},
	{"listen", "socket"},
	{"spawn", "clone clone3"},
	{"become", "execve"},
	{"create /new", "openat"},
	{"write /link", "openat"},
	{"rename /file /new", "rename renameat"},
	{"folder /new", "mkdir mkdirat"},
	{"remove /file", "unlink unlinkat"},
	{"mode /file", "chmod fchmodat"},
	{"times /file", "utimensat"},
}

// check runs the effect outside of the cage and then inside.
func (f forbiddenEffect) check(dir string) error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("listen for a probe: %w", err)
	}
	defer l.Close()
	args := []string{probe.Flag}
	for _, a := range strings.Fields(f.probe) {
		if strings.HasPrefix(a, "/") {
			a = dir + a
		}
		args = append(args, strings.ReplaceAll(a, "LISTENER", l.Addr().String()))
	}
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("find the probes: %w", err)
	}
	if err := probeFiles(dir); err != nil {
		return err
	}
	if out, err := exec.Command(self, args...).CombinedOutput(); err != nil {
		return fmt.Errorf("the probe %q is none: outside of the cage: %w: %s", f.probe, err, out)
	}
	if err := probeFiles(dir); err != nil {
		return err
	}
	r, err := cage.Run(cage.Command{Path: self, Args: args})
	if err != nil {
		return err
	}
	recorded := slices.ContainsFunc(r.Violations, func(v cage.Violation) bool { return slices.Contains(strings.Fields(f.calls), v.Call) })
	if r.ExitCode != probe.Refused || !recorded {
		return fmt.Errorf("the cage does not bite: in it %q ended with %d (%s) and violations %v", f.probe, r.ExitCode, r.Stderr, r.Violations)
	}
	return nil
}

// probeFiles makes what probes act on anew.
func probeFiles(dir string) error {
	return errors.Join(
		os.RemoveAll(filepath.Join(dir, "new")),
		os.RemoveAll(filepath.Join(dir, "link")),
		os.WriteFile(filepath.Join(dir, "file"), []byte("file"), 0o644),
		os.Symlink("file", filepath.Join(dir, "link")),
	)
}

// TestCageBites is case B01 on its own; every other test depends on it as well.
func TestCageBites(t *testing.T) {
	t.Parallel()
	require(t)
}

// TestCageSeesTerfyn runs commands that do act, without a budget: the cage must see
// the effects of this very program, not only those of probes.
func TestCageSeesTerfyn(t *testing.T) {
	t.Parallel()
	require(t)
	for args, want := range map[string]string{
		"init BASE/fresh":                        "mkdir mkdirat",
		"export --project ROOT --output BASE/it": "mkdir mkdirat",
		"apply --project ROOT --auto-approve":    "mkdir mkdirat openat",
		"setup":                                  "socket",
		"nexflow init --root BASE --id a-team":   "openat",
	} {
		t.Run(args, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, supportReply)
			before := w.snapshot(t)
			r := w.inside(t, command{args: args})
			if r.ExitCode == 0 || !slices.ContainsFunc(r.Violations, func(v cage.Violation) bool { return slices.Contains(strings.Fields(want), v.Call) }) {
				t.Errorf("it ended with %d and violations %v: %s%s", r.ExitCode, r.Violations, r.Stdout, r.Stderr)
			}
			w.unchanged(t, before)
		})
	}
}
