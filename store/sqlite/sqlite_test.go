package sqlite_test

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"terfyn/store"
	"terfyn/store/sqlite"
	"terfyn/store/storetest"
)

// tampered adds the door that the suite needs for changing rows unseen.
type tampered struct {
	store.Store
	path string
}

func (s tampered) Tamper(t *testing.T, statement string) {
	t.Helper()
	execute(t, s.path, statement)
}

func execute(t testing.TB, path, statement string) {
	t.Helper()
	db, err := sql.Open("sqlite", path+"?_busy_timeout=5000")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(statement); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}

func opened(t testing.TB, path string) store.Store {
	t.Helper()
	s, err := sqlite.Open(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func TestConformance(t *testing.T) {
	t.Parallel()
	storetest.Exercise(t, func(t *testing.T) store.Store {
		path := filepath.Join(t.TempDir(), "state.db")
		return tampered{opened(t, path), path}
	})
}

// tree lists the files under dir with the hash of their bytes.
func tree(t *testing.T, dir string) map[string][32]byte {
	t.Helper()
	out := map[string][32]byte{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		out[strings.TrimPrefix(path, dir)] = sha256.Sum256(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestReadOnlyLeavesEverythingAsItIs(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	dir := t.TempDir()
	path := filepath.Join(dir, "a folder?#%", "state.db")
	s, err := sqlite.Open(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.StartRun(ctx, store.Run{RunID: "r1"}); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	before := tree(t, dir)
	if len(before) != 1 {
		t.Fatalf("closing left %v", before)
	}
	r, err := sqlite.OpenReadOnly(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Run(ctx, "r1"); err != nil {
		t.Fatal(err)
	}
	wantReadOnly(t, r)
	if diff := cmp.Diff(before, tree(t, dir)); diff != "" {
		t.Fatalf("while open: %s", diff)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, tree(t, dir)); diff != "" {
		t.Fatalf("after closing: %s", diff)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("the state has the mode %v, %v", info.Mode(), err)
	}
}

func wantReadOnly(t *testing.T, r store.Store) {
	t.Helper()
	ctx := context.Background()
	_, startErr := r.StartRun(ctx, store.Run{RunID: "r2"})
	_, appendErr := r.Append(ctx, store.Event{RunID: "r", Type: "x"})
	txErr := r.InTx(ctx, func(store.Tx) error { return nil })
	for _, err := range []error{startErr, appendErr, txErr} {
		if !errors.Is(err, store.ErrReadOnly) {
			t.Errorf("a write gave %v", err)
		}
	}
}

// A reader that was opened on a quiet file follows a writer that comes later,
// through its log and after it has closed.
func TestReadOnlyFollowsAWriter(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "state.db")
	if err := opened(t, path).Close(); err != nil {
		t.Fatal(err)
	}
	r, err := sqlite.OpenReadOnly(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	count := func() int {
		runs, err := r.ListRuns(ctx, store.RunFilter{})
		if err != nil {
			t.Fatal(err)
		}
		return len(runs)
	}
	if n := count(); n != 0 {
		t.Fatalf("%d runs", n)
	}
	for i, id := range []string{"a", "b", "c"} {
		w, err := sqlite.Open(ctx, path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.StartRun(ctx, store.Run{RunID: id}); err != nil {
			t.Fatal(err)
		}
		if n := count(); n != i+1 {
			t.Fatalf("beside the writer: %d runs, want %d", n, i+1)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if n := count(); n != i+1 {
			t.Fatalf("behind the writer: %d runs, want %d", n, i+1)
		}
	}
}

func TestReadOnlyNeedsAState(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	dir := t.TempDir()
	path := filepath.Join(dir, "sub", "state.db")
	_, err := sqlite.OpenReadOnly(ctx, path)
	if !errors.Is(err, store.ErrMissing) || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "terfyn apply") {
		t.Fatalf("a missing file: %v", err)
	}
	if _, err = sqlite.OpenReadOnly(ctx, dir); err == nil {
		t.Fatal("a folder was opened")
	}
	for name, c := range map[string]struct {
		content string
		want    error
	}{"empty": {"", store.ErrSchemaOlder}, "other": {strings.Repeat("no database ", 100), nil}} {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(c.content), 0o600); err != nil {
			t.Fatal(err)
		}
		before := tree(t, dir)
		_, err := sqlite.OpenReadOnly(ctx, file)
		if err == nil || c.want != nil && !errors.Is(err, c.want) {
			t.Fatalf("%s: %v", name, err)
		}
		if diff := cmp.Diff(before, tree(t, dir)); diff != "" {
			t.Fatalf("%s: %s", name, diff)
		}
	}
	if _, err := os.Stat(filepath.Dir(path)); !errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("the folder was created: %v", err)
	}
}

func TestNewerSchema(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "state.db")
	if err := opened(t, path).Close(); err != nil {
		t.Fatal(err)
	}
	execute(t, path, `INSERT INTO terfyn_schema (version_id, is_applied) VALUES (999, 1)`)
	if _, err := sqlite.Open(ctx, path); !errors.Is(err, store.ErrSchemaNewer) {
		t.Fatalf("for writing: %v", err)
	}
	if _, err := sqlite.OpenReadOnly(ctx, path); !errors.Is(err, store.ErrSchemaNewer) {
		t.Fatalf("for reading: %v", err)
	}
}

func TestSeveralOpenersOfANewFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "new", "state.db")
	var wg sync.WaitGroup
	errs := make([]error, 8)
	for i := range errs {
		wg.Go(func() {
			s, err := sqlite.Open(context.Background(), path)
			if err == nil {
				_, err = s.Append(context.Background(), store.Event{RunID: "r", Type: "x", Ordinal: i})
				err = errors.Join(err, s.Close())
			}
			errs[i] = err
		})
	}
	wg.Wait()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
	head, err := opened(t, path).ChainHead(context.Background(), "r")
	if err != nil || head.Seq != 8 {
		t.Fatalf("head %+v, %v", head, err)
	}
}

func TestHeldLockGivesErrLocked(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "state.db")
	s := opened(t, path)
	db, err := sql.Open("sqlite", path+"?_txlock=immediate")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	tx, err := db.Begin()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback() }()
	_, err = s.StartRun(ctx, store.Run{RunID: "r"})
	if !errors.Is(err, store.ErrLocked) {
		t.Fatalf("got %v", err)
	}
	if _, err := s.ListRuns(ctx, store.RunFilter{}); err != nil {
		t.Fatalf("a reader was held up: %v", err)
	}
}

func TestWriteAheadLog(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "state.db")
	opened(t, path)
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var mode string
	if err := db.QueryRow("PRAGMA journal_mode").Scan(&mode); err != nil || mode != "wal" {
		t.Fatalf("journal mode %q, %v", mode, err)
	}
}

// BenchmarkAppend appends one event at a time to one chain.
func BenchmarkAppend(b *testing.B) {
	storetest.BenchmarkAppend(b, opened(b, filepath.Join(b.TempDir(), "state.db")))
}

// BenchmarkVerify walks chains of growing length; ns/event must stay level.
func BenchmarkVerify(b *testing.B) {
	storetest.BenchmarkVerify(b, opened(b, filepath.Join(b.TempDir(), "state.db")))
}

// BenchmarkOpen opens a state whose schema fits already.
func BenchmarkOpen(b *testing.B) {
	path := filepath.Join(b.TempDir(), "state.db")
	if err := opened(b, path).Close(); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		s, err := sqlite.Open(context.Background(), path)
		if err != nil {
			b.Fatal(err)
		}
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
	}
}
