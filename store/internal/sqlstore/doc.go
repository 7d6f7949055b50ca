// Package sqlstore owns the statements and transaction rules that the two SQL
// backends share: every method of store.Store, written once against the seam of
// this package (Backend, Conn, Dialect).
//
// Statements use $1 placeholders and the common subset of PostgreSQL and SQLite.
// Isolation is read committed: a method that decides on what it reads locks the
// row first (Dialect.ForUpdate), which SQLite's single writer makes needless.
//
// It leaves out connecting, migrations, and how a backend links events to a
// chain; those live in store/postgres and store/sqlite.
package sqlstore
