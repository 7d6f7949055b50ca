// Package rootfs reads single files of a project and refuses those that leave
// its root, also through a symbolic link. It leaves out which files a project
// has and what is in them.
package rootfs

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"unicode/utf8"
)

// MaxBytes is the largest file that is read.
const MaxBytes = 16 << 20

// maxHops bounds the symbolic links followed for one name.
const maxHops = 40

// ErrOutside marks a name that leads out of the project root.
var ErrOutside = errors.New("the path leaves the project root")

// ErrName marks a name that is no text; file systems of other machines cannot hold it.
var ErrName = errors.New("the file name is not valid UTF-8; rename the file")

// Read returns the bytes of the file name, a slash-separated path relative to
// the root. Errors wrap ErrOutside,
// ErrName or an fs error.
func Read(fsys fs.FS, name string) ([]byte, error) {
	if !utf8.ValidString(name) {
		return nil, fmt.Errorf("read %s: %w", name, ErrName)
	}
	if path.IsAbs(name) || strings.Contains(name, `\`) {
		return nil, fmt.Errorf("read %s: %w: it must be relative, with / between names", name, ErrOutside)
	}
	clean := path.Clean(name)
	if !fs.ValidPath(clean) {
		return nil, fmt.Errorf("read %s: %w", name, ErrOutside)
	}
	if err := inside(fsys, clean); err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	info, err := fs.Stat(fsys, clean)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, plain(err))
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("read %s: it is a %s, only regular files are read", name, kindOf(info.Mode()))
	}
	if info.Size() > MaxBytes {
		return nil, fmt.Errorf("read %s: it has %d bytes, at most %d are read", name, info.Size(), MaxBytes)
	}
	b, err := fs.ReadFile(fsys, clean)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, plain(err))
	}
	return b, nil
}

// inside follows the symbolic links of name, where the file system shows them,
// and fails when one points out of the root.
func inside(fsys fs.FS, name string) error {
	_, err := Target(fsys, name)
	return err
}

// Target is the name without symbolic links that a name stands for, where the file
// system shows them. It is an error that wraps ErrOutside when one points out of the
// root, and one when there is no end to them.
func Target(fsys fs.FS, name string) (string, error) {
	links, ok := fsys.(fs.ReadLinkFS)
	if !ok {
		return name, nil
	}
	for range maxHops {
		next, err := follow(links, name)
		if err != nil {
			return "", err
		}
		if next == "" {
			return name, nil
		}
		name = next
	}
	return "", fmt.Errorf("more than %d symbolic links", maxHops)
}

// follow replaces the first symbolic link among the leading parts of name; "" =
// there is none. A missing part is left to the read that follows.
func follow(links fs.ReadLinkFS, name string) (string, error) {
	parts := strings.Split(name, "/")
	for i := range parts {
		prefix := strings.Join(parts[:i+1], "/")
		info, err := links.Lstat(prefix)
		if err != nil || info.Mode()&fs.ModeSymlink == 0 {
			continue
		}
		target, err := links.ReadLink(prefix)
		if err != nil {
			return "", fmt.Errorf("follow the link %s: %w", prefix, plain(err))
		}
		next := path.Join(path.Dir(prefix), target, strings.Join(parts[i+1:], "/"))
		if path.IsAbs(target) || !fs.ValidPath(next) {
			return "", fmt.Errorf("%w through the link %s", ErrOutside, prefix)
		}
		return next, nil
	}
	return "", nil
}

// plain drops operation and path, which name places outside of the project.
func plain(err error) error {
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		return pathErr.Err
	}
	return err
}

// kindOf words what is no regular file.
func kindOf(m fs.FileMode) string {
	switch {
	case m.IsDir():
		return "directory"
	case m&fs.ModeNamedPipe != 0:
		return "named pipe"
	case m&fs.ModeSocket != 0:
		return "socket"
	default:
		return "device"
	}
}
