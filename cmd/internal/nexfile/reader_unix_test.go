//go:build unix

package nexfile

import (
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"terfyn/compiler/nexflow/manifest"
)

func pipe(t *testing.T, path string) {
	t.Helper()
	if err := syscall.Mkfifo(path, 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestHostileFiles: whatever stands at a path, the answer comes at once.
func TestHostileFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	put(t, dir, "folder/x", "")
	pipe(t, filepath.Join(dir, "pipe.yaml"))
	socket, err := net.Listen("unix", filepath.Join(dir, "socket.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = socket.Close() })
	for target, name := range map[string]string{"folder": "to-folder.yaml", "pipe.yaml": "to-pipe.yaml", "socket.yaml": "to-socket.yaml", "/dev/zero": "to-device.yaml"} {
		link(t, dir, target, name)
	}
	r := openRoot(t, dir)
	for name, want := range map[string]manifest.Reason{
		"folder": manifest.ReasonNotRegular, "pipe.yaml": manifest.ReasonNotRegular, "socket.yaml": manifest.ReasonNotRegular,
		"pipe.yaml/a.yaml": manifest.ReasonNotRegular, "socket.yaml/a.yaml": manifest.ReasonNotRegular,
		"to-folder.yaml": manifest.ReasonSymlink, "to-pipe.yaml": manifest.ReasonSymlink, "to-socket.yaml": manifest.ReasonSymlink,
		"to-device.yaml": manifest.ReasonSymlink, "to-folder.yaml/x": manifest.ReasonSymlink,
	} {
		if got := refusal(t, r, name, 1<<20); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
	within(t, func() {
		for _, name := range []string{"pipe.yaml", "to-pipe.yaml", "socket.yaml"} {
			if r, err := OpenRoot(filepath.Join(dir, name)); err == nil {
				t.Errorf("%s was opened as a root: %v", name, r.Close())
			}
		}
	})
}

// TestDevice makes /dev/zero in the root, which only the superuser may.
func TestDevice(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	const zero = 1<<8 | 5 // major and minor number on Linux
	if err := syscall.Mknod(filepath.Join(dir, "device.yaml"), syscall.S_IFCHR|0o644, zero); err != nil {
		t.Skipf("making a device takes privileges that are missing here: %v", err)
	}
	if got := refusal(t, openRoot(t, dir), "device.yaml", 1<<20); got != manifest.ReasonNotRegular {
		t.Errorf("got %q", got)
	}
}

func TestUnreadable(t *testing.T) {
	t.Parallel()
	if os.Geteuid() == 0 {
		t.Skip("an ordinary user is missing here: the superuser may read every file")
	}
	dir := t.TempDir()
	put(t, dir, "a.yaml", "text")
	put(t, dir, "folder/a.yaml", "text")
	for _, name := range []string{"a.yaml", "folder"} {
		path := filepath.Join(dir, name)
		if err := os.Chmod(path, 0); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = os.Chmod(path, 0o755) })
	}
	r := openRoot(t, dir)
	for _, name := range []string{"a.yaml", "folder/a.yaml"} {
		if got := refusal(t, r, name, 100); got != manifest.ReasonUnreadable {
			t.Errorf("%s: got %q", name, got)
		}
	}
}

// TestSwapForPipe: the opening of what was a file a moment ago does not wait.
func TestSwapForPipe(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	put(t, dir, "a.yaml", "text")
	r := openRoot(t, dir)
	r.looked = replaced(t, dir, "a.yaml", func(path string) { pipe(t, path) })
	if got := refusal(t, r, "a.yaml", 100); got != manifest.ReasonNotRegular {
		t.Errorf("got %q", got)
	}
}
