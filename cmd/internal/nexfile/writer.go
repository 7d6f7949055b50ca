package nexfile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"terfyn/compiler/nexflow/starter"
)

// Folder is an existing folder that takes the documents of init. It is the only
// writer among what the nexflow commands are made of, and it is tied to its folder:
// every name is looked up, made and removed directly below the opened handle.
//
// Calls at the same time come to one whole set of documents. Create makes all
// missing files first, in one order, and writes them after that. So of two calls that
// miss the same files one makes the first of them, and the other, which has made
// nothing, gives up; and whoever finds one document whole finds none absent that the
// call beside it is still to make.
type Folder struct {
	root  *os.Root
	write func(w io.Writer, text []byte) error
}

// OpenFolder opens the folder dir, which must be one: a symbolic link to a folder is
// refused, and nothing is made where there is none.
func OpenFolder(dir string) (*Folder, error) {
	// Without a slash at the end, which would have the link followed.
	dir = filepath.Clean(dir)
	seen, err := os.Lstat(dir)
	if err != nil {
		return nil, fmt.Errorf("look at the destination: %w", err)
	}
	if !seen.IsDir() {
		return nil, errors.New("look at the destination: it is no folder")
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("open the destination: %w", err)
	}
	opened, err := root.Stat(".")
	if err == nil && !os.SameFile(seen, opened) {
		err = errors.New("it was replaced meanwhile")
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open the destination: %w", err), root.Close())
	}
	return &Folder{root: root, write: writeAll}, nil
}

// Close gives the folder up.
func (f *Folder) Close() error { return f.root.Close() }

// Look tells what lies at the place of a document, without following a link there.
// What cannot be looked at or read counts as something else.
func (f *Folder) Look(file starter.File) starter.Found {
	seen, err := f.root.Lstat(file.Name)
	if errors.Is(err, fs.ErrNotExist) {
		return starter.Absent
	}
	if err != nil || !seen.Mode().IsRegular() || seen.Size() != int64(len(file.Text)) {
		return starter.Other
	}
	// Not blocking, in case a pipe takes the place of the file right now.
	opened, err := f.root.OpenFile(file.Name, os.O_RDONLY|withoutWaiting, 0)
	if err != nil {
		return starter.Other
	}
	defer func() { _ = opened.Close() }() // only read
	now, err := opened.Stat()
	if err != nil || !now.Mode().IsRegular() || !os.SameFile(seen, now) {
		return starter.Other
	}
	text, err := io.ReadAll(io.LimitReader(opened, int64(len(file.Text))+1))
	if err != nil || !bytes.Equal(text, file.Text) {
		return starter.Other
	}
	return starter.Identical
}

// made is a file of this call.
type made struct {
	file *os.File
	text []byte
	info fs.FileInfo
}

// Create makes the files of a plan, with mode 0644 as far as the process's mask
// allows, and never over something else. When it cannot make all of them it removes
// those it has made and nothing else. The error is starter.ErrAppeared when another
// one was at work, starter.ErrNotWritable when the folder takes no files.
func (f *Folder) Create(p starter.Plan) error {
	var all []made
	err := f.make(p.Create, &all)
	for i := 0; err == nil && i < len(all); i++ {
		err = f.write(all[i].file, all[i].text)
	}
	for _, m := range all {
		err = errors.Join(err, m.file.Close())
	}
	for i := 0; err == nil && i < len(p.Keep); i++ {
		if f.Look(p.Keep[i]) != starter.Identical {
			err = starter.ErrAppeared
		}
	}
	if err == nil {
		return nil
	}
	return errors.Join(err, f.undo(all))
}

func (f *Folder) make(files []starter.File, all *[]made) error {
	for _, file := range files {
		opened, err := f.root.OpenFile(file.Name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		switch {
		case errors.Is(err, fs.ErrExist):
			return starter.ErrAppeared
		case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
			return starter.ErrNotWritable
		case err != nil:
			return fmt.Errorf("create %s: %w", file.Name, err)
		}
		info, err := opened.Stat()
		*all = append(*all, made{opened, file.Text, info})
		if err != nil {
			return fmt.Errorf("look at the new %s: %w", file.Name, err)
		}
	}
	return nil
}

// undo removes what this call has made, unless something else has taken its place.
// It goes in the order of making: a call that keeps an earlier document then learns
// that it went before it can make a later one.
func (f *Folder) undo(all []made) error {
	var errs []error
	for _, m := range all {
		now, err := f.root.Lstat(filepath.Base(m.file.Name()))
		if errors.Is(err, fs.ErrNotExist) || err == nil && m.info != nil && !os.SameFile(now, m.info) {
			continue
		}
		if err == nil {
			err = f.root.Remove(filepath.Base(m.file.Name()))
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("remove the new %s: %w", filepath.Base(m.file.Name()), err))
		}
	}
	return errors.Join(errs...)
}

func writeAll(w io.Writer, text []byte) error {
	if _, err := w.Write(text); err != nil {
		return fmt.Errorf("write a new file: %w", err)
	}
	return nil
}
