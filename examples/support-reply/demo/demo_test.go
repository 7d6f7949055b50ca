package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// executables builds what the demonstration runs and returns its folder.
func executables(t *testing.T) string {
	t.Helper()
	server := os.Getenv("TERFYN_DEVSERVER")
	if server == "" {
		if strings.Contains(os.Getenv("TERFYN_REQUIRE"), "devserver") {
			t.Fatal("TERFYN_DEVSERVER names no Temporal server, and TERFYN_REQUIRE asks for one")
		}
		t.Skip("TERFYN_DEVSERVER names no Temporal server; make test builds one")
	}
	bin := t.TempDir()
	for name, pkg := range map[string]string{"terfyn": "terfyn/cmd/terfyn", "mailsink": "terfyn/examples/support-reply/mailsink"} {
		if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", filepath.Join(bin, name), pkg).CombinedOutput(); err != nil {
			t.Fatalf("build %s: %v\n%s", pkg, err, out)
		}
	}
	if err := os.Symlink(server, filepath.Join(bin, "terfyn-devserver")); err != nil {
		t.Fatal(err)
	}
	return bin
}

func TestDemonstration(t *testing.T) {
	bin := executables(t)
	for _, c := range []struct {
		name, tells string
		lose        int
	}{
		{"answered", "exactly one mail, mail-1, to robin@customer.example", 0},
		{"answer lost", "its answer was lost, so the run looked it up", 1},
	} {
		var out bytes.Buffer
		if err := demonstrate(t.Context(), bin, "..", c.lose, &out); err != nil {
			t.Fatalf("%s: %v\n%s", c.name, err, &out)
		}
		if !strings.Contains(out.String(), c.tells) {
			t.Errorf("%s: the story does not tell %q:\n%s", c.name, c.tells, &out)
		}
		checkExcerpt(t, out.String())
	}
}

var varying = regexp.MustCompile(`(apr-|sha256:)[0-9a-f]+`)

// checkExcerpt looks for the lines of the README's demo block, in their order.
func checkExcerpt(t *testing.T, story string) {
	t.Helper()
	readme, err := os.ReadFile("../../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(readme), "```demo\n")
	excerpt, _, ended := strings.Cut(rest, "```\n")
	if !found || !ended {
		t.Fatal("the README has no demo block")
	}
	story = varying.ReplaceAllString(story, "$1…")
	for line := range strings.Lines(excerpt) {
		if line == "…\n" {
			continue
		}
		_, after, ok := strings.Cut(story, line)
		if !ok {
			t.Fatalf("the demonstration does not print this line of the README, or not there:\n%s", line)
		}
		story = after
	}
}

func TestCopyLeavesProgramsOut(t *testing.T) {
	t.Parallel()
	to := filepath.Join(t.TempDir(), "support-reply")
	if err := copyProject(to, "..", "http://127.0.0.1:1"); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(filepath.Join(to, "tools.agent"))
	if err != nil || !strings.Contains(string(b), `baseUrl "http://127.0.0.1:1"`) {
		t.Errorf("tools.agent: %v\n%s", err, b)
	}
	if _, err := os.Stat(filepath.Join(to, "mailsink")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the copy holds programs: %v", err)
	}
	if err := copyProject(filepath.Join(t.TempDir(), "again"), to, "http://127.0.0.1:2"); err == nil || !strings.Contains(err.Error(), "0 times") {
		t.Errorf("a project without the line: %v", err)
	}
}

func TestAwaitingEnds(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := until(ctx, "it rains", func() (bool, error) { return false, nil }); !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "it rains") {
		t.Errorf("cancelled: %v", err)
	}
}

// TestMissingExecutable: the demonstration says what it could not start.
func TestMissingExecutable(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	err := demonstrate(t.Context(), t.TempDir(), "..", 0, &out)
	if err == nil || !strings.Contains(err.Error(), "start mailsink") {
		t.Errorf("without executables: %v", err)
	}
	if _, dir, ok := strings.Cut(err.Error(), "files are in "); ok {
		_ = os.RemoveAll(dir)
	}
}
