package server

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestOpenDatabaseMakesACompleteOne(t *testing.T) {
	t.Parallel()
	for what, prepare := range map[string]func(path string) error{
		"nothing there":        func(string) error { return nil },
		"an empty file":        func(path string) error { return os.WriteFile(path, nil, 0o600) },
		"an interrupted start": func(path string) error { return os.WriteFile(path+buildSuffix, []byte("half a database"), 0o600) },
		"a version alone":      func(path string) error { return os.WriteFile(path+versionSuffix, []byte("1.0.0"), 0o600) },
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "state.db")
			if err := prepare(path); err != nil {
				t.Fatal(err)
			}
			db, release, err := openDatabase(path, false)
			if err != nil {
				t.Fatal(err)
			}
			defer release()
			if err := createNamespaces(db, []string{"one", "two"}, nil); err != nil {
				t.Errorf("the database takes no namespaces: %v", err)
			}
			if err := checkVersion(path); err != nil {
				t.Errorf("the version beside it: %v", err)
			}
			if _, err := os.Stat(path + buildSuffix); err == nil {
				t.Errorf("%s is still there", path+buildSuffix)
			}
		})
	}
}

func TestOpenDatabaseRefuses(t *testing.T) {
	t.Parallel()
	cases := []struct {
		what      string
		prepare   func(path string) error
		reset     bool
		complaint string
	}{
		{"a folder", func(path string) error { return os.Mkdir(path, 0o700) }, false, "no regular file"},
		{"a folder at a reset", func(path string) error { return os.Mkdir(path, 0o700) }, true, "no regular file"},
		{"a log without its database", func(path string) error { return os.WriteFile(path+"-wal", []byte("log"), 0o600) }, false, "put the database back"},
		{"a file of unknown origin", func(path string) error { return os.WriteFile(path, []byte("notes"), 0o600) }, false, "unknown"},
	}
	for _, c := range cases {
		t.Run(c.what, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "state.db")
			if err := c.prepare(path); err != nil {
				t.Fatal(err)
			}
			_, _, err := openDatabase(path, c.reset)
			if err == nil || !strings.Contains(err.Error(), c.complaint) {
				t.Fatalf("got %v, want a complaint with %q", err, c.complaint)
			}
			// The refusal gave the lock back, so the next answer is the same one.
			_, _, again := openDatabase(path, c.reset)
			if again == nil || again.Error() != err.Error() {
				t.Errorf("asked again: %v", again)
			}
		})
	}
}

func TestOpenDatabaseNeedsItsFolder(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "missing", "state.db")
	if _, _, err := openDatabase(path, false); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("got %v, want a complaint that names the path", err)
	}
}

func TestResetRemovesWhatBelongsToTheDatabase(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "state.db")
	for _, suffix := range []string{"", versionSuffix, "-wal", "-shm", "-journal"} {
		if err := os.WriteFile(path+suffix, []byte("old"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	db, release, err := openDatabase(path, true)
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	if err := createNamespaces(db, []string{"default"}, nil); err != nil {
		t.Errorf("the new database takes no namespace: %v", err)
	}
	if err := checkVersion(path); err != nil {
		t.Error(err)
	}
}
