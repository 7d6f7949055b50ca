// Package filelock lets one process at a time hold a file. The operating system
// takes the lock back when the process ends, however it ends, so no stale lock
// is left behind. It does not protect the content of any file by itself.
package filelock

import (
	"errors"
	"fmt"
	"os"
)

// ErrHeld tells that another process holds the lock.
var ErrHeld = errors.New("another process holds the lock")

// Lock is a held lock.
type Lock struct{ file *os.File }

// Acquire makes the file at path if need be and locks it. It does not wait: it
// returns ErrHeld when another process has the lock.
func Acquire(path string) (*Lock, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open the lock file: %w", err)
	}
	if err := tryLock(f); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return &Lock{file: f}, nil
}

// Release gives the lock up. The file stays: removing it would let two processes
// hold locks on two files of one name.
func (l *Lock) Release() { _ = l.file.Close() } // nothing was written
