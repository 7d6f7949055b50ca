//go:build amd64 || arm64

package effectproof

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// snapshot describes all in the world: type, mode, size, time of the last change and
// digest of every file, by path. Times of access are not part of it.
func (w *world) snapshot(t testing.TB) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(w.base, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		line := fmt.Sprintf("%s %d bytes, changed %s", info.Mode(), info.Size(), info.ModTime())
		switch {
		case info.Mode().IsRegular():
			b, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			line += fmt.Sprintf(", %x", sha256.Sum256(b))
		case info.Mode()&fs.ModeSymlink != 0:
			target, err := os.Readlink(path)
			if err != nil {
				return err
			}
			line += ", to " + target
		}
		name, err := filepath.Rel(w.base, path)
		all[name] = line
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// unchanged fails when the world is not as it was, but for the paths below BASE.
func (w *world) unchanged(t testing.TB, before map[string]string, except ...string) {
	t.Helper()
	after := w.snapshot(t)
	for _, name := range except {
		delete(before, name)
		delete(after, name)
	}
	if diff := cmp.Diff(before, after); diff != "" {
		t.Errorf("the call changed files (-before +after):\n%s", diff)
	}
}
