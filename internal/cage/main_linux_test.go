//go:build amd64 || arm64

package cage_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"terfyn/internal/cage"
	"terfyn/internal/cage/probe"
)

func TestMain(m *testing.M) {
	probe.Main()
	os.Exit(m.Run())
}

// self is the executable of this test, which is also that of the probes.
func self(t *testing.T) string {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// outside runs a probe without a cage and returns its exit code and what it said.
func outside(t *testing.T, args ...string) (int, string) {
	t.Helper()
	cmd := exec.Command(self(t), append([]string{probe.Flag}, args...)...)
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), string(out)
}

// inside runs a probe in the cage.
func inside(t *testing.T, c cage.Command, args ...string) cage.Result {
	t.Helper()
	c.Path, c.Args = self(t), append([]string{probe.Flag}, args...)
	r, err := cage.Run(c)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// folder has the files that probes act on: file, other, and link, which leads to file.
func folder(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"file", "other"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(name), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("file", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	return dir
}

// in puts dir before the arguments that begin with a slash.
func in(dir string, args []string) []string {
	var out []string
	for _, a := range args {
		if strings.HasPrefix(a, "/") {
			a = dir + a
		}
		out = append(out, a)
	}
	return out
}
