//go:build unix

package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"terfyn/store/storetest/pgserver"
)

// TestMain lets this binary stand in for the command itself.
func TestMain(m *testing.M) {
	if os.Getenv("PGCLUSTER_UNDER_TEST") != "" {
		os.Exit(run(os.Args[1:], os.Stderr))
	}
	os.Exit(m.Run())
}

func self(env []string, args ...string) *exec.Cmd {
	c := exec.Command(os.Args[0], args...)
	c.Env = append(os.Environ(), "PGCLUSTER_UNDER_TEST=1")
	c.Env = append(c.Env, env...)
	return c
}

func exitOf(t *testing.T, c *exec.Cmd) (int, string) {
	t.Helper()
	out, err := c.CombinedOutput()
	if c.ProcessState == nil {
		t.Fatal(err)
	}
	return c.ProcessState.ExitCode(), string(out)
}

func needBinaries(t *testing.T) {
	t.Helper()
	if _, err := pgserver.Find(); err != nil && !strings.Contains(os.Getenv("TERFYN_REQUIRE"), "postgres") {
		t.Skipf("PostgreSQL is missing: %v", err)
	}
}

func TestExitCodeAndCleanUp(t *testing.T) {
	t.Parallel()
	needBinaries(t)
	tmp, err := os.MkdirTemp("", "pgc")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(tmp)
	if err := os.Chmod(tmp, 0o755); err != nil {
		t.Fatal(err)
	}
	code, out := exitOf(t, self([]string{variable + "=", "TMPDIR=" + tmp}, "--", "sh", "-c", `ls "$TMPDIR"; echo "at $TERFYN_TEST_POSTGRES"; exit 7`))
	if code != 7 || !strings.Contains(out, "at postgres://") || !strings.Contains(out, "terfyn-pg-") {
		t.Fatalf("exit %d:\n%s", code, out)
	}
	if left, err := os.ReadDir(tmp); err != nil || len(left) != 0 {
		t.Fatalf("left behind: %v, %v", left, err)
	}
}

func TestGivenServerIsUsed(t *testing.T) {
	t.Parallel()
	code, out := exitOf(t, self([]string{variable + "=postgres://given/db"}, "sh", "-c", `echo "at $TERFYN_TEST_POSTGRES"; exit 3`))
	if code != 3 || out != "at postgres://given/db\n" {
		t.Fatalf("exit %d:\n%s", code, out)
	}
}

func TestUsage(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{nil, {"--"}} {
		var stderr bytes.Buffer
		if code := run(args, &stderr); code != exitUsage || !strings.Contains(stderr.String(), "usage") {
			t.Errorf("run(%q) = %d, %s", args, code, &stderr)
		}
	}
	code, out := exitOf(t, self([]string{variable + "=postgres://given/db"}, "--", "/does/not/exist"))
	if code != exitFailed || !strings.Contains(out, "/does/not/exist") {
		t.Errorf("a missing command: exit %d, %s", code, out)
	}
}

// A signal reaches the command, and all it started, once.
func TestSignalsArePassedOn(t *testing.T) {
	t.Parallel()
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		c := self([]string{variable + "=postgres://given/db"}, "sh", "-c",
			`trap 'echo got; exit 9' INT TERM; echo ready; while :; do read -r line < "$0" || :; done`, fifo(t))
		stdout, err := c.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		buf := make([]byte, 64)
		n, err := stdout.Read(buf)
		if err != nil || string(buf[:n]) != "ready\n" {
			t.Fatalf("%q, %v", buf[:n], err)
		}
		if err := c.Process.Signal(sig); err != nil {
			t.Fatal(err)
		}
		n, _ = stdout.Read(buf)
		_ = c.Wait() // the code is looked at below
		if code := c.ProcessState.ExitCode(); code != 9 || string(buf[:n]) != "got\n" {
			t.Errorf("%v: exit %d, said %q", sig, code, buf[:n])
		}
	}
}

// fifo is a pipe nobody writes to; opening it blocks until a signal comes.
func fifo(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "fifo")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestSignalledCommand(t *testing.T) {
	t.Parallel()
	code, _ := exitOf(t, self([]string{variable + "=postgres://given/db"}, "sh", "-c", `kill -KILL $$`))
	if code != exitSignalled+int(syscall.SIGKILL) {
		t.Fatalf("exit %d", code)
	}
}

// The package lists are refreshed only when the package is not known.
func TestInstall(t *testing.T) {
	if os.Geteuid() != 0 {
		if err := install(context.Background(), os.Stderr); err == nil {
			t.Fatal("an ordinary user may install")
		}
		return
	}
	dir := t.TempDir()
	log := filepath.Join(dir, "log")
	script := "#!/bin/sh\necho \"$DEBIAN_FRONTEND $*\" >> " + log + "\n[ \"$1\" = update ] && touch " + dir + "/known\n[ -e " + dir + "/known ]\n"
	if err := os.WriteFile(filepath.Join(dir, "apt-get"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+":/usr/bin:/bin")
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	for range 2 {
		if err := install(ctx, os.Stderr); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(log)
	line := "noninteractive install -y postgresql\n"
	if want := line + "noninteractive update\n" + line + line; err != nil || string(got) != want {
		t.Fatalf("ran %q, %v", got, err)
	}
	t.Setenv("PATH", "/nowhere")
	if err := install(ctx, os.Stderr); err == nil {
		t.Fatal("installed without apt-get")
	}
}
