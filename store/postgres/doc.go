// Package postgres owns the PostgreSQL backend of the store: the connection
// pool, migrations, linking of trace events inside the database, and the
// translation of PostgreSQL's errors. PostgreSQL 13 and newer.
//
// Tables live in the first schema of the connection's search_path. It leaves out
// the records' statements, which are shared (store/internal/sqlstore).
package postgres
