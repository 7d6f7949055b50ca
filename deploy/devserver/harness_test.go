package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"syscall"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
)

// patience bounds every wait of these tests; a healthy server needs a second.
const patience = 30 * time.Second

// executable is the program under test, built once by TestMain.
var executable string

func TestMain(m *testing.M) { os.Exit(buildAndRun(m)) }

func buildAndRun(m *testing.M) int {
	dir, err := os.MkdirTemp("", "terfyn-devserver")
	if err != nil {
		fmt.Fprintln(os.Stderr, "make a folder for the executable:", err)
		return 1
	}
	defer func() { _ = os.RemoveAll(dir) }()
	executable = filepath.Join(dir, "terfyn-devserver")
	build := exec.Command("go", "build", "-o", executable, ".")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		fmt.Fprintln(os.Stderr, "build the executable:", err)
		return 1
	}
	return m.Run()
}

// running is a server that has said it is ready.
type running struct {
	t       *testing.T
	cmd     *exec.Cmd
	ready   string // the ready line
	address string
	rest    chan string // what followed the ready line, sent at the end of stdout
	stderr  bytes.Buffer
}

var readyLine = regexp.MustCompile(`ready at (\S+), namespaces: `)

// start runs the server on a free port and waits for its ready line. The server
// ends with the test, or with the test's process.
func start(t *testing.T, flags ...string) *running {
	t.Helper()
	args := append([]string{"server", "start-dev", "--port", "0", "--headless", "--parent-pid", strconv.Itoa(os.Getpid())}, flags...)
	r := &running{t: t, cmd: exec.Command(executable, args...), rest: make(chan string, 1)}
	r.cmd.Stderr = &r.stderr
	stdout, err := r.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := r.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if r.cmd.ProcessState == nil {
			_ = r.cmd.Process.Kill()
			_ = r.cmd.Wait()
		}
	})
	first := make(chan string, 1)
	go func() {
		lines := bufio.NewReader(stdout)
		line, _ := lines.ReadString('\n') // an early end shows as a line without an address
		first <- line
		rest, _ := io.ReadAll(lines)
		r.rest <- string(rest)
	}()
	r.ready = within(t, "the ready line", first)
	match := readyLine.FindStringSubmatch(r.ready)
	if match == nil {
		err := r.cmd.Wait()
		t.Fatalf("no ready line but %q; the server ended: %v; stderr: %s", r.ready, err, &r.stderr)
	}
	r.address = match[1]
	return r
}

// end sends the signal and returns the exit code, -1 for a death by signal.
func (r *running) end(sig syscall.Signal) int {
	r.t.Helper()
	if err := r.cmd.Process.Signal(sig); err != nil {
		r.t.Fatal(err)
	}
	if rest := within(r.t, "the end of stdout", r.rest); rest != "" {
		r.t.Errorf("stdout has more than the ready line: %q", rest)
	}
	return exitCode(r.t, r.cmd.Wait())
}

func (r *running) dial() *grpc.ClientConn {
	r.t.Helper()
	conn, err := grpc.NewClient("passthrough:///"+r.address, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() { _ = conn.Close() })
	return conn
}

// outcome is what a run that came to its end by itself left behind.
type outcome struct {
	code           int
	stdout, stderr string
}

func execute(t *testing.T, args ...string) outcome {
	t.Helper()
	var stdout, stderr bytes.Buffer
	cmd := exec.CommandContext(t.Context(), executable, args...)
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	return outcome{code: exitCode(t, err), stdout: stdout.String(), stderr: stderr.String()}
}

// refused runs "server start-dev" with the flags and expects the exit code and
// exactly one line of complaint that contains each of the texts.
func refused(t *testing.T, code int, flags []string, texts ...string) {
	t.Helper()
	got := execute(t, append([]string{"server", "start-dev"}, flags...)...)
	if got.code != code {
		t.Errorf("exit code %d, want %d; stderr: %s", got.code, code, got.stderr)
	}
	if got.stdout != "" {
		t.Errorf("stdout %q, want nothing", got.stdout)
	}
	if n := bytes.Count([]byte(got.stderr), []byte("\n")); n != 1 {
		t.Errorf("%d lines of complaint, want one: %s", n, got.stderr)
	}
	for _, text := range texts {
		if !bytes.Contains([]byte(got.stderr), []byte(text)) {
			t.Errorf("the complaint lacks %q: %s", text, got.stderr)
		}
	}
}

func exitCode(t *testing.T, err error) int {
	t.Helper()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode()
	}
	if err != nil {
		t.Fatal(err)
	}
	return 0
}

func within[T any](t *testing.T, what string, c <-chan T) T {
	t.Helper()
	select {
	case v := <-c:
		return v
	case <-time.After(patience):
		t.Fatalf("%s did not come within %v", what, patience)
		panic("unreachable")
	}
}
