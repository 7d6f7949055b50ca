package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// devserver names the variable with the executable of the Temporal server.
const devserver = "TERFYN_DEVSERVER"

// temporalServer is the Temporal server of this test process.
type temporalServer struct {
	once    sync.Once
	address string
	dir     string
	cmd     *exec.Cmd
	err     error
}

var temporal temporalServer

func (s *temporalServer) start() error {
	s.once.Do(func() { s.err = s.run() })
	return s.err
}

func (s *temporalServer) run() error {
	dir, err := os.MkdirTemp("", "terfyn-temporal-")
	if err != nil {
		return err
	}
	s.dir = dir
	ready := filepath.Join(dir, "ready.json")
	var output bytes.Buffer
	cmd := exec.Command(os.Getenv(devserver), "server", "start-dev", "--port", "0", "--ready-file", ready, "--parent-pid", fmt.Sprint(os.Getpid()))
	cmd.Stderr = &output
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("start the Temporal server: %w", err)
	}
	s.cmd = cmd
	var note struct{ Address string }
	err = eventually(func() bool {
		b, err := os.ReadFile(ready)
		return err == nil && json.Unmarshal(b, &note) == nil
	}, "the Temporal server")
	s.address = note.Address
	if err != nil {
		return fmt.Errorf("%w: %s", err, output.String())
	}
	return nil
}

func (s *temporalServer) stop() error {
	if s.cmd == nil {
		return nil
	}
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		return fmt.Errorf("stop the Temporal server: %w", err)
	}
	if err := s.cmd.Wait(); err != nil {
		return fmt.Errorf("stop the Temporal server: %w", err)
	}
	return os.RemoveAll(s.dir)
}

// TestServerScripts runs the scripts that need a Temporal server: one for all,
// a task queue and a state of its own for each.
func TestServerScripts(t *testing.T) {
	t.Parallel()
	if os.Getenv(devserver) == "" {
		if strings.Contains(os.Getenv("TERFYN_REQUIRE"), "devserver") {
			t.Fatalf("%s names no Temporal server and TERFYN_REQUIRE asks for one", devserver)
		}
		t.Skipf("a Temporal server is missing: set %s to the built deploy/devserver", devserver)
	}
	if err := temporal.start(); err != nil {
		t.Fatal(err)
	}
	for i, file := range scripts(t, "testdata/server") {
		name := strings.TrimSuffix(filepath.Base(file), ".txtar")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := parameters(t, onSQLite, file)
			setup := p.Setup
			p.Setup = func(e *testscript.Env) error {
				if err := setup(e); err != nil {
					return err
				}
				e.Setenv("TEMPORAL_ADDRESS", temporal.address)
				e.Setenv(devserver, os.Getenv(devserver))
				e.Setenv("TQ", fmt.Sprintf("scripts-%d", i))
				e.Setenv("ID", fmt.Sprintf("%s-%d", name, time.Now().UnixNano()))
				return nil
			}
			testscript.Run(t, p)
		})
	}
}
