package nexfile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"testing"

	"terfyn/compiler/nexflow/starter"
)

var documents = starter.Compose("my-project", "My Project")

func openFolder(t *testing.T, dir string) *Folder {
	t.Helper()
	f, err := OpenFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	return f
}

func planned(f *Folder) starter.Plan {
	var found []starter.Found
	for _, d := range documents {
		found = append(found, f.Look(d))
	}
	return starter.NewPlan(documents, found)
}

func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return out
}

func whole(t *testing.T, dir string) {
	t.Helper()
	for _, d := range documents {
		path := filepath.Join(dir, d.Name)
		b, err := os.ReadFile(path)
		if err != nil || !bytes.Equal(b, d.Text) {
			t.Errorf("%s: %v\n%s", d.Name, err, b)
		}
		if info, err := os.Lstat(path); err != nil || info.Mode() != 0o644 && runtime.GOOS != "windows" {
			t.Errorf("%s: %v %v", d.Name, info.Mode(), err)
		}
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestCreateAndSkip(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "keep.txt"), "kept")
	f := openFolder(t, dir)
	if err := f.Create(planned(f)); err != nil {
		t.Fatal(err)
	}
	whole(t, dir)
	if got := names(t, dir); !slices.Equal(got, []string{"actors.yaml", "agents.yaml", "keep.txt", "project.yaml"}) {
		t.Errorf("%v", got)
	}
	p := planned(f)
	if len(p.Keep) != 3 || len(p.Create) != 0 {
		t.Errorf("%+v", p)
	}
	if err := f.Create(p); err != nil {
		t.Error(err)
	}
	if err := os.Remove(filepath.Join(dir, "agents.yaml")); err != nil {
		t.Fatal(err)
	}
	if p := planned(f); len(p.Keep) != 2 || f.Create(p) != nil {
		t.Errorf("%+v", p)
	}
	whole(t, dir)
}

