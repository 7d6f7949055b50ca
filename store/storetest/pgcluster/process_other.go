//go:build !linux

package main

import (
	"os"
	"os/exec"
)

func detach(*exec.Cmd) {}

func forward(c *exec.Cmd, s os.Signal) {
	_ = c.Process.Signal(s) // it may have ended meanwhile
}
