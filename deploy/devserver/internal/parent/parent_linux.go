package parent

import (
	"fmt"
	"os"
	"os/signal"
	"runtime"

	"golang.org/x/sys/unix"
)

// wait has the kernel send SIGUSR1 when the parent ends (PR_SET_PDEATHSIG) and
// closes gone when that is so.
//
// The signal alone proves nothing: the kernel sends it already when the *thread*
// that started this process ends, and a Go parent may end a thread at any time.
// A process whose parent is gone has a new parent, so getppid decides. The
// request belongs to the thread that made it, which therefore stays locked to
// this goroutine.
func wait(pid int, gone chan<- struct{}, armed chan<- error) {
	runtime.LockOSThread()
	deaths := make(chan os.Signal, 1)
	signal.Notify(deaths, unix.SIGUSR1)
	if err := unix.Prctl(unix.PR_SET_PDEATHSIG, uintptr(unix.SIGUSR1), 0, 0, 0); err != nil {
		armed <- fmt.Errorf("prctl PR_SET_PDEATHSIG: %w", err)
		return
	}
	armed <- nil
	for os.Getppid() == pid {
		<-deaths
	}
	close(gone)
}
