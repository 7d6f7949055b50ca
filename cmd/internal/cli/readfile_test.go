package cli

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"terfyn/planner"
)

func TestReadFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	name := filepath.Join(dir, "f")
	if err := os.WriteFile(name, []byte("12345"), 0o600); err != nil {
		t.Fatal(err)
	}
	if b, err := readFile(name, 5); err != nil || string(b) != "12345" {
		t.Errorf("a file of the size that is allowed: %q, %v", b, err)
	}
	if _, err := readFile(name, 4); err == nil || !strings.Contains(err.Error(), "larger than 4 bytes") {
		t.Errorf("a file that is too large: %v", err)
	}
	if _, err := readFile(dir, 5); err == nil || !strings.Contains(err.Error(), "no regular file") {
		t.Errorf("a folder: %v", err)
	}
	if _, err := readFile(filepath.Join(dir, "none"), 5); !errors.Is(err, os.ErrNotExist) || strings.Contains(err.Error(), dir) {
		t.Errorf("no file: %v", err)
	}
}

// TestReadStdin: what is sent without end is cut, and what sends nothing does not
// keep a command that was told to end.
func TestReadStdin(t *testing.T) {
	t.Parallel()
	r, w := io.Pipe()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := readStdin(ctx, r, 5); !errors.Is(err, context.Canceled) {
		t.Errorf("a read that nobody answers: %v", err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := readStdin(t.Context(), strings.NewReader("123456"), 5); err == nil || !strings.Contains(err.Error(), "larger than 5 bytes") {
		t.Errorf("too much: %v", err)
	}
}

// TestSavePlan: a plan replaces an older one in one step and is for its owner alone.
func TestSavePlan(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	name := filepath.Join(dir, "p.plan")
	if err := os.WriteFile(name, []byte(`{"formatVersion":1,"fileDigest":"x"}`), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := savePlan(name, planner.Plan{}); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(name)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode is %v, %v", info.Mode(), err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
		t.Errorf("the folder holds %v, %v", left, err)
	}
	if err := savePlan(filepath.Join(dir, "none", "p.plan"), planner.Plan{}); codeOf(err) != ExitFailure {
		t.Errorf("a folder that is not there: %v", err)
	}
}
