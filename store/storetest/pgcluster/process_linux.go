package main

import (
	"os"
	"os/exec"
	"syscall"
)

// detach gives the command its own process group: a Ctrl-C then reaches it once,
// through forward, together with all it has started.
func detach(c *exec.Cmd) {
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGTERM}
}

// forward sends s to the command's group.
func forward(c *exec.Cmd, s os.Signal) {
	if number, ok := s.(syscall.Signal); ok {
		_ = syscall.Kill(-c.Process.Pid, number) // it may have ended meanwhile
	}
}
