//go:build unix

package wire

import (
	"errors"
	"syscall"
)

// Alive reports whether a process with this id exists.
func Alive(pid int) bool {
	if pid <= 0 {
		return false
	}
	err := syscall.Kill(pid, 0)
	return err == nil || errors.Is(err, syscall.EPERM)
}
