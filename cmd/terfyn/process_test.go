package main

import (
	"context"
	"os"
	"strconv"

	"github.com/rogpeppe/go-internal/testscript"

	"terfyn/cmd/internal/wire"
)

// killPID kills the process whose id is a member of a JSON file, and waits until
// the file names another one: killpid FILE MEMBER
func killPID(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: killpid FILE MEMBER")
	}
	before := member(ts, args[0], args[1])
	pid, err := strconv.Atoi(before)
	ts.Check(err)
	p, err := os.FindProcess(pid)
	ts.Check(err)
	ts.Check(p.Kill())
	ts.Check(eventually(func() bool { return member(ts, args[0], args[1]) != before }, "another "+args[1]))
}

// gone waits until no process has the id: gone PID
func gone(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: gone PID")
	}
	pid, err := strconv.Atoi(args[0])
	ts.Check(err)
	ts.Check(eventually(func() bool { return !wire.Alive(pid) }, "the end of process "+args[0]))
}

// waitRun waits until Temporal has a run: waitrun ID
func waitRun(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: waitrun ID")
	}
	c, err := wire.Dial(context.Background(), wire.Target{Address: ts.Getenv("TEMPORAL_ADDRESS"), Local: true}, nil)
	ts.Check(err)
	defer c.Close()
	ts.Check(eventually(func() bool {
		known, err := c.Known(context.Background(), args[0])
		return err == nil && known
	}, "run "+args[0]))
}
