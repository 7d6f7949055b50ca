// Package syntax turns the text of one .agent file into a tree.
//
// It owns tokens, comments, the grammar, error recovery and the typed tree that
// the checker and the formatter share. Parse never panics and always yields a
// tree; what it can complain about is listed in errors.go.
//
// It leaves out everything that needs more than one file or the meaning of a
// name: resolution, types, effects, duplicates across declarations, the content
// of instruction files. It opens nothing.
package syntax
