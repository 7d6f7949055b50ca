package server

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"runtime"

	"go.temporal.io/server/common/headers"
)

// name is how the program speaks of itself; the file may be called otherwise.
const name = "terfyn-devserver"

// Exit codes of Main.
const (
	exitOK     = 0 // stopped on request, or the question was answered
	exitFailed = 1 // did not start, or did not stop cleanly
	exitUsage  = 2 // the command line is wrong; nothing was touched
)

// Main runs the program with the arguments that follow its name and returns the
// exit code. Answers and the ready line go to stdout; complaints, one line each,
// and the server's log go to stderr. It returns only after the server stopped,
// except that a fatal error inside the server ends the process with code 1.
func Main(args []string, stdout, stderr io.Writer) int {
	if len(args) == 1 && args[0] == "version" {
		fmt.Fprintf(stdout, "%s (Temporal server %s, %s)\n", name, headers.ServerVersion, runtime.Version())
		return exitOK
	}
	if len(args) < 2 || args[0] != "server" || args[1] != "start-dev" {
		if len(args) == 1 && (args[0] == "--help" || args[0] == "-h" || args[0] == "help") {
			fmt.Fprint(stdout, usage)
			return exitOK
		}
		fmt.Fprintf(stderr, "%s: the command must be \"server start-dev\" or \"version\"; --help lists the flags\n", name)
		return exitUsage
	}
	opts, err := Parse(args[2:])
	if errors.Is(err, flag.ErrHelp) {
		fmt.Fprint(stdout, usage)
		return exitOK
	}
	if err != nil {
		fmt.Fprintf(stderr, "%s: %v\n", name, err)
		return exitUsage
	}
	for _, note := range opts.Notes {
		fmt.Fprintf(stderr, "%s: note: %s\n", name, note)
	}
	if err := run(opts, stdout, stderr); err != nil {
		fmt.Fprintf(stderr, "%s: %v\n", name, err)
		return exitFailed
	}
	return exitOK
}
