package sqlite

import (
	"database/sql"
	"net/url"
	"path/filepath"
	"strings"

	"modernc.org/sqlite"
)

// open prepares a pool on the file at path (absolute) with SQLite's URI
// parameters in params; no file is touched before the first statement.
func open(path string, params url.Values, connections int) (*sql.DB, error) {
	params.Set("_busy_timeout", "5000")
	params.Set("_dqs", "0") // a misspelt column is an error, not a string
	slashed := filepath.ToSlash(path)
	if !strings.HasPrefix(slashed, "/") {
		slashed = "/" + slashed // a drive letter
	}
	name := url.URL{Scheme: "file", Path: slashed, RawQuery: params.Encode()}
	connector, err := sqlite.NewConnector(name.String())
	if err != nil {
		return nil, err
	}
	db := sql.OpenDB(connector)
	db.SetMaxOpenConns(connections)
	db.SetMaxIdleConns(connections)
	return db, nil
}

func openWriter(path string) (*sql.DB, error) {
	return open(path, url.Values{
		"mode": {"rw"}, "_journal_mode": {"WAL"}, "_synchronous": {"NORMAL"}, "_txlock": {"immediate"},
	}, 1)
}

// readers is the number of reading connections beside the writer.
const readers = 4

func openReader(path string) (*sql.DB, error) {
	return open(path, url.Values{"mode": {"ro"}}, readers)
}

// openImmutable reads the file as if nothing could change it: without locks and
// without the files of the write-ahead log.
func openImmutable(path string) (*sql.DB, error) {
	return open(path, url.Values{"mode": {"ro"}, "immutable": {"1"}}, 1)
}