// TestWhatIsNoIdenticalFile: whatever else lies at the place of a document.
func TestWhatIsNoIdenticalFile(t *testing.T) {
	t.Parallel()
	d := documents[0]
	for name, put := range map[string]func(path string) error{
		"other bytes, same length": func(p string) error { return os.WriteFile(p, bytes.Repeat([]byte{'x'}, len(d.Text)), 0o600) },
		"longer":                   func(p string) error { return os.WriteFile(p, append(slices.Clone(d.Text), '\n'), 0o600) },
		"empty":                    func(p string) error { return os.WriteFile(p, nil, 0o600) },
		"folder":                   func(p string) error { return os.Mkdir(p, 0o700) },
		"link to an identical file": func(p string) error {
			if err := os.WriteFile(p+".real", d.Text, 0o600); err != nil {
				return err
			}
			return os.Symlink(filepath.Base(p)+".real", p)
		},
		"link to nothing": func(p string) error { return os.Symlink("nowhere", p) },
	} {
		dir := t.TempDir()
		if err := put(filepath.Join(dir, d.Name)); err != nil {
			t.Fatal(err)
		}
		f := openFolder(t, dir)
		before := names(t, dir)
		p := planned(f)
		if !slices.Equal(p.Conflicts, []string{d.Name}) || len(p.Create) > 0 {
			t.Errorf("%s: %+v", name, p)
		}
		if got := names(t, dir); !slices.Equal(got, before) {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestDestinationsThatAreNoFolder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "file"), "x")
	if err := os.Mkdir(filepath.Join(dir, "real"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("real", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	before := names(t, dir)
	for _, name := range []string{"missing", "missing/below", "file", "file/below", "link", "link/", "link//", "link/.", "https://host.invalid/x"} {
		f, err := OpenFolder(dir + "/" + name)
		if err == nil {
			t.Errorf("%s opens", name)
			_ = f.Close()
		}
	}
	if got := names(t, dir); !slices.Equal(got, before) || len(names(t, filepath.Join(dir, "real"))) > 0 {
		t.Errorf("%v", got)
	}
}

// TestAFileAppears: what lies there stays, what this call made goes.
func TestAFileAppears(t *testing.T) {
	t.Parallel()
	for i, d := range documents {
		dir := t.TempDir()
		f := openFolder(t, dir)
		p := planned(f)
		write(t, filepath.Join(dir, d.Name), "theirs")
		if err := f.Create(p); !errors.Is(err, starter.ErrAppeared) {
			t.Errorf("%d: %v", i, err)
		}
		if got := names(t, dir); !slices.Equal(got, []string{d.Name}) {
			t.Errorf("%d: %v", i, got)
		}
	}
}

// TestAKeptFileGoes: a set that lacks a document is not told to be there.
func TestAKeptFileGoes(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	f := openFolder(t, dir)
	write(t, filepath.Join(dir, documents[0].Name), string(documents[0].Text))
	p := planned(f)
	if err := os.Remove(filepath.Join(dir, documents[0].Name)); err != nil {
		t.Fatal(err)
	}
	if err := f.Create(p); !errors.Is(err, starter.ErrAppeared) {
		t.Error(err)
	}
	if got := names(t, dir); len(got) > 0 {
		t.Errorf("%v", got)
	}
}

func TestAFailingWriteLeavesNothing(t *testing.T) {
	t.Parallel()
	full := errors.New("no space")
	for failing := range documents {
		dir := t.TempDir()
		f := openFolder(t, dir)
		n := 0
		f.write = func(w io.Writer, text []byte) error {
			if n++; n <= failing {
				return writeAll(w, text)
			}
			_, _ = w.Write(text[:3])
			return full
		}
		if err := f.Create(planned(f)); !errors.Is(err, full) {
			t.Error(err)
		}
		if got := names(t, dir); len(got) > 0 {
			t.Errorf("%v", got)
		}
	}
}

// TestUndoLeavesWhatIsNotOurs: a file that took the place of one of ours stays.
func TestUndoLeavesWhatIsNotOurs(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	f := openFolder(t, dir)
	path := filepath.Join(dir, documents[0].Name)
	f.write = func(io.Writer, []byte) error {
		write(t, path+".new", "theirs")
		return errors.Join(errors.New("no space"), os.Rename(path+".new", path))
	}
	if f.Create(planned(f)) == nil {
		t.Error("it succeeds")
	}
	if got := names(t, dir); !slices.Equal(got, []string{documents[0].Name}) {
		t.Errorf("%v", got)
	}
	if b, err := os.ReadFile(path); string(b) != "theirs" {
		t.Errorf("%s %v", b, err)
	}
}

func TestReadOnlyFolder(t *testing.T) {
	t.Parallel()
	if os.Geteuid() == 0 {
		t.Skip("this user may write everywhere: a folder without write permission needs another one")
	}
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o500); err != nil {
		t.Fatal(err)
	}
	f := openFolder(t, dir)
	if err := f.Create(planned(f)); !errors.Is(err, starter.ErrNotWritable) {
		t.Error(err)
	}
	if got := names(t, dir); len(got) > 0 {
		t.Errorf("%v", got)
	}
}

// TestConcurrentCalls: however calls meet, one whole set lies there at the end, and
// whoever says so is right.
func TestConcurrentCalls(t *testing.T) {
	t.Parallel()
	const rounds, callers = 40, 16
	for round := range rounds {
		dir := t.TempDir()
		if round%3 == 1 {
			write(t, filepath.Join(dir, documents[1].Name), string(documents[1].Text))
			if err := os.Chmod(filepath.Join(dir, documents[1].Name), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		done := make([]error, callers)
		var start, wait sync.WaitGroup
		start.Add(1)
		for i := range callers {
			wait.Go(func() {
				f, err := OpenFolder(dir)
				if err != nil {
					done[i] = err
					return
				}
				start.Wait()
				if p := planned(f); len(p.Conflicts) > 0 {
					err = fmt.Errorf("%w: %v", starter.ErrAppeared, p.Conflicts)
				} else {
					err = f.Create(p)
				}
				done[i] = errors.Join(err, f.Close())
			})
		}
		start.Done()
		wait.Wait()
		succeeded := 0
		for _, err := range done {
			if err == nil {
				succeeded++
			} else if !errors.Is(err, starter.ErrAppeared) {
				t.Error(err)
			}
		}
		if succeeded == 0 {
			t.Error("no call succeeded")
		}
		whole(t, dir)
		if got := names(t, dir); len(got) != len(documents) {
			t.Errorf("%v", got)
		}
	}
}
