package open_test

import (
	"context"
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"terfyn/store"
	"terfyn/store/open"
	"terfyn/store/storetest/pgtest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

func TestFile(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), ".agentic", "state.db")
	_, err := open.Open(ctx, path, open.ReadOnly)
	if !errors.Is(err, store.ErrMissing) || !strings.Contains(err.Error(), path) {
		t.Fatalf("reading a missing state: %v", err)
	}
	if _, err := os.Stat(filepath.Dir(path)); err == nil {
		t.Fatal("reading created the folder")
	}
	for _, mode := range []open.Mode{open.ReadWrite, open.Migrate} {
		s, err := open.Open(ctx, path, mode)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.StartRun(ctx, store.Run{RunID: "r1"}); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(s.Describe(), path) {
			t.Errorf("described as %q", s.Describe())
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	s, err := open.Open(ctx, path, open.ReadOnly)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, err := s.Run(ctx, "r1"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.StartRun(ctx, store.Run{RunID: "r2"}); !errors.Is(err, store.ErrReadOnly) {
		t.Fatalf("writing: %v", err)
	}
}

func TestPostgres(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	u, err := url.Parse(pgtest.Database(t))
	if err != nil {
		t.Fatal(err)
	}
	if _, set := u.User.Password(); !set { // a trusting server takes any
		u.User = url.UserPassword(u.User.Username(), "sesame")
	}
	password, _ := u.User.Password()
	for _, mode := range []open.Mode{open.ReadOnly, open.ReadWrite} {
		_, err := open.Open(ctx, u.String(), mode)
		if !errors.Is(err, store.ErrSchemaOlder) || strings.Contains(err.Error(), password) {
			t.Fatalf("an empty database: %v", err)
		}
	}
	for _, c := range []struct {
		scheme string
		mode   open.Mode
		want   error // of a write
	}{
		{"postgres", open.Migrate, nil}, {"postgresql", open.ReadWrite, nil}, {"postgresql", open.ReadOnly, store.ErrReadOnly},
	} {
		u.Scheme = c.scheme
		s, err := open.Open(ctx, u.String(), c.mode)
		if err != nil {
			t.Fatal(err)
		}
		if _, err = s.StartRun(ctx, store.Run{RunID: "r1"}); !errors.Is(err, c.want) {
			t.Errorf("mode %d: writing gave %v, want %v", c.mode, err, c.want)
		}
		text := s.Describe()
		if strings.Contains(text, password) || !strings.Contains(text, strings.TrimPrefix(u.Path, "/")) {
			t.Errorf("described as %q", text)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestRefused(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	if _, err := open.Open(ctx, "", open.ReadWrite); err == nil {
		t.Error("an empty address was opened")
	}
	path := filepath.Join(t.TempDir(), "state.db")
	if _, err := open.Open(ctx, path, 0); err == nil {
		t.Error("the zero mode was accepted")
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("a refused mode created the file")
	}
}
