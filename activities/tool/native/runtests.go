package native

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"time"

	"terfyn/activities/tool"
	"terfyn/internal/canon"
)

const (
	// maxTestOutput bounds the kept output of the test command, in bytes: its end.
	maxTestOutput = 256 << 10
	// stopGrace is how long a killed command may keep its output open.
	stopGrace = 5 * time.Second
)

// passedOn are the variables a test command gets. It is a list and not a rule by
// prefix: GOOGLE_… and GOAUTH hold credentials.
var passedOn = []string{
	"PATH", "HOME", "USER", "LANG", "LC_ALL", "TZ", "TMPDIR", "TEMP", "TMP", "SYSTEMROOT", "USERPROFILE", "LOCALAPPDATA",
	"GOPATH", "GOROOT", "GOCACHE", "GOMODCACHE", "GOFLAGS", "GOPROXY", "GONOSUMDB", "GOPRIVATE", "GOTOOLCHAIN", "GOOS", "GOARCH", "CGO_ENABLED",
}

// runTests runs the declared command and nothing else; the caller cannot change it.
// A failing test run is a result, not an error.
func runTests(ctx context.Context, s session) (canon.Value, error) {
	declared := ""
	if s.call.Tool.Workspace != nil {
		declared = s.call.Tool.Workspace.TestCommand
	}
	command := environment(declared, "TERFYN_WORKSPACE_TEST_COMMAND")
	if command == "" {
		return canon.Value{}, tool.Failf(tool.BadInput, "no_test_command",
			"tool %s has no test command: declare workspace { testCommand } or set TERFYN_WORKSPACE_TEST_COMMAND", s.call.Tool.Name)
	}
	dir, err := rootDir(s.call)
	if err != nil {
		return canon.Value{}, err
	}
	return shellResult(ctx, s, command, dir, "the test command")
}

// runCommand runs the command line of its argument.
func runCommand(ctx context.Context, s session) (canon.Value, error) {
	dir, err := rootDir(s.call)
	if err != nil {
		return canon.Value{}, err
	}
	return shellResult(ctx, s, s.args.text("command"), dir, "the command")
}

// shellResult runs a command line; that it fails is a result.
func shellResult(ctx context.Context, s session, command, dir, what string) (canon.Value, error) {
	cmd := shell(ctx, command)
	cmd.Dir = dir
	p, err := execute(ctx, s, cmd, what)
	if err != nil {
		return canon.Value{}, err
	}
	return truncated(canon.Object(
		canon.F("passed", canon.Bool(p.code == 0)), canon.F("exit_code", canon.Int(int64(p.code))), canon.F("output", canon.String(p.output))), p.cut), nil
}

// finished is a process that ended by itself.
type finished struct {
	code   int
	output string // stdout and stderr as they came
	cut    bool   // output is only the end of it
}

// execute runs a process to its end, with its own group and few variables. An exit
// code is no error; what names the process in messages.
func execute(ctx context.Context, s session, cmd *exec.Cmd, what string) (finished, error) {
	cmd.Env, cmd.WaitDelay = append(environ(), cmd.Env...), stopGrace
	output := &tail{}
	cmd.Stdout, cmd.Stderr = output, output
	ownGroup(cmd)
	cmd.Cancel = func() error { return killGroup(cmd) }
	err := cmd.Run()
	_ = killGroup(cmd) // what the process left running in its group
	if ctx.Err() != nil {
		e := tool.Ended(ctx, s.call, false)
		e.Class = tool.Failed // it ran and was stopped
		return finished{}, e
	}
	exit, isExit := errors.AsType[*exec.ExitError](err)
	if err != nil && !isExit && !errors.Is(err, exec.ErrWaitDelay) {
		return finished{}, tool.Failf(tool.Failed, "start", "%s of tool %s could not be run: %v", what, s.call.Tool.Name, reason(err)).Because(err)
	}
	var p finished
	if isExit {
		p.code = exit.ExitCode()
	}
	p.output, p.cut = output.text()
	return p, nil
}

func shell(ctx context.Context, command string) *exec.Cmd {
	if runtime.GOOS == "windows" {
		return exec.CommandContext(ctx, "cmd", "/C", command)
	}
	return exec.CommandContext(ctx, "sh", "-c", command)
}

func environ() []string {
	var out []string
	for _, name := range passedOn {
		if v, ok := os.LookupEnv(name); ok {
			out = append(out, name+"="+v)
		}
	}
	return out
}

// tail keeps the end of what is written to it.
type tail struct {
	mu   sync.Mutex
	kept []byte
	cut  bool
}

// Write keeps b.
func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept = append(t.kept, b...)
	if len(t.kept) > 2*maxTestOutput {
		t.kept = append(t.kept[:0], t.kept[len(t.kept)-maxTestOutput:]...)
		t.cut = true
	}
	return len(b), nil
}

func (t *tail) text() (string, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.kept) > maxTestOutput {
		return string(t.kept[len(t.kept)-maxTestOutput:]), true
	}
	return string(t.kept), t.cut
}
