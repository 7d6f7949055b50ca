//go:build amd64 || arm64

package probe

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// Flag is the first argument that makes a test binary a probe; the name of the probe
// and its arguments follow.
const Flag = "-probe"

// Exit codes of probes.
const (
	Done    = 0 // it had its effect
	Refused = 3 // it was refused with EPERM or EACCES
	Failed  = 4 // anything else went wrong
)

// Main turns the process into a probe when its arguments ask for one, and returns
// otherwise:
//
//	func TestMain(m *testing.M) { probe.Main(); os.Exit(m.Run()) }
func Main() {
	if len(os.Args) < 3 || os.Args[1] != Flag {
		return
	}
	// The race detector's exit waits for a second, which this one does not.
	syscall.Exit(become(os.Args[2], os.Args[3:]))
}

// become runs a probe and returns the exit code.
func become(name string, args []string) int {
	run, ok := all[name]
	if !ok {
		fmt.Fprintf(os.Stderr, "no probe is called %s\n", name)
		return Failed
	}
	err := run(args)
	switch {
	case err == nil:
		fmt.Println("done")
		return Done
	case errors.Is(err, fs.ErrPermission):
		fmt.Fprintln(os.Stderr, err)
		return Refused
	}
	fmt.Fprintln(os.Stderr, err)
	return Failed
}
