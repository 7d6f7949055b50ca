package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"terfyn/workflows/contract"
)

// namespace of all test runs.
const namespace = "terfyn-test"

// server is a Temporal server process on a file; it may be killed and started again.
type server struct {
	t        testing.TB
	dir      string
	port     int
	settings []string // dynamic configuration over the server's own, KEY=JSON

	mu  sync.Mutex
	cmd *exec.Cmd
	log logbook
}

// logbook is a buffer that is read while a process writes to it.
type logbook struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

// Write adds b.
func (l *logbook) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.Write(b)
}

// Bytes is a copy of what was written.
func (l *logbook) Bytes() []byte {
	l.mu.Lock()
	defer l.mu.Unlock()
	return bytes.Clone(l.buf.Bytes())
}

// devserver is the server executable, or the end of the test.
func devserver(t testing.TB) string {
	t.Helper()
	path := os.Getenv("TERFYN_DEVSERVER")
	if path == "" {
		if strings.Contains(os.Getenv("TERFYN_REQUIRE"), "devserver") {
			t.Fatal("TERFYN_DEVSERVER is not set; it must name the embedded server's executable (make build)")
		}
		t.Skip("TERFYN_DEVSERVER is not set: no Temporal server to test on (make build makes one)")
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	return abs
}

func startServer(t testing.TB, settings ...string) *server {
	t.Helper()
	exe := devserver(t)
	s := &server{t: t, dir: t.TempDir(), port: freePort(t), settings: settings}
	s.start(exe)
	t.Cleanup(s.stop)
	return s
}

func (s *server) address() string { return fmt.Sprintf("127.0.0.1:%d", s.port) }

func (s *server) start(exe string) {
	s.t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	ready := filepath.Join(s.dir, "ready.json")
	if err := os.Remove(ready); err != nil && !os.IsNotExist(err) {
		s.t.Fatal(err)
	}
	args := []string{"server", "start-dev", "--headless", "--ip", "127.0.0.1", "--port", strconv.Itoa(s.port), "--namespace", namespace,
		"--db-filename", filepath.Join(s.dir, "temporal.db"), "--ready-file", ready, "--parent-pid", strconv.Itoa(os.Getpid())}
	for _, a := range []string{contract.AttrWorkflow, contract.AttrEnvironment, contract.AttrStatus, contract.AttrWaitingFor, contract.AttrSnapshot} {
		args = append(args, "--search-attribute", a+"=Keyword")
	}
	for _, kv := range s.settings {
		args = append(args, "--dynamic-config-value", kv)
	}
	s.cmd = exec.Command(exe, args...)
	s.cmd.Stdout, s.cmd.Stderr = &s.log, &s.log
	if err := s.cmd.Start(); err != nil {
		s.t.Fatalf("start the Temporal server: %v", err)
	}
	pid := s.cmd.Process.Pid
	eventually(s.t, 60*time.Second, "the Temporal server is ready", func() bool {
		b, err := os.ReadFile(ready)
		if err != nil {
			return false
		}
		var r struct{ PID int }
		return json.Unmarshal(b, &r) == nil && r.PID == pid
	})
}

// kill ends the server without warning and starts it again on the same file.
func (s *server) kill() {
	s.t.Helper()
	s.mu.Lock()
	cmd := s.cmd
	s.mu.Unlock()
	if err := cmd.Process.Kill(); err != nil {
		s.t.Fatalf("kill the Temporal server: %v", err)
	}
	_ = cmd.Wait()
	s.start(devserver(s.t))
}

func (s *server) stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	_ = s.cmd.Process.Signal(syscall.SIGTERM)
	_ = s.cmd.Wait()
	if s.t.Failed() {
		lines := strings.Split(strings.TrimSpace(string(s.log.Bytes())), "\n")
		s.t.Logf("the last lines of the Temporal server:\n%s", strings.Join(lines[max(0, len(lines)-8):], "\n"))
	}
}

func freePort(t testing.TB) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

// eventually waits for a state of another process; it is the one place that polls.
func eventually(t testing.TB, limit time.Duration, what string, done func() bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for !done() {
		select {
		case <-ctx.Done():
			t.Fatalf("not within %s: %s", limit, what)
		case <-tick.C:
		}
	}
}
