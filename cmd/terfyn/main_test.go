package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"terfyn/cmd/internal/cli"
	"terfyn/store/open"
	"terfyn/store/storetest/pgserver"
	"terfyn/store/storetest/pgtest"
)

func TestMain(m *testing.M) {
	testscript.Main(withServers{m}, map[string]func(){
		"terfyn": func() { os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) },
	})
}

// withServers stops the servers that tests started, after the last test.
type withServers struct{ m *testing.M }

func (w withServers) Run() int {
	code := w.m.Run()
	for _, stop := range []func() error{postgres.stop, temporal.stop} {
		if err := stop(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = max(code, 1)
		}
	}
	return code
}

// cluster is the PostgreSQL server of this test process.
type cluster struct {
	once   sync.Once
	server *pgserver.Cluster
	err    error
}

var postgres cluster

// start makes sure that pgtest has a server to ask, started at most once. Where
// PostgreSQL is missing pgtest itself skips or fails.
func (c *cluster) start() error {
	c.once.Do(func() {
		if os.Getenv(pgtest.Environment) != "" {
			return
		}
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
		defer cancel()
		c.server, c.err = pgserver.Start(ctx)
		if errors.Is(c.err, pgserver.ErrNoBinaries) {
			c.err = nil
			return
		}
		if c.err == nil {
			c.err = os.Setenv(pgtest.Environment, c.server.DSN("postgres"))
		}
	})
	return c.err
}

func (c *cluster) stop() error {
	if c.server == nil {
		return nil
	}
	return c.server.Stop()
}

// The contexts the corpus runs in: the same scripts, another state.
const (
	onSQLite   = "sqlite"
	onPostgres = "postgres"
)

func TestScripts(t *testing.T) {
	t.Parallel()
	for _, name := range []string{onSQLite, onPostgres} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, file := range scripts(t, "testdata/script") {
				t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
					t.Parallel()
					testscript.Run(t, parameters(t, name, file))
				})
			}
		})
	}
}

func scripts(t *testing.T, dir string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts in %s: %v", dir, err)
	}
	return files
}

func parameters(t *testing.T, state, file string) testscript.Params {
	t.Helper()
	var dsn, empty string
	if state == onPostgres {
		if err := postgres.start(); err != nil {
			t.Fatal(err)
		}
		dsn, empty = pgtest.Database(t), pgtest.Database(t)
		s, err := open.Open(t.Context(), dsn, open.Migrate)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return testscript.Params{
		Files: []string{file}, RequireExplicitExec: true, RequireUniqueNames: true, UpdateScripts: os.Getenv("UPDATE_GOLDEN") == "1",
		Setup: func(e *testscript.Env) error {
			isolate(e)
			e.Setenv("TERFYN_STATE", dsn)
			e.Setenv("EMPTY_STATE", empty)
			return nil
		},
		Condition: func(c string) (bool, error) {
			switch c {
			case onSQLite, onPostgres:
				return c == state, nil
			}
			return false, fmt.Errorf("unknown condition %q", c)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": exits, "seed": seed, "damage": damage, "save": save, "waitfile": waitFile, "killpid": killPID, "gone": gone, "waitrun": waitRun,
		},
	}
}

// isolate keeps a script from the settings of the person who runs it.
func isolate(e *testscript.Env) {
	e.Setenv("TEMPORAL_CONFIG_FILE", filepath.Join(e.WorkDir, "no-temporal.toml"))
	// A port nothing listens on, so that no script finds a server by chance.
	e.Setenv("TEMPORAL_ADDRESS", "127.0.0.1:1")
	e.Setenv("TERFYN_HITL_ACTOR", "reviewer")
	e.Setenv("NO_COLOR", "1")
}

// exits runs a command and checks its exit code: exits CODE COMMAND ARG...
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND ARG...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	err = ts.Exec(args[1], args[2:]...)
	var failed *exec.ExitError
	if errors.As(err, &failed) {
		got = failed.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("%s exits %d, want %d", strings.Join(args[1:], " "), got, want)
	}
}

// save keeps a member of a JSON file in a variable: save VARIABLE FILE MEMBER...
func save(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 {
		ts.Fatalf("usage: save VARIABLE FILE MEMBER...")
	}
	ts.Setenv(args[0], member(ts, args[1], args[2:]...))
}
