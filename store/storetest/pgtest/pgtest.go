// Package pgtest owns fresh PostgreSQL databases for tests. The server is the
// one TERFYN_TEST_POSTGRES names, else one throwaway cluster per test process.
//
// A test that needs a database is skipped where PostgreSQL is not installed,
// unless TERFYN_REQUIRE contains "postgres": then it fails. Tests that must not
// leave a folder behind call Main from their TestMain.
package pgtest

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"terfyn/store/storetest/pgserver"
)

// Environment names the variable with the DSN of a server whose user may create
// databases.
const Environment = "TERFYN_TEST_POSTGRES"

// Main runs the tests of a package and stops the cluster they started:
//
//	func TestMain(m *testing.M) { pgtest.Main(m) }
func Main(m *testing.M) {
	code := m.Run()
	if err := process.stop(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = max(code, 1)
	}
	os.Exit(code)
}

// Database returns the DSN of a new empty database, dropped when t ends.
func Database(t testing.TB) string {
	t.Helper()
	admin, err := process.address()
	if errors.Is(err, pgserver.ErrNoBinaries) && !required() {
		t.Skipf("PostgreSQL is missing: %v; set %s to use a running server", err, Environment)
	}
	if err != nil {
		t.Fatalf("PostgreSQL for tests: %v", err)
	}
	name := "terfyn_test_" + strings.ToLower(rand.Text()[:16])
	// template0 has no sessions, so several databases can be made at once.
	execute(t, admin, "CREATE DATABASE "+name+" TEMPLATE template0")
	t.Cleanup(func() { execute(t, admin, "DROP DATABASE "+name+" WITH (FORCE)") })
	u, err := url.Parse(admin)
	if err != nil || !strings.HasPrefix(u.Scheme, "postgres") {
		t.Fatalf("%s must be a postgres:// URL", Environment)
	}
	u.Path = "/" + name
	return u.String()
}

func required() bool { return strings.Contains(os.Getenv("TERFYN_REQUIRE"), "postgres") }

func execute(t testing.TB, dsn, statement string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	conn, err := pgx.Connect(ctx, dsn)
	if err != nil {
		t.Fatalf("connect to PostgreSQL: %v", err)
	}
	defer conn.Close(ctx)
	if _, err := conn.Exec(ctx, statement); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}

// process is the server of this test process.
var process server

type server struct {
	mu      sync.Mutex
	tried   bool
	cluster *pgserver.Cluster
	err     error
}

// address returns the DSN of the server's maintenance database, starting the
// cluster on the first call.
func (s *server) address() (string, error) {
	if dsn := os.Getenv(Environment); dsn != "" {
		return dsn, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.tried {
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
		defer cancel()
		s.cluster, s.err = pgserver.Start(ctx)
		s.tried = true
	}
	if s.err != nil {
		return "", s.err
	}
	return s.cluster.DSN("postgres"), nil
}

func (s *server) stop() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cluster == nil {
		return nil
	}
	err := s.cluster.Stop()
	s.cluster = nil
	return err
}
