package fileset_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"terfyn/cmd/internal/fileset"
)

var errBroken = errors.New("the disk is full")

// failing fails at the step with a number and counts the steps.
type failing struct {
	fileset.OS
	at, done int
}

func (f *failing) step() error {
	f.done++
	if f.done == f.at {
		return errBroken
	}
	return nil
}

func (f *failing) MkdirAll(name string) error {
	if err := f.step(); err != nil {
		return err
	}
	return f.OS.MkdirAll(name)
}

func (f *failing) WriteFile(name string, b []byte) error {
	if err := f.step(); err != nil {
		return errors.Join(err, f.OS.WriteFile(name, b[:len(b)/2])) // half of it got there
	}
	return f.OS.WriteFile(name, b)
}

func (f *failing) Rename(from, to string) error {
	if err := f.step(); err != nil {
		return err
	}
	return f.OS.Rename(from, to)
}

func (f *failing) MkdirTemp(dir, pattern string) (string, error) {
	if err := f.step(); err != nil {
		return "", err
	}
	return f.OS.MkdirTemp(dir, pattern)
}

func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(name)
		rel, _ := filepath.Rel(dir, name)
		out[filepath.ToSlash(rel)] = string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func bytesOf(in map[string]string) map[string][]byte {
	out := map[string][]byte{}
	for name, s := range in {
		out[name] = []byte(s)
	}
	return out
}

var (
	first  = map[string]string{"project.agent": "one", "schemas/A.json": "A", "schemas/B.json": "B"}
	second = map[string]string{"project.agent": "two", "schemas/B.json": "B", "schemas/C.json": "C", "mocks/m.yaml": "m"}
)

func TestReplace(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "deep", "out")
	if err := fileset.Replace(fileset.OS{}, dir, bytesOf(first), nil); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "notes.md"), []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := fileset.Replace(fileset.OS{}, dir, bytesOf(second), []string{"project.agent", "schemas/A.json", "schemas/B.json", "gone"}); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"notes.md": "mine"}
	for name, s := range second {
		want[name] = s
	}
	if diff := cmp.Diff(want, tree(t, dir)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if err := fileset.Replace(fileset.OS{}, dir, bytesOf(map[string]string{"project.agent": "three"}), []string{"schemas/B.json", "schemas/C.json", "mocks/m.yaml"}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "schemas")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the empty folder stays: %v", err)
	}
}

// TestBehaviour240OldFilesStayWhenAnyStepFails fails every step in turn.
func TestBehaviour240OldFilesStayWhenAnyStepFails(t *testing.T) {
	t.Parallel()
	stale := []string{"project.agent", "schemas/A.json", "schemas/B.json"}
	for at := 1; ; at++ {
		dir := t.TempDir()
		if err := fileset.Replace(fileset.OS{}, dir, bytesOf(first), nil); err != nil {
			t.Fatal(err)
		}
		disk := &failing{at: at}
		err := fileset.Replace(disk, dir, bytesOf(second), stale)
		if disk.done < at {
			if err != nil || at < 10 {
				t.Fatalf("after %d steps: %v", disk.done, err)
			}
			return
		}
		if !errors.Is(err, errBroken) {
			t.Fatalf("step %d: %v", at, err)
		}
		if diff := cmp.Diff(first, tree(t, dir)); diff != "" {
			t.Fatalf("step %d (-want +got):\n%s", at, diff)
		}
	}
}

func TestNothingOutside(t *testing.T) {
	t.Parallel()
	dir, other := t.TempDir(), t.TempDir()
	if err := os.Symlink(other, filepath.Join(dir, "schemas")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"../x", "/x", ".", "", "a/../../x", "schemas/x.json"} {
		if err := fileset.Replace(fileset.OS{}, dir, map[string][]byte{name: []byte("x")}, nil); err == nil {
			t.Errorf("%q was written", name)
		}
		if err := fileset.Replace(fileset.OS{}, dir, nil, []string{name}); err == nil {
			t.Errorf("%q was removed", name)
		}
	}
	if len(tree(t, other)) > 0 {
		t.Error("something was written outside")
	}
}
