package cases

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"terfyn/cmd/internal/cli"
)

// asCommand is the variable that makes the test binary the command itself, so that a
// test can run it elsewhere.
const asCommand = "TERFYN_TEST_AS_COMMAND"

func TestMain(m *testing.M) {
	if os.Getenv(asCommand) != "" {
		os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

// elsewhere runs a command in a process of its own.
func elsewhere(t *testing.T, dir string, env []string, args ...string) (out []byte, exit int) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], append([]string{"nexflow"}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(append(os.Environ(), asCommand+"=1"), env...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	var failed *exec.ExitError
	if err != nil && !errors.As(err, &failed) {
		t.Fatal(err)
	}
	if stderr.Len() > 0 {
		t.Errorf("stderr says %q", stderr.String())
	}
	return stdout.Bytes(), cmd.ProcessState.ExitCode()
}

// same runs all reading commands on a set a number of times in one process, and then
// in processes with other folders, time zones, languages and paths.
func same(t *testing.T, from string, times int) {
	for _, command := range []string{"discover", "validate", "inspect", "graph"} {
		w := copySet(t, from)
		first := ask(t, []string{w.outer}, command, "--root", w.root)
		for i := range times - 1 {
			if a := call(command, "--root", w.root, "--format", "json"); a.out != first.out || a.exit != first.exit {
				t.Fatalf("%s: run %d differs:\n%s\n%s", command, i+2, first.out, a.out)
			}
		}
		other := copySet(t, from)
		for i, place := range []struct {
			dir, root string
			env       []string
		}{
			{w.outer, "set", []string{"TZ=Pacific/Chatham", "LANG=tr_TR.UTF-8", "LC_ALL=tr_TR.UTF-8"}},
			{w.root, ".", []string{"TZ=UTC", "LANG=C"}},
			{t.TempDir(), other.root, []string{"HOME=" + filepath.Join(w.outer, "none"), "TERFYN_PROJECT=x", "NO_COLOR=1"}},
		} {
			out, exit := elsewhere(t, place.dir, place.env, command, "--root", place.root, "--format", "json")
			if string(out) != first.out || exit != first.exit {
				t.Errorf("%s, place %d: exit %d:\n%s\ninstead of\n%s", command, i, exit, out, first.out)
			}
		}
	}
}

func TestSameBytes(t *testing.T) {
	t.Parallel()
	for letter, dir := range ownSets {
		t.Run(letter, func(t *testing.T) { t.Parallel(); same(t, dir, 5) })
	}
}

// TestSharedT01 is the row T01.
func TestSharedT01(t *testing.T) {
	t.Parallel()
	for _, letter := range []string{"M", "S"} {
		from := sample(t, letter)
		t.Run(letter, func(t *testing.T) { t.Parallel(); same(t, from, 20) })
	}
}

// TestClosedOutput writes to an output that is closed, which is no success.
func TestClosedOutput(t *testing.T) {
	t.Parallel()
	w := copySet(t, ownSets["T"])
	var errs bytes.Buffer
	exit := cli.Main([]string{"nexflow", "validate", "--root", w.root, "--format", "json"}, bytes.NewReader(nil), closed{}, &errs)
	if exit != 4 {
		t.Errorf("exit %d, stderr %q", exit, errs.String())
	}
}

type closed struct{}

func (closed) Write([]byte) (int, error) { return 0, fmt.Errorf("write: %w", os.ErrClosed) }
