package nexfile

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"terfyn/compiler/nexflow/discovery"
	"terfyn/compiler/nexflow/manifest"
)

func openRoot(t *testing.T, dir string) *Root {
	t.Helper()
	r, err := OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close() })
	return r
}

func put(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func link(t *testing.T, dir, target, name string) {
	t.Helper()
	if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
		t.Fatal(err)
	}
}

// within fails the test when do has not come back in a second.
func within(t *testing.T, do func()) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	done := make(chan struct{})
	go func() {
		defer close(done)
		do()
	}()
	select {
	case <-done:
	case <-ctx.Done():
		t.Fatal("still waiting after a second")
	}
}

// refusal reads a file and gives the reason why it is not read, "" when it is.
func refusal(t *testing.T, r *Root, name string, limit int64) manifest.Reason {
	t.Helper()
	var reason manifest.Reason
	within(t, func() {
		b, err := r.Read(name, limit)
		var refused *discovery.Refused
		switch {
		case err == nil:
		case !errors.As(err, &refused) || b != nil:
			t.Errorf("%s: bytes with an error, or another error: %v", name, err)
		default:
			reason = refused.Reason
		}
	})
	return reason
}

func TestRead(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	put(t, dir, "a.yaml", "text")
	put(t, dir, "b/c/d.yaml", "deep")
	put(t, dir, "empty.yaml", "")
	r := openRoot(t, dir)
	for name, want := range map[string]string{"a.yaml": "text", "b/c/d.yaml": "deep", "empty.yaml": ""} {
		b, err := r.Read(name, 4)
		if err != nil || string(b) != want {
			t.Errorf("%s: %q, %v", name, b, err)
		}
	}
	for name, want := range map[string]manifest.Reason{
		"none.yaml": manifest.ReasonUnreadable, "none/a.yaml": manifest.ReasonUnreadable, "a.yaml/x.yaml": manifest.ReasonNotRegular,
		"b": manifest.ReasonNotRegular, "b/c": manifest.ReasonNotRegular,
		"": manifest.ReasonUnreadable, ".": manifest.ReasonUnreadable, "..": manifest.ReasonUnreadable, "../a.yaml": manifest.ReasonUnreadable,
		"b/../a.yaml": manifest.ReasonUnreadable, "/etc/passwd": manifest.ReasonUnreadable, "./a.yaml": manifest.ReasonUnreadable, "a.yaml\x00": manifest.ReasonUnreadable,
	} {
		if got := refusal(t, r, name, 4); got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
	if got := refusal(t, r, "a.yaml", 3); got != manifest.ReasonSize {
		t.Errorf("four bytes within three: %q", got)
	}
}

func TestLook(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	put(t, dir, "a.yaml", "")
	put(t, dir, "folder/x", "")
	link(t, dir, "a.yaml", "link.yaml")
	link(t, dir, "nothing", "dangling.yaml")
	r := openRoot(t, dir)
	for name, want := range map[string]discovery.Entry{
		"a.yaml": discovery.Regular, "none": discovery.Absent, "folder": discovery.Other, "link.yaml": discovery.Other, "dangling.yaml": discovery.Other,
	} {
		if got, err := r.Look(name); got != want || err != nil {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Look("a.yaml"); err == nil {
		t.Error("a closed root was looked into")
	}
}

// TestLinksAreNotFollowed, wherever they lead and wherever they stand.
func TestLinksAreNotFollowed(t *testing.T) {
	t.Parallel()
	above := t.TempDir()
	dir := filepath.Join(above, "root")
	put(t, dir, "real/a.yaml", "inside")
	put(t, above, "a.yaml", "outside")
	link(t, dir, "real", "folder")
	link(t, dir, "real/a.yaml", "inside.yaml")
	link(t, dir, "../a.yaml", "outside.yaml")
	link(t, dir, above, "up")
	link(t, dir, "nothing", "dangling.yaml")
	link(t, dir, "loop.yaml", "loop.yaml")
	link(t, filepath.Join(dir, "real"), ".", "self")
	r := openRoot(t, dir)
	for _, name := range []string{"folder/a.yaml", "inside.yaml", "outside.yaml", "up/a.yaml", "dangling.yaml", "loop.yaml", "real/self/a.yaml", "folder", "folder/none.yaml"} {
		if got := refusal(t, r, name, 100); got != manifest.ReasonSymlink {
			t.Errorf("%s: got %q", name, got)
		}
	}
}

func TestOpenRoot(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	put(t, dir, "set/a.yaml", "text")
	put(t, dir, "file", "")
	link(t, dir, "set", "link")
	link(t, dir, "file", "link-to-file")
	for _, path := range []string{"set", "set/", "link", "link/", "./link/../set"} {
		r := openRoot(t, dir+string(filepath.Separator)+path)
		if b, err := r.Read("a.yaml", 10); err != nil || string(b) != "text" {
			t.Errorf("%s: %q, %v", path, b, err)
		}
	}
	for _, path := range []string{"", "https://example.org/set", "file://" + dir, filepath.Join(dir, "none"), filepath.Join(dir, "file"), filepath.Join(dir, "file") + "/", filepath.Join(dir, "link-to-file")} {
		if r, err := OpenRoot(path); err == nil {
			t.Errorf("%q was opened: %v", path, r.Close())
		}
	}
}

// TestRootIsResolvedOnce: another folder in the place of the root changes nothing.
func TestRootIsResolvedOnce(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	put(t, dir, "one/a.yaml", "one")
	put(t, dir, "two/a.yaml", "two")
	link(t, dir, "one", "root")
	r := openRoot(t, filepath.Join(dir, "root"))
	if err := os.Remove(filepath.Join(dir, "root")); err != nil {
		t.Fatal(err)
	}
	link(t, dir, "two", "root")
	if b, err := r.Read("a.yaml", 10); err != nil || string(b) != "one" {
		t.Errorf("%q, %v", b, err)
	}
}

// TestLargeFile has 100 MB of which nothing is read.
func TestLargeFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	put(t, dir, "large.yaml", "a: 1\n")
	if err := os.Truncate(filepath.Join(dir, "large.yaml"), 100<<20); err != nil {
		t.Fatal(err)
	}
	if got := refusal(t, openRoot(t, dir), "large.yaml", 1<<20); got != manifest.ReasonSize {
		t.Errorf("got %q", got)
	}
}

// endless is a file that goes on after its size.
type endless struct{ given int }

func (e *endless) Read(b []byte) (int, error) {
	e.given += len(b)
	return len(b), nil
}

func TestReadIsBounded(t *testing.T) {
	t.Parallel()
	e := &endless{}
	if _, err := readAll(e, 10, 100); err == nil || e.given > 101 {
		t.Errorf("%d bytes, %v", e.given, err)
	}
	for text, want := range map[string]manifest.Reason{"": manifest.ReasonUnreadable, "1234": manifest.ReasonUnreadable, "12345": "", "123456": manifest.ReasonUnreadable} {
		_, err := readAll(iotest.OneByteReader(strings.NewReader(text)), 5, 6)
		var reason manifest.Reason
		var refused *discovery.Refused
		if errors.As(err, &refused) {
			reason = refused.Reason
		}
		if reason != want || err != nil && reason == "" {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// replaced swaps what stands at a path for something else when the reader has come
// so far.
func replaced(t *testing.T, dir, at string, with func(path string)) func(string) {
	done := false
	return func(name string) {
		if name != at || done {
			return
		}
		done = true
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.Rename(path, path+".old"); err != nil {
			t.Error(err)
		}
		with(path)
	}
}

// TestSwaps exchanges a component between the look and the opening (case B06), and
// after the opening.
func TestSwaps(t *testing.T) {
	t.Parallel()
	file := func(text string) func(*testing.T, string, string) {
		return func(t *testing.T, _, path string) { put(t, filepath.Dir(path), filepath.Base(path), text) }
	}
	linked := func(target string) func(*testing.T, string, string) {
		return func(t *testing.T, _, path string) { link(t, filepath.Dir(path), target, filepath.Base(path)) }
	}
	for name, c := range map[string]struct {
		at     string
		after  bool
		with   func(t *testing.T, dir, path string)
		reason manifest.Reason
	}{
		"link out":              {"in/a.yaml", false, linked("../../secret/a.yaml"), manifest.ReasonUnreadable},
		"link inside":           {"in/a.yaml", false, linked("../other/a.yaml"), manifest.ReasonUnreadable},
		"link beside":           {"in/a.yaml", false, linked("b.yaml"), manifest.ReasonSymlink},
		"other file":            {"in/a.yaml", false, file("other"), manifest.ReasonSymlink},
		"same text":             {"in/a.yaml", false, file("right"), manifest.ReasonSymlink},
		"removed":               {"in/a.yaml", false, func(*testing.T, string, string) {}, manifest.ReasonUnreadable},
		"folder out":            {"in", false, linked("../secret"), manifest.ReasonUnreadable},
		"folder inside":         {"in", false, linked("other"), manifest.ReasonSymlink},
		"other folder":          {"in", false, func(t *testing.T, _, path string) { put(t, path, "a.yaml", "other") }, manifest.ReasonSymlink},
		"file for folder":       {"in", false, file("other"), manifest.ReasonUnreadable},
		"file after opening":    {"in/a.yaml", true, file("other"), ""},
		"link after opening":    {"in/a.yaml", true, linked("../../secret/a.yaml"), ""},
		"folder after entering": {"in", true, linked("../secret"), ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			above := t.TempDir()
			dir := filepath.Join(above, "root")
			put(t, dir, "in/a.yaml", "right")
			put(t, dir, "in/b.yaml", "other")
			put(t, dir, "other/a.yaml", "other")
			put(t, above, "secret/a.yaml", "secret")
			r := openRoot(t, dir)
			hook := replaced(t, dir, c.at, func(path string) { c.with(t, dir, path) })
			if r.looked = hook; c.after {
				r.looked, r.opened = nil, hook
			}
			b, err := r.Read("in/a.yaml", 100)
			var refused *discovery.Refused
			switch {
			case err == nil && string(b) != "right":
				t.Errorf("read %q", b)
			case err == nil && c.reason != "":
				t.Errorf("read, want %s", c.reason)
			case err != nil && (!errors.As(err, &refused) || refused.Reason != c.reason):
				t.Errorf("got %v, want %q", err, c.reason)
			}
		})
	}
}

// TestGrowthWhileReading appends between the look at the size and the reading.
func TestGrowthWhileReading(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a.yaml")
	if err := os.WriteFile(path, []byte("text and more"), 0o644); err != nil {
		t.Fatal(err)
	}
	for size, want := range map[int64]bool{4: false, 13: true, 20: false} {
		file, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		if b, err := readAll(file, size, 100); (err == nil) != want {
			t.Errorf("a file of 13 bytes that had %d: %q, %v", size, b, err)
		}
		if err := file.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
