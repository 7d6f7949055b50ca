package pgtest_test

import (
	"context"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"terfyn/store/storetest/pgtest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

func query(t *testing.T, dsn, statement string) (out string) {
	t.Helper()
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(ctx)
	if err := conn.QueryRow(ctx, statement).Scan(&out); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
	return out
}

func TestDatabasesAreFreshAndDropped(t *testing.T) {
	first, second := pgtest.Database(t), ""
	name := ""
	t.Run("inner", func(t *testing.T) {
		second = pgtest.Database(t)
		u, err := url.Parse(second)
		if err != nil {
			t.Fatal(err)
		}
		name = strings.TrimPrefix(u.Path, "/")
		if got := query(t, second, `SELECT current_database()`); got != name {
			t.Fatalf("connected to %s, not %s", got, name)
		}
		if n := query(t, second, `SELECT count(*)::text FROM pg_tables WHERE schemaname = 'public'`); n != "0" {
			t.Fatalf("a fresh database holds %s tables", n)
		}
	})
	if first == second {
		t.Fatal("two tests share a database")
	}
	if n := query(t, first, `SELECT count(*)::text FROM pg_database WHERE datname = '`+name+`'`); n != "0" {
		t.Fatal("the inner test's database is still there")
	}
}

// TestProbe is run by TestWrongAddressFails in a process of its own.
func TestProbe(t *testing.T) {
	if os.Getenv("TERFYN_PGTEST_PROBE") == "" {
		pgtest.Database(t) // an ordinary use otherwise
		return
	}
	t.Setenv(pgtest.Environment, "nonsense")
	pgtest.Database(t)
}

// A wrong address fails the test; it never counts as a missing server.
func TestWrongAddressFails(t *testing.T) {
	t.Parallel()
	probe := exec.Command(os.Args[0], "-test.run", "^TestProbe$", "-test.v")
	probe.Env = append(os.Environ(), "TERFYN_PGTEST_PROBE=1")
	out, err := probe.CombinedOutput()
	if err == nil || !strings.Contains(string(out), "--- FAIL: TestProbe") {
		t.Fatalf("a wrong address gave %v:\n%s", err, out)
	}
}
