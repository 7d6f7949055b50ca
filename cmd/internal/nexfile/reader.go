package nexfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"terfyn/compiler/nexflow/discovery"
	"terfyn/compiler/nexflow/manifest"
)

// Root is a folder whose files discovery may read. It is resolved once: what takes
// its place later is not seen. All methods may be called at the same time.
type Root struct {
	root *os.Root
	// looked and opened are called with a path after it was looked at and before the
	// opened handle is compared with what was seen; only tests have any.
	looked, opened func(name string)
}

var _ discovery.Files = (*Root)(nil)

// url is what begins as a remote place does.
var url = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*://`)

// OpenRoot opens the folder dir, which may be reached through symbolic links. It is
// an error when dir is something else than a folder, does not exist, or is a URL.
func OpenRoot(dir string) (*Root, error) {
	if dir == "" || url.MatchString(dir) {
		return nil, errors.New("open the root: it is no local folder")
	}
	// With the dot the system refuses what is no folder instead of waiting for a pipe.
	root, err := os.OpenRoot(strings.TrimRight(dir, string(filepath.Separator)) + string(filepath.Separator) + ".")
	if err != nil {
		return nil, fmt.Errorf("open the root: %w", err)
	}
	return &Root{root: root}, nil
}

// Close gives the folder up.
func (r *Root) Close() error { return r.root.Close() }

// Look tells what name, directly below the root, is, without following links.
func (r *Root) Look(name string) (discovery.Entry, error) {
	seen, err := r.root.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return discovery.Absent, nil
	case err != nil:
		return discovery.Absent, fmt.Errorf("look for %s: %w", name, err)
	case seen.Mode().IsRegular():
		return discovery.Regular, nil
	}
	return discovery.Other, nil
}

// Read returns the bytes of a regular file. The errors are *discovery.Refused: no
// component of name may be a symbolic link, what is opened must be what was looked
// at, and a file that has more than limit bytes, or that changes its size while it
// is read, is not given out.
func (r *Root) Read(name string, limit int64) ([]byte, error) {
	if !fs.ValidPath(name) || name == "." {
		return nil, refused(manifest.ReasonUnreadable)
	}
	folder := r.root
	components := strings.Split(name, "/")
	for i, component := range components[:len(components)-1] {
		next, err := r.enter(folder, component, strings.Join(components[:i+1], "/"))
		if err != nil {
			return nil, err
		}
		defer func() { _ = next.Close() }() // only entered
		folder = next
	}
	return r.readIn(folder, components[len(components)-1], name, limit)
}

// enter opens a folder below another, not through a link. Path is its whole name.
// Each folder is opened below the handle of the one before, so that no swapped
// component leads elsewhere.
func (r *Root) enter(folder *os.Root, component, path string) (*os.Root, error) {
	seen, err := look(folder, component, fs.FileMode.IsDir)
	if err != nil {
		return nil, err
	}
	r.note(r.looked, path)
	next, err := folder.OpenRoot(component)
	if err != nil {
		return nil, refused(manifest.ReasonUnreadable)
	}
	r.note(r.opened, path)
	now, err := next.Stat(".")
	if err != nil || !os.SameFile(seen, now) {
		_ = next.Close() // only entered
		return nil, refused(manifest.ReasonSymlink)
	}
	return next, nil
}

// readIn reads the file base in a folder. Path is its whole name.
func (r *Root) readIn(folder *os.Root, base, path string, limit int64) ([]byte, error) {
	seen, err := look(folder, base, fs.FileMode.IsRegular)
	if err != nil {
		return nil, err
	}
	r.note(r.looked, path)
	file, err := folder.OpenFile(base, os.O_RDONLY|withoutWaiting, 0)
	if err != nil {
		return nil, refused(manifest.ReasonUnreadable)
	}
	defer func() { _ = file.Close() }() // only read
	r.note(r.opened, path)
	now, err := file.Stat()
	switch {
	case err != nil:
		return nil, refused(manifest.ReasonUnreadable)
	case !now.Mode().IsRegular():
		return nil, refused(manifest.ReasonNotRegular)
	case !os.SameFile(seen, now):
		return nil, refused(manifest.ReasonSymlink)
	case now.Size() > limit:
		return nil, refused(manifest.ReasonSize)
	}
	return readAll(file, now.Size(), limit)
}

// readAll reads a file of a known size, and not a byte more than limit and one.
func readAll(file io.Reader, size, limit int64) ([]byte, error) {
	b := make([]byte, 0, size+1)
	rest := io.LimitReader(file, limit+1)
	for {
		n, err := rest.Read(b[len(b):cap(b)])
		b = b[:len(b)+n]
		switch {
		case int64(len(b)) > limit:
			return nil, refused(manifest.ReasonSize)
		case int64(len(b)) > size, err == io.EOF && int64(len(b)) < size:
			return nil, refused(manifest.ReasonUnreadable) // it is being written
		case err == io.EOF:
			return b, nil
		case err != nil:
			return nil, refused(manifest.ReasonUnreadable)
		}
	}
}

// look finds out what a name in a folder is, and refuses links and what is not of
// the type that is needed.
func look(folder *os.Root, name string, is func(fs.FileMode) bool) (fs.FileInfo, error) {
	seen, err := folder.Lstat(name)
	switch {
	case err != nil:
		return nil, refused(manifest.ReasonUnreadable)
	case seen.Mode()&fs.ModeSymlink != 0:
		return nil, refused(manifest.ReasonSymlink)
	case !is(seen.Mode()):
		return nil, refused(manifest.ReasonNotRegular)
	}
	return seen, nil
}

func (r *Root) note(hook func(string), path string) {
	if hook != nil {
		hook(path)
	}
}

func refused(reason manifest.Reason) error { return &discovery.Refused{Reason: reason} }
