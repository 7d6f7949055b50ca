//go:build unix

package supervise

import (
	"os/exec"
	"syscall"
)

// ownGroup keeps the terminal's Ctrl-C from the child: the parent stops it in
// its own order.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// terminate asks the child to stop.
func terminate(cmd *exec.Cmd) {
	_ = cmd.Process.Signal(syscall.SIGTERM) // a child that is gone needs no signal
}
