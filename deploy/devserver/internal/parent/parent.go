// Package parent tells a process that the one which started it is gone, so that
// a server does not outlive a killed test. It ends nothing by itself.
package parent

import (
	"errors"
	"os"
)

// ErrNotParent tells that the process to watch is not the parent of this one:
// the number is wrong, or the parent has already ended.
var ErrNotParent = errors.New("it is not the parent of this process, or it has already ended")

// Watch returns a channel that is closed when the process pid, which must be the
// parent of this process, ends. Each call costs one thread until then.
func Watch(pid int) (<-chan struct{}, error) {
	gone := make(chan struct{})
	armed := make(chan error, 1)
	go wait(pid, gone, armed)
	if err := <-armed; err != nil {
		return nil, err
	}
	if os.Getppid() != pid {
		return nil, ErrNotParent
	}
	return gone, nil
}
