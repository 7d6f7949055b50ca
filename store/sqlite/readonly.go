package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"terfyn/store"
	"terfyn/store/internal/sqlstore"
)

// OpenReadOnly opens the file at path for reading. It never creates the file, a
// folder or a table; store.ErrMissing when there is no file, and
// store.ErrSchemaOlder or ErrSchemaNewer when its version does not fit.
func OpenReadOnly(ctx context.Context, path string) (store.Store, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("open state %s: %w", path, err)
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%w at %s: `terfyn apply` creates it", store.ErrMissing, path)
	case err != nil:
		return nil, fmt.Errorf("open state: %w", err)
	case info.IsDir():
		return nil, fmt.Errorf("open state %s: it is a folder, not a file", path)
	}
	f := &file{path: path}
	found := int64(0)
	err = f.Read(ctx, func(c sqlstore.Conn) (err error) {
		found, err = version(ctx, c.(conn).q)
		return err
	})
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open state %s: %w", path, f.Translate(err)), f.Close())
	}
	if err := sqlstore.CheckVersion("state "+path, found, sqlstore.Latest(migrations())); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return sqlstore.New(f), nil
}

// file is a database open for reading.
//
// An ordinary reader of a database in WAL mode creates the -wal and -shm files
// when they are absent, which is a write beside the state. So while no log
// exists (no process has the state open for writing) the file is read as
// immutable, and the promise behind that word is checked: when a log appeared or
// the file changed during a read, what was read is thrown away and read again.
type file struct {
	dialect
	path string

	mu    sync.Mutex // one read at a time
	db    *sql.DB
	state fileState // what db was opened on
}

var _ sqlstore.Backend = (*file)(nil)

// fileState tells whether an immutable reader may keep what it has read.
type fileState struct {
	live     bool // a log exists: read through it
	size     int64
	modified time.Time
}

func probe(path string) (fileState, error) {
	for _, suffix := range []string{"-wal", "-journal"} {
		if _, err := os.Stat(path + suffix); err == nil {
			return fileState{live: true}, nil
		}
	}
	info, err := os.Stat(path)
	if err != nil {
		return fileState{}, err
	}
	return fileState{size: info.Size(), modified: info.ModTime()}, nil
}

func (r *file) Read(_ context.Context, f func(sqlstore.Conn) error) error {
	const attempts = 5
	r.mu.Lock()
	defer r.mu.Unlock()
	for attempt := 1; ; attempt++ {
		before, err := probe(r.path)
		if err != nil {
			return err
		}
		if attempt == attempts { // a busy writer: take part in its locking
			before = fileState{live: true}
		}
		if err := r.reopen(before); err != nil {
			return err
		}
		err = f(conn{r.db})
		if before.live {
			return err
		}
		if after, statErr := probe(r.path); statErr != nil || after == before {
			return errors.Join(err, statErr)
		}
	}
}

// reopen makes db fit the state; a reader of an unchanged file is kept.
func (r *file) reopen(now fileState) (err error) {
	if r.db != nil && r.state == now {
		return nil
	}
	if err := r.close(); err != nil {
		return err
	}
	if now.live {
		r.db, err = openReader(r.path)
	} else {
		r.db, err = openImmutable(r.path)
	}
	r.state = now
	return err
}

func (r *file) close() error {
	if r.db == nil {
		return nil
	}
	db := r.db
	r.db = nil
	return db.Close()
}

func (r *file) Exec(context.Context, string, ...any) (int64, error) { return 0, store.ErrReadOnly }

func (r *file) Write(context.Context, func(sqlstore.Conn) error) error { return store.ErrReadOnly }

func (r *file) Append(context.Context, []store.Event, ...sqlstore.Statement) ([]store.Event, error) {
	return nil, store.ErrReadOnly
}

func (r *file) Describe() string { return "SQLite file " + r.path + " (read-only)" }

func (r *file) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.close()
}
