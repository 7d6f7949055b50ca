//go:build amd64 || arm64

package cage_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"terfyn/internal/cage"
	"terfyn/internal/cage/probe"
)

// TestThreads lets a program have many threads, be interrupted by signals, and end
// while its threads run. It is repeated, for what threads do first is a matter of luck.
func TestThreads(t *testing.T) {
	t.Parallel()
	cage.Require(t)
	for range 6 {
		r := inside(t, cage.Command{Env: []string{"GOMAXPROCS=4"}}, "threads")
		if r.ExitCode != probe.Done || string(r.Stdout) != "done\n" || len(r.Violations) > 0 {
			t.Fatalf("the program ended with %d: %s%s%v", r.ExitCode, r.Stdout, r.Stderr, r.Violations)
		}
	}
}

// TestEnds shows the ways a program ends.
func TestEnds(t *testing.T) {
	t.Parallel()
	cage.Require(t)
	if r := inside(t, cage.Command{}, "crash"); r.ExitCode != -1 {
		t.Errorf("a program that a signal ended has the exit code %d", r.ExitCode)
	}
	if r := inside(t, cage.Command{}, "no such probe"); r.ExitCode != probe.Failed || !strings.Contains(string(r.Stderr), "no probe") {
		t.Errorf("the exit code is %d, the output %s", r.ExitCode, r.Stderr)
	}
	_, err := cage.Run(cage.Command{Path: self(t), Args: []string{probe.Flag, "forever"}, Timeout: 300 * time.Millisecond})
	if err == nil || !strings.Contains(err.Error(), "did not end") {
		t.Errorf("a program that does not end: %v", err)
	}
	if _, err := cage.Run(cage.Command{Path: "/no/such/program"}); err == nil || errors.Is(err, cage.ErrUnavailable) {
		t.Errorf("a program that is not there: %v", err)
	}
}

// TestInput shows what a program gets as its input and environment.
func TestInput(t *testing.T) {
	t.Parallel()
	cage.Require(t)
	for _, closed := range []bool{false, true} {
		r := inside(t, cage.Command{NoStdin: closed}, "input")
		if r.ExitCode != probe.Done || string(r.Stdout) != "done\n" {
			t.Errorf("closed %t: the program ended with %d: %s%s", closed, r.ExitCode, r.Stdout, r.Stderr)
		}
	}
	if r := inside(t, cage.Command{}, "environment"); string(r.Stdout) != "done\n" {
		t.Errorf("without an environment the program has one: %s", r.Stdout)
	}
	if r := inside(t, cage.Command{Env: []string{"A=b"}}, "environment"); string(r.Stdout) != "A=b\ndone\n" {
		t.Errorf("the environment is %s", r.Stdout)
	}
}

// TestUserAndMounts runs a probe as another user, and where a folder is read-only.
func TestUserAndMounts(t *testing.T) {
	t.Parallel()
	cage.Require(t)
	if os.Geteuid() != 0 {
		t.Skip("skipped: only root runs programs as other users and mounts folders")
	}
	dir := folder(t)
	budget := []string{dir + "/"}
	// The kernel, not the cage, refuses another user the file of root.
	r, err := cage.Run(cage.Command{
		Path: forAll(t, dir), Args: []string{probe.Flag, "write", filepath.Join(dir, "file")},
		Budget: budget, User: &cage.User{UID: 65534, GID: 65534},
	})
	if err != nil || r.ExitCode != probe.Refused || len(r.Violations) > 0 {
		t.Errorf("another user wrote root's file: %d %s%v %v", r.ExitCode, r.Stderr, r.Violations, err)
	}
	r = inside(t, cage.Command{Budget: budget, ReadOnly: []string{dir}}, "write", filepath.Join(dir, "file"))
	if r.ExitCode != probe.Failed || !strings.Contains(string(r.Stderr), "read-only file system") || len(r.Violations) > 0 {
		t.Errorf("writing into a read-only mount ended with %d: %s%v", r.ExitCode, r.Stderr, r.Violations)
	}
	if code, said := outside(t, "write", filepath.Join(dir, "file")); code != probe.Done {
		t.Errorf("the mount outlived the cage: %d %s", code, said)
	}
}

// forAll copies the probes to where any user can run them, and lets any user into dir.
func forAll(t *testing.T, dir string) string {
	t.Helper()
	path := filepath.Join(dir, "probes")
	// Not by this process: a program that starts while we hold the file open to write
	// would hold it as well, and then it cannot be run.
	if out, err := exec.Command("cp", self(t), path).CombinedOutput(); err != nil {
		t.Fatalf("copy the probes: %v: %s", err, out)
	}
	for dir != filepath.Clean(os.TempDir()) && dir != "/" {
		if err := os.Chmod(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		dir = filepath.Dir(dir)
	}
	return path
}
