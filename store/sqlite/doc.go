// Package sqlite owns the embedded backend of the store: one file in WAL mode,
// one writing connection and a pool of reading ones, and the opener that reads a
// file without touching it or its folder.
//
// It leaves out the records' statements, which are shared
// (store/internal/sqlstore).
package sqlite
