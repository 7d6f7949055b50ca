package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"

	"terfyn/store"
	"terfyn/store/postgres"
	"terfyn/store/storetest"
	"terfyn/store/storetest/pgtest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// tampered adds the door that the suite needs for changing rows unseen.
type tampered struct {
	store.Store
	dsn string
}

func (s tampered) Tamper(t *testing.T, statement string) {
	t.Helper()
	execute(t, s.dsn, statement)
}

func execute(t testing.TB, dsn, statement string) {
	t.Helper()
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(ctx)
	if _, err := conn.Exec(ctx, statement); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}

func migrated(t testing.TB, dsn string) store.Store {
	t.Helper()
	if err := postgres.Migrate(context.Background(), dsn); err != nil {
		t.Fatal(err)
	}
	s, err := postgres.Open(context.Background(), dsn, postgres.Options{})
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

// TestConformance gives every case a schema of its own, which is made faster
// than a database and shows that the store stays inside its search_path.
func TestConformance(t *testing.T) {
	t.Parallel()
	base := pgtest.Database(t)
	var mu sync.Mutex // migrations would wait for each other in the server, by polling
	schemas := 0
	storetest.Exercise(t, func(t *testing.T) store.Store {
		mu.Lock()
		defer mu.Unlock()
		schemas++
		schema := fmt.Sprintf("case_%d", schemas)
		execute(t, base, "CREATE SCHEMA "+schema)
		dsn := inSchema(t, base, schema)
		return tampered{migrated(t, dsn), dsn}
	})
}

func inSchema(t *testing.T, dsn, schema string) string {
	t.Helper()
	u, err := url.Parse(dsn)
	if err != nil {
		t.Fatal(err)
	}
	query := u.Query()
	query.Set("search_path", schema)
	u.RawQuery = query.Encode()
	return u.String()
}

func TestSchemaVersion(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	dsn := pgtest.Database(t)
	_, err := postgres.Open(ctx, dsn, postgres.Options{})
	if !errors.Is(err, store.ErrSchemaOlder) || !strings.Contains(err.Error(), "terfyn store migrate") {
		t.Fatalf("an empty database: %v", err)
	}
	var wg sync.WaitGroup
	errs := make([]error, 4)
	for i := range errs { // several operators at once
		wg.Go(func() { errs[i] = postgres.Migrate(ctx, dsn) })
	}
	wg.Wait()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
	s, err := postgres.Open(ctx, dsn, postgres.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	execute(t, dsn, `INSERT INTO terfyn_schema (version_id, is_applied) VALUES (999, true)`)
	if _, err = postgres.Open(ctx, dsn, postgres.Options{}); !errors.Is(err, store.ErrSchemaNewer) {
		t.Fatalf("a newer database: %v", err)
	}
	if err = postgres.Migrate(ctx, dsn); !errors.Is(err, store.ErrSchemaNewer) {
		t.Fatalf("migrating a newer database: %v", err)
	}
}

func TestReadOnly(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	dsn := pgtest.Database(t)
	migrated(t, dsn)
	s, err := postgres.Open(ctx, dsn, postgres.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	_, startErr := s.StartRun(ctx, store.Run{RunID: "r"})
	_, appendErr := s.Append(ctx, store.Event{RunID: "r", Type: "x"})
	txErr := s.InTx(ctx, func(store.Tx) error { return nil })
	for _, err := range []error{startErr, appendErr, txErr} {
		if !errors.Is(err, store.ErrReadOnly) {
			t.Errorf("a write gave %v", err)
		}
	}
	if runs, err := s.ListRuns(ctx, store.RunFilter{}); err != nil || len(runs) != 0 {
		t.Errorf("listing gave %v, %v", runs, err)
	}
}

func TestLockedRowGivesErrLocked(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	dsn := pgtest.Database(t)
	s := migrated(t, dsn)
	if _, err := s.OpenApproval(ctx, store.Approval{ID: "a", RunID: "r", Revision: "x"}); err != nil {
		t.Fatal(err)
	}
	conn, err := pgx.Connect(ctx, dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(ctx)
	tx, err := conn.Begin(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tx.Exec(ctx, `SELECT 1 FROM approvals WHERE approval_id = 'a' FOR UPDATE`); err != nil {
		t.Fatal(err)
	}
	_, err = s.Decide(ctx, store.Decision{ApprovalID: "a", Revision: "x", Decision: "approve"}, store.ApprovalApproved)
	if !errors.Is(err, store.ErrLocked) {
		t.Fatalf("got %v", err)
	}
}

func TestAddressErrorsHideThePassword(t *testing.T) {
	t.Parallel()
	for _, dsn := range []string{
		"postgres://alice:sesame@127.0.0.1:1/db?sslmode=disable",
		"postgres://alice:sesame@[bad/db",
		"postgres://alice:ses%zzame@host/db",
		"postgres://alice:sesame@host:port/db",
		"postgres://alice:sesame@host/db?sslmode=nonsense",
	} {
		_, err := postgres.Open(context.Background(), dsn, postgres.Options{})
		if err == nil {
			t.Fatalf("%s was opened", dsn)
		}
		if strings.Contains(err.Error(), "ses") && !strings.Contains(err.Error(), "session") {
			t.Errorf("the error shows the password: %v", err)
		}
	}
}

// BenchmarkAppend appends one event at a time to one chain.
func BenchmarkAppend(b *testing.B) {
	storetest.BenchmarkAppend(b, migrated(b, pgtest.Database(b)))
}

// BenchmarkVerify walks chains of growing length; ns/event must stay level.
func BenchmarkVerify(b *testing.B) {
	storetest.BenchmarkVerify(b, migrated(b, pgtest.Database(b)))
}
