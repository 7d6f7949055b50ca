//go:build unix

package nexfile

import "syscall"

// withoutWaiting is the flag for opening a file that may turn out to be a pipe
// without a writer.
const withoutWaiting = syscall.O_NONBLOCK
