//go:build unix

package cases

import (
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// TestSourcesThatAreNoFiles puts something else in the place of a document. The
// command must say so, and soon: opening a FIFO would wait for a writer.
func TestSourcesThatAreNoFiles(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		reason string
		put    func(t *testing.T, path string) error
	}{
		"fifo":   {"not-regular", func(_ *testing.T, path string) error { return syscall.Mkfifo(path, 0o644) }},
		"folder": {"not-regular", func(_ *testing.T, path string) error { return os.Mkdir(path, 0o755) }},
		"socket": {"not-regular", func(t *testing.T, path string) error {
			short, err := os.MkdirTemp("", "s")
			if err != nil {
				return err
			}
			t.Cleanup(func() { _ = os.RemoveAll(short) })
			l, err := net.Listen("unix", filepath.Join(short, "s"))
			if err != nil {
				return err
			}
			t.Cleanup(func() { _ = l.Close() })
			return os.Rename(filepath.Join(short, "s"), path)
		}},
		"absent": {"unreadable", func(*testing.T, string) error { return nil }},
		"link to a fifo": {"symlink", func(_ *testing.T, path string) error {
			return linkTo(path, "f", func(p string) error { return syscall.Mkfifo(p, 0o644) })
		}},
		"link to itself": {"symlink", func(_ *testing.T, path string) error { return os.Symlink(filepath.Base(path), path) }},
		"no permission": {"unreadable", func(t *testing.T, path string) error {
			if os.Geteuid() == 0 {
				return os.Symlink("/dev/null", path) // nothing is unreadable for root
			}
			return os.WriteFile(path, nil, 0)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := copySet(t, ownSets["T"])
			if err := os.Remove(w.at("tasks.yaml")); err != nil {
				t.Fatal(err)
			}
			if err := tc.put(t, w.at("tasks.yaml")); err != nil {
				t.Fatal(err)
			}
			began := time.Now()
			a := ask(t, []string{w.outer}, "validate", "--root", w.root)
			if took := time.Since(began); took > time.Second {
				t.Errorf("it took %s", took)
			}
			if a.exit != 1 || len(a.Diagnostics) != 1 {
				t.Fatalf("exit %d with %v", a.exit, a.findings())
			}
			d := a.Diagnostics[0]
			if d.Code != "NF-DISCOVERY-UNSAFE-SOURCE" || text(d.File) != "tasks.yaml" || d.Details == nil {
				t.Fatalf("got %+v", d)
			}
			if name != "no permission" && d.Details.Reason != tc.reason {
				t.Errorf("reason %s instead of %s", d.Details.Reason, tc.reason)
			}
		})
	}
}

// linkTo makes something beside path and lets path lead to it.
func linkTo(path, name string, put func(string) error) error {
	if err := put(filepath.Join(filepath.Dir(path), name)); err != nil {
		return err
	}
	return os.Symlink(name, path)
}

// TestRoots has roots that are none, and one that is reached through a link.
func TestRoots(t *testing.T) {
	t.Parallel()
	w := copySet(t, ownSets["T"])
	for name, root := range map[string]string{
		"missing": filepath.Join(w.outer, "nowhere"), "a file": w.at("tasks.yaml"), "a URL": "https://sets.example/team",
	} {
		for _, command := range []string{"discover", "validate", "inspect", "graph"} {
			a := ask(t, []string{w.outer, "sets.example"}, command, "--root", root)
			if a.exit != 1 || len(a.Diagnostics) != 1 {
				t.Fatalf("%s, %s: exit %d with %v", name, command, a.exit, a.findings())
			}
			if d := a.Diagnostics[0]; d.Code != "NF-DISCOVERY-UNSAFE-SOURCE" || text(d.File) != "<input>" || d.Details == nil || d.Details.Reason != "root" || a.Checks["discovery"] != "failed" {
				t.Errorf("%s, %s: %+v", name, command, d)
			}
		}
	}
	link := filepath.Join(w.outer, "link")
	if err := os.Symlink("set", link); err != nil {
		t.Fatal(err)
	}
	direct, through := ask(t, nil, "validate", "--root", w.root), ask(t, nil, "validate", "--root", link)
	if through.exit != 0 || direct.out != through.out {
		t.Errorf("through a link: %s", through.out)
	}
}

// TestOnlyChosenFilesAreOpened is that nothing is read but what is chosen: what
// nobody lists may even be a FIFO.
func TestOnlyChosenFilesAreOpened(t *testing.T) {
	t.Parallel()
	w := copySet(t, ownSets["T"])
	before := ask(t, nil, "validate", "--root", w.root)
	if err := syscall.Mkfifo(w.at("more.yaml"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(w.at("broken.yaml"), []byte("a: [\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if a := ask(t, nil, "validate", "--root", w.root); a.out != before.out {
		t.Errorf("got %s", a.out)
	}
}
