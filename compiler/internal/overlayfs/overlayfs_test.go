package overlayfs_test

import (
	"io/fs"
	"testing"
	"testing/fstest"

	"terfyn/compiler/internal/overlayfs"
)

func TestFileSystem(t *testing.T) {
	t.Parallel()
	files := map[string][]byte{"a.agent": []byte("new"), "schemas/T.json": []byte("{}"), "x/y/z": []byte("deep")}
	if err := fstest.TestFS(overlayfs.New(nil, files), "a.agent", "schemas/T.json", "x/y/z"); err != nil {
		t.Error(err)
	}
	base := fstest.MapFS{
		"a.agent": {Data: []byte("old")}, "project.yaml": {Data: []byte("kind: Project")},
		"schemas/Old.json": {Data: []byte("true")}, "link": {Data: []byte("a.agent"), Mode: fs.ModeSymlink},
	}
	files["project.yaml"] = nil
	over := overlayfs.New(base, files)
	if err := fstest.TestFS(over, "a.agent", "schemas/Old.json", "schemas/T.json", "x/y/z"); err != nil {
		t.Error(err)
	}
	if b, err := fs.ReadFile(over, "a.agent"); err != nil || string(b) != "new" {
		t.Errorf("a.agent = %q, %v; the file on top must win", b, err)
	}
	if _, err := fs.Stat(over, "project.yaml"); err == nil {
		t.Error("a hidden file is visible")
	}
	if to, err := over.ReadLink("link"); err != nil || to != "a.agent" {
		t.Errorf("ReadLink = %q, %v", to, err)
	}
	if _, err := over.ReadLink("a.agent"); err == nil {
		t.Error("a file of the overlay is no link")
	}
}
