//go:build !unix

package wire

import "os"

// Alive reports whether a process with this id exists.
func Alive(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	_ = p.Release()
	return true
}
