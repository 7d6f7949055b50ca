// Package fileset replaces a set of files under one folder: all of them, or, when
// a step fails, none.
//
// New content is written beside the old first. Only when all of it is on the disk
// do files take their places, each in one step, and what stood there is kept until
// the last is in place. The package leaves out what the files are.
package fileset

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"

	"terfyn/internal/ordered"
)

// Disk is what Replace does to a file system; tests put failing ones in.
type Disk interface {
	MkdirAll(name string) error
	MkdirTemp(dir, pattern string) (string, error)
	WriteFile(name string, content []byte) error
	ReadFile(name string) ([]byte, error)
	Rename(from, to string) error
	Remove(name string) error
	RemoveAll(name string) error
}

// OS is the file system of the machine.
type OS struct{}

// MkdirAll makes a folder and those above it.
func (OS) MkdirAll(name string) error { return os.MkdirAll(name, 0o755) }

// MkdirTemp makes a new folder.
func (OS) MkdirTemp(dir, pattern string) (string, error) { return os.MkdirTemp(dir, pattern) }

// WriteFile writes a new file and makes sure that it is on the disk.
func (OS) WriteFile(name string, content []byte) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	if _, err := f.Write(content); err != nil {
		return errors.Join(err, f.Close())
	}
	if err := f.Sync(); err != nil {
		return errors.Join(err, f.Close())
	}
	return f.Close()
}

// ReadFile reads a file.
func (OS) ReadFile(name string) ([]byte, error) { return os.ReadFile(name) }

// Rename moves a file over another one.
func (OS) Rename(from, to string) error { return os.Rename(from, to) }

// Remove removes a file or an empty folder.
func (OS) Remove(name string) error { return os.Remove(name) }

// RemoveAll removes a folder with everything in it.
func (OS) RemoveAll(name string) error { return os.RemoveAll(name) }

// Replace puts files into dir, by slash-separated path relative to it, and removes
// those of stale that are not among them. After an error dir is as it was, except
// for folders that were made; a second error while undoing is joined to the first.
// Paths that leave dir are refused, symbolic links among the folders as well.
func Replace(d Disk, dir string, files map[string][]byte, stale []string) (err error) {
	names := ordered.Keys(files)
	for _, name := range append(slices.Clone(names), stale...) {
		if err := inside(dir, name); err != nil {
			return err
		}
	}
	if err := d.MkdirAll(dir); err != nil {
		return fmt.Errorf("make the folder %s: %w", dir, err)
	}
	stage, err := d.MkdirTemp(dir, ".terfyn-*")
	if err != nil {
		return fmt.Errorf("make a folder for the new files in %s: %w", dir, err)
	}
	defer func() { err = errors.Join(err, d.RemoveAll(stage)) }()
	s := &swap{disk: d, dir: dir, stage: stage}
	for i, name := range names {
		if err := d.WriteFile(s.fresh(i), files[name]); err != nil {
			return fmt.Errorf("write %s: %w", name, err)
		}
	}
	if err := s.take(names, files, stale); err != nil {
		return errors.Join(err, s.undo())
	}
	s.emptyFolders()
	return nil
}

// swap is one replacement under way.
type swap struct {
	disk       Disk
	dir, stage string
	steps      []step
}

// step is one file that was changed.
type step struct {
	name    string
	existed bool
	backup  string
}

func (s *swap) fresh(i int) string { return filepath.Join(s.stage, fmt.Sprintf("new-%d", i)) }

func (s *swap) at(name string) string { return filepath.Join(s.dir, filepath.FromSlash(name)) }

// take moves the new files to their places and removes the stale ones.
func (s *swap) take(names []string, files map[string][]byte, stale []string) error {
	for i, name := range names {
		if err := s.disk.MkdirAll(s.at(path.Dir(name))); err != nil {
			return fmt.Errorf("make the folder of %s: %w", name, err)
		}
		if same, err := s.keep(name, files[name]); err != nil || same {
			if err != nil {
				return err
			}
			continue
		}
		if err := s.disk.Rename(s.fresh(i), s.at(name)); err != nil {
			s.steps = s.steps[:len(s.steps)-1]
			return fmt.Errorf("put %s in its place: %w", name, err)
		}
	}
	for _, name := range stale {
		if _, kept := files[name]; kept {
			continue
		}
		if _, err := s.keep(name, nil); err != nil {
			return err
		}
		if err := s.disk.Remove(s.at(name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			s.steps = s.steps[:len(s.steps)-1]
			return fmt.Errorf("remove %s: %w", name, err)
		}
	}
	return nil
}

// keep copies what stands at name, so that it can be put back. same says that it
// has the content already.
func (s *swap) keep(name string, content []byte) (same bool, err error) {
	old, err := s.disk.ReadFile(s.at(name))
	step := step{name: name, existed: err == nil, backup: filepath.Join(s.stage, fmt.Sprintf("old-%d", len(s.steps)))}
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return false, fmt.Errorf("read the %s that is there: %w", name, err)
	case content != nil && bytes.Equal(old, content):
		return true, nil
	default:
		if err := s.disk.WriteFile(step.backup, old); err != nil {
			return false, fmt.Errorf("keep the %s that is there: %w", name, err)
		}
	}
	s.steps = append(s.steps, step)
	return false, nil
}

// undo puts back what was there, last change first.
func (s *swap) undo() error {
	var all error
	for _, step := range slices.Backward(s.steps) {
		var err error
		if step.existed {
			err = s.disk.Rename(step.backup, s.at(step.name))
		} else {
			err = s.disk.Remove(s.at(step.name))
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			all = errors.Join(all, fmt.Errorf("put %s back: %w", step.name, err))
		}
	}
	return all
}

// emptyFolders removes folders that lost their last file. A folder that still has
// one cannot be removed, which is the point.
func (s *swap) emptyFolders() {
	for _, step := range s.steps {
		for dir := path.Dir(step.name); dir != "."; dir = path.Dir(dir) {
			if s.disk.Remove(s.at(dir)) != nil {
				break
			}
		}
	}
}

// inside refuses a name that leads out of dir.
func inside(dir, name string) error {
	if !fs.ValidPath(name) || name == "." {
		return fmt.Errorf("the file %q is not inside of the folder", name)
	}
	for at := name; at != "."; at = path.Dir(at) {
		full := filepath.Join(dir, filepath.FromSlash(at))
		info, err := os.Lstat(full)
		if err == nil && info.Mode()&fs.ModeSymlink != 0 {
			return fmt.Errorf("%s is a symbolic link; nothing is written through it", full)
		}
	}
	return nil
}
