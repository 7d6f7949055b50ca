//go:build unix

package native

import (
	"os/exec"
	"syscall"
)

// ownGroup starts the command in a process group of its own, so that all of it
// can be ended.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// killGroup ends every process of the command's group.
func killGroup(cmd *exec.Cmd) error {
	if cmd.Process == nil {
		return nil
	}
	return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
}
