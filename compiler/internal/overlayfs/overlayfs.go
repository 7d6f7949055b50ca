// Package overlayfs is a read-only file system made of given files over another
// one: what a project would be with these files in it. It leaves out writing, and
// it reads nothing that is not asked for.
package overlayfs

import (
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"terfyn/internal/ordered"
)

// FS is the file system. Make it with New.
type FS struct {
	base  fs.FS // nil = there is nothing below
	files map[string][]byte
	dirs  map[string]bool // folders that hold one of files, "." included
}

// New puts files, by slash-separated path, over base; a nil base is an empty one.
// A nil content hides the file of that name below.
func New(base fs.FS, files map[string][]byte) FS {
	f := FS{base: base, files: files, dirs: map[string]bool{".": true}}
	for _, name := range ordered.Keys(files) {
		for dir := path.Dir(name); files[name] != nil && dir != "."; dir = path.Dir(dir) {
			f.dirs[dir] = true
		}
	}
	return f
}

// Open opens a file or folder.
func (f FS) Open(name string) (fs.File, error) {
	b, own := f.files[name]
	switch {
	case !fs.ValidPath(name):
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	case own && b != nil:
		return &file{info: info{name: path.Base(name), size: int64(len(b))}, rest: b}, nil
	case f.dirs[name]:
		entries, err := f.ReadDir(name)
		return &folder{info: info{name: path.Base(name), dir: true}, entries: entries}, err
	case own || f.base == nil:
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return f.base.Open(name)
}

// ReadDir lists a folder by name.
func (f FS) ReadDir(name string) ([]fs.DirEntry, error) {
	var out []fs.DirEntry
	if f.base != nil {
		below, err := fs.ReadDir(f.base, name)
		if err != nil && !f.dirs[name] {
			return nil, err
		}
		for _, e := range below {
			full := path.Join(name, e.Name())
			if _, own := f.files[full]; !own && !f.dirs[full] {
				out = append(out, e)
			}
		}
	} else if !f.dirs[name] {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: fs.ErrNotExist}
	}
	for _, full := range ordered.Keys(f.files) {
		if b := f.files[full]; b != nil && path.Dir(full) == name {
			out = append(out, info{name: path.Base(full), size: int64(len(b))})
		}
	}
	for _, full := range ordered.Keys(f.dirs) {
		if full != "." && path.Dir(full) == name {
			out = append(out, info{name: path.Base(full), dir: true})
		}
	}
	slices.SortFunc(out, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return out, nil
}

// Lstat tells about a name without following it.
func (f FS) Lstat(name string) (fs.FileInfo, error) {
	_, own := f.files[name]
	if links, ok := f.base.(fs.ReadLinkFS); ok && !own && !f.dirs[name] {
		return links.Lstat(name)
	}
	return fs.Stat(f, name)
}

// ReadLink gives the target of a symbolic link of the file system below.
func (f FS) ReadLink(name string) (string, error) {
	_, own := f.files[name]
	if links, ok := f.base.(fs.ReadLinkFS); ok && !own && !f.dirs[name] {
		return links.ReadLink(name)
	}
	return "", &fs.PathError{Op: "readlink", Path: name, Err: fs.ErrInvalid}
}

// info describes a file or folder of the overlay.
type info struct {
	name string
	size int64
	dir  bool
}

func (i info) Name() string               { return i.name }
func (i info) Size() int64                { return i.size }
func (i info) ModTime() time.Time         { return time.Time{} }
func (i info) IsDir() bool                { return i.dir }
func (i info) Sys() any                   { return nil }
func (i info) Type() fs.FileMode          { return i.Mode().Type() }
func (i info) Info() (fs.FileInfo, error) { return i, nil }

func (i info) Mode() fs.FileMode {
	if i.dir {
		return fs.ModeDir | 0o555
	}
	return 0o444
}
