// Package types owns schema documents and what the checker derives from them:
// loading and validating JSON Schemas, the categories a value may have, and
// which producer fits which consumer (language.md section 10).
//
// A Schema is compiled from bytes alone; a reference to another document is an
// error, so nothing here can open a file or a connection. Validation reads
// numbers exactly and its messages name places and expectations, never the
// values found there. The package leaves out where schemas come from, positions
// in source, and what a mismatch means for a call (compiler/check).
package types
