//go:build amd64 || arm64

package effectproof

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"terfyn/internal/cage"
)

// prove runs a reading command in the cage and shows that it has no effect: it does
// nothing that is refused, it says the same as outside, nothing around it changes, and
// no canary is in what it says.
func (w *world) prove(t testing.TB, c command) cage.Result {
	t.Helper()
	before := w.snapshot(t)
	r := w.inside(t, c)
	w.unchanged(t, before)
	w.silent(t, c, r)
	want := w.expected(t, c.args)
	if got := said(r); got != want {
		t.Errorf("%s: in the cage\n%+v\nand outside\n%+v", c.args, got, want)
	}
	w.unchanged(t, before)
	return r
}

// silent fails for a refused call, a write without a budget, and a canary in what a
// command said.
func (w *world) silent(t testing.TB, c command, r cage.Result) {
	t.Helper()
	if len(r.Violations) > 0 {
		t.Errorf("%s: it tried to %v", c.args, r.Violations)
	}
	if c.budget == "" && len(r.Writes) > 0 {
		t.Errorf("%s: it wrote %v", c.args, r.Writes)
	}
	if text := string(r.Stdout) + string(r.Stderr); strings.Contains(text, canary) {
		t.Errorf("%s: a canary is in the output:\n%s", c.args, text)
	}
}

// TestProofFails shows that each part of the proof can fail.
func TestProofFails(t *testing.T) {
	t.Parallel()
	require(t)
	w := newWorld(t, supportReply)
	before := w.snapshot(t)
	for name, change := range map[string]func() error{
		"a new file":    func() error { return os.WriteFile(filepath.Join(w.home, "new"), nil, 0o600) },
		"other bytes":   func() error { return os.WriteFile(filepath.Join(w.parent, "neighbour.yaml"), []byte("x"), 0o600) },
		"another mode":  func() error { return os.Chmod(filepath.Join(w.root, "main.agent"), 0o600) },
		"a later time":  func() error { return os.Chtimes(filepath.Join(w.root, "main.agent"), time.Unix(1, 0), time.Unix(1, 0)) },
		"a lost folder": func() error { return os.RemoveAll(filepath.Join(w.root, "prompts")) },
	} {
		if err := change(); err != nil {
			t.Fatal(err)
		}
		failed := &witness{TB: t}
		w.unchanged(failed, before)
		if len(failed.said) == 0 {
			t.Errorf("%s goes unnoticed", name)
		}
		before = w.snapshot(t)
	}
	for name, r := range map[string]cage.Result{
		"a violation": {Violations: []cage.Violation{{Call: "socket"}}},
		"a write":     {Writes: []string{"/x"}},
		"a canary":    {Stderr: []byte("the key is " + canary + "-user")},
	} {
		failed := &witness{TB: t}
		w.silent(failed, command{}, r)
		if len(failed.said) == 0 {
			t.Errorf("%s goes unnoticed", name)
		}
	}
	if got := w.own([]string{w.root + "/a", w.root, "/etc/passwd", built.file(), "/usr/lib/libc.so.6", "/usr/lib/os-release"}); !slices.Equal(got, []string{".", "/etc/passwd", "/usr/lib/os-release", "a"}) {
		t.Errorf("own reads are %v", got)
	}
}

// witness is a test that keeps its complaints.
type witness struct {
	testing.TB
	said []string
}

func (w *witness) Helper() {}

func (w *witness) Errorf(format string, _ ...any) { w.said = append(w.said, format) }
