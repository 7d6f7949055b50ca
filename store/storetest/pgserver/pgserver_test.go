//go:build unix

package pgserver

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

func fake(t *testing.T, dir string, names ...string) string {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestFindPrefersPathThenTheNewest(t *testing.T) {
	root := t.TempDir()
	t.Setenv("PATH", filepath.Join(root, "path"))
	if _, err := find(root); !errors.Is(err, ErrNoBinaries) {
		t.Fatalf("nothing installed: %v", err)
	}
	fake(t, filepath.Join(root, "9.6", "bin"), "initdb", "postgres")
	want := fake(t, filepath.Join(root, "16", "bin"), "initdb", "postgres")
	fake(t, filepath.Join(root, "17", "bin"), "initdb") // clients and tools only
	if got, err := find(root); err != nil || got != want {
		t.Fatalf("found %s, %v; want %s", got, err, want)
	}
	// A link on PATH leads to the folder behind it.
	want = fake(t, filepath.Join(root, "elsewhere"), "initdb", "postgres")
	fake(t, filepath.Join(root, "path"))
	if err := os.Symlink(filepath.Join(want, "initdb"), filepath.Join(root, "path", "initdb")); err != nil {
		t.Fatal(err)
	}
	if got, err := find(root); err != nil || got != want {
		t.Fatalf("found %s, %v; want %s", got, err, want)
	}
}

func start(t *testing.T) *Cluster {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	c, err := Start(ctx)
	if errors.Is(err, ErrNoBinaries) && !strings.Contains(os.Getenv("TERFYN_REQUIRE"), "postgres") {
		t.Skipf("PostgreSQL is missing: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func ping(c *Cluster) error {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	conn, err := pgx.Connect(ctx, c.DSN("postgres"))
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	return conn.Ping(ctx)
}

func TestClusterRunsAndGoes(t *testing.T) {
	for _, long := range []bool{false, true} {
		if long { // a socket there would have too long a name: loopback instead
			dir, err := os.MkdirTemp("", strings.Repeat("long", 25))
			if err != nil {
				t.Fatal(err)
			}
			defer os.RemoveAll(dir)
			if err := os.Chmod(dir, 0o755); err != nil {
				t.Fatal(err)
			}
			t.Setenv("TMPDIR", dir)
		}
		c := start(t)
		if err := ping(c); err != nil {
			t.Error(err)
		}
		if loopback := strings.Contains(c.DSN("x"), "127.0.0.1"); loopback != long {
			t.Errorf("the address is %s", c.DSN("x"))
		}
		if err := c.Stop(); err != nil {
			t.Fatal(err)
		}
		if err := syscall.Kill(c.proc.Pid, 0); !errors.Is(err, syscall.ESRCH) {
			t.Errorf("the server is still there: %v", err)
		}
		if _, err := os.Stat(c.dir); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("the folder is still there: %v", err)
		}
	}
}

func TestStartGivesUpWithItsContext(t *testing.T) {
	if _, err := Find(); err != nil {
		t.Skipf("PostgreSQL is missing: %v", err)
	}
	t.Setenv("TMPDIR", t.TempDir())
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Start(ctx); err == nil {
		t.Fatal("a cluster was started")
	}
	left, err := os.ReadDir(os.Getenv("TMPDIR"))
	if err != nil || len(left) != 0 {
		t.Fatalf("left behind: %v, %v", left, err)
	}
}
