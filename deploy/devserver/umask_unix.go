//go:build unix

package main

import "golang.org/x/sys/unix"

// The database holds the payloads of runs, so what the server creates is
// readable by its owner only; SQLite takes the mode of its files from the umask.
func init() { unix.Umask(0o077) }
