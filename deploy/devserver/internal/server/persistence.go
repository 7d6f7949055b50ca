package server

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/server/common/config"
	"go.temporal.io/server/common/headers"
	sqliteplugin "go.temporal.io/server/common/persistence/sql/sqlplugin/sqlite"
	sqliteschema "go.temporal.io/server/schema/sqlite"

	"terfyn/deploy/devserver/internal/filelock"
)

// A database file has three companions: PATH.version names the server that made
// it, PATH.lock is held while a server uses it, PATH-wal and PATH-shm belong to
// SQLite (a copy of the database needs PATH-wal too, even after a clean stop).
const (
	versionSuffix = ".version"
	lockSuffix    = ".lock"
	buildSuffix   = ".new" // a database whose schema is not complete yet
)

// sqliteSuffixes end the names of what SQLite may keep beside a database.
var sqliteSuffixes = []string{"-wal", "-shm", "-journal"}

// openDatabase returns the connection settings of the database at path, which it
// makes when there is none, or of one in memory when path is empty. release gives
// the file up; the process must use it no longer then.
func openDatabase(path string, reset bool) (db *config.SQL, release func(), err error) {
	if path == "" {
		return sqliteConfig("terfyn", map[string]string{"mode": "memory", "cache": "shared"}), func() {}, nil
	}
	if path, err = filepath.Abs(path); err != nil {
		return nil, nil, fmt.Errorf("find the database file: %w", err)
	}
	lock, err := filelock.Acquire(path + lockSuffix)
	if errors.Is(err, filelock.ErrHeld) {
		return nil, nil, fmt.Errorf("database %s is in use by another server; stop that one or choose another --db-filename", path)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("lock database %s: %w", path, err)
	}
	if err := prepareFile(path, reset); err != nil {
		lock.Release()
		return nil, nil, err
	}
	// Write-ahead logging with syncs at checkpoints gives two to three times the
	// throughput and survives the end of the process at any point; only a crash
	// of the whole machine can take the last transactions.
	attrs := map[string]string{"mode": "rwc", "journal_mode": "wal", "synchronous": "normal"}
	return sqliteConfig(path, attrs), lock.Release, nil
}

// prepareFile sees to it that path holds a database of this server version.
func prepareFile(path string, reset bool) error {
	if reset {
		if err := removeDatabase(path); err != nil {
			return err
		}
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist), err == nil && info.Mode().IsRegular() && info.Size() == 0:
		return createDatabase(path)
	case err != nil:
		return fmt.Errorf("look at database %s: %w", path, err)
	case !info.Mode().IsRegular():
		return fmt.Errorf("database %s is no regular file", path)
	}
	return checkVersion(path)
}

// checkVersion refuses a database that another server version made: the server
// has no migration for SQLite and would fail later, in the middle of something.
func checkVersion(path string) error {
	const advice = "a database cannot be upgraded; start with --reset-db to throw it away and begin anew, or choose another --db-filename"
	text, err := os.ReadFile(path + versionSuffix)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("database %s has no %s beside it, so the server version that made it is unknown: %s",
			path, filepath.Base(path)+versionSuffix, advice)
	}
	if err != nil {
		return fmt.Errorf("read the version of database %s: %w", path, err)
	}
	if made := strings.TrimSpace(string(text)); made != headers.ServerVersion {
		return fmt.Errorf("database %s was made by server version %q and this is %s: %s", path, made, headers.ServerVersion, advice)
	}
	return nil
}

// createDatabase makes the schema in a file of another name and moves it into
// place, so that a database that exists is complete and has its version beside
// it, wherever the process was stopped.
func createDatabase(path string) error {
	for _, suffix := range sqliteSuffixes {
		// SQLite would play such a log into the new database.
		if _, err := os.Stat(path + suffix); err == nil {
			return fmt.Errorf("database %s is missing but %s is there; put the database back, or start with --reset-db to begin anew",
				path, filepath.Base(path)+suffix)
		}
	}
	build := path + buildSuffix
	if err := remove(build); err != nil {
		return err
	}
	// A half-made file is thrown away, so the schema needs no journal.
	attrs := map[string]string{"mode": "rwc", "journal_mode": "off", "synchronous": "off"}
	if err := sqliteschema.SetupSchema(sqliteConfig(build, attrs)); err != nil {
		return fmt.Errorf("create database %s: %w", path, err)
	}
	if err := syncFile(build); err != nil {
		return fmt.Errorf("create database %s: %w", path, err)
	}
	if err := os.WriteFile(path+versionSuffix, []byte(headers.ServerVersion+"\n"), 0o600); err != nil {
		return fmt.Errorf("note the version of database %s: %w", path, err)
	}
	if err := os.Rename(build, path); err != nil {
		return fmt.Errorf("move database %s into place: %w", path, err)
	}
	return nil
}

// removeDatabase removes the database and what belongs to it, the lock excepted.
func removeDatabase(path string) error {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("database %s is no regular file, it is not removed", path)
	}
	for _, suffix := range append([]string{"", versionSuffix}, sqliteSuffixes...) {
		if err := remove(path + suffix); err != nil {
			return err
		}
	}
	return nil
}

func remove(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove the old database: %w", err)
	}
	return nil
}

func syncFile(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// sqliteConfig leaves the number of connections at the plugin's default of one:
// more are slower, with write-ahead logging too.
func sqliteConfig(file string, attrs map[string]string) *config.SQL {
	// The plugin puts the name into a URI without escaping it.
	escaped := strings.NewReplacer("%", "%25", "?", "%3f", "#", "%23").Replace(file)
	return &config.SQL{PluginName: sqliteplugin.PluginName, DatabaseName: escaped, ConnectAttributes: attrs}
}

// createNamespaces creates those of the namespaces that are missing; the others
// stay as they are. A closed run is kept for 24 hours.
func createNamespaces(db *config.SQL, names []string, attrs map[string]enumspb.IndexedValueType) error {
	for _, n := range names {
		ns, err := sqliteschema.NewNamespaceConfig(clusterName, n, false, attrs)
		if err != nil {
			return fmt.Errorf("create namespace %q: %w", n, err)
		}
		if err := sqliteschema.CreateNamespaces(db, ns); err != nil {
			return fmt.Errorf("create namespace %q: %w", n, err)
		}
	}
	return nil
}
