//go:build !unix

package supervise

import "os/exec"

// ownGroup does nothing where there are no process groups.
func ownGroup(*exec.Cmd) {}

// terminate ends the child; there is no signal to ask with.
func terminate(cmd *exec.Cmd) {
	_ = cmd.Process.Kill() // a child that is gone needs no end
}
