package rootfs_test

import (
	"errors"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"terfyn/compiler/internal/rootfs"
)

func TestRead(t *testing.T) {
	t.Parallel()
	link := func(to string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(to), Mode: fs.ModeSymlink} }
	fsys := fstest.MapFS{
		"a/b.md":    {Data: []byte("text")},
		"in":        link("a/b.md"),
		"dir":       link("a"),
		"up":        link("../secret"),
		"abs":       link("/etc/secret"),
		"loop":      link("loop"),
		"a/sibling": link("b.md"),
		"far/away":  link("../../x"),
		"pipe":      {Mode: fs.ModeNamedPipe},
		"socket":    {Mode: fs.ModeSocket},
		"disk":      {Mode: fs.ModeDevice},
		"to-pipe":   link("pipe"),
	}
	for _, name := range []string{"a/b.md", "in", "dir/b.md", "a/sibling", "a/../a/b.md"} {
		b, err := rootfs.Read(fsys, name)
		if err != nil || string(b) != "text" {
			t.Errorf("Read(%q) = %q, %v", name, b, err)
		}
	}
	for _, name := range []string{"up", "abs", "../x", "/a/b.md", `a\b.md`, "far/away"} {
		if _, err := rootfs.Read(fsys, name); !errors.Is(err, rootfs.ErrOutside) {
			t.Errorf("Read(%q): %v, want ErrOutside", name, err)
		}
	}
	if _, err := rootfs.Read(fsys, "a/\xff"); !errors.Is(err, rootfs.ErrName) {
		t.Errorf("a name that is no UTF-8: %v", err)
	}
	if _, err := rootfs.Read(fsys, "none"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
	// Reading one of these could wait for ever, or act.
	for _, name := range []string{"pipe", "socket", "disk", "to-pipe", "a"} {
		if _, err := rootfs.Read(fsys, name); err == nil || !strings.Contains(err.Error(), "only regular files are read") {
			t.Errorf("Read(%q): %v", name, err)
		}
	}
	if _, err := rootfs.Read(fsys, "loop"); err == nil {
		t.Error("a link to itself must be an error")
	}
}
