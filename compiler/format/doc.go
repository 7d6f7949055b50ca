// Package format prints a syntax tree in the one canonical layout.
//
// The tree is first turned into a layout of scopes (everything between a pair of
// braces or parentheses) and items (everything that gets a line of its own).
// Comments are then hung on that layout by source position, while it still has
// the author's order; only then are items put into canonical order and printed.
// So a comment moves with the construct it stands at and cannot leave its scope.
//
// The package leaves out reading and writing files and the decision what an
// unformatted file means; see Source for files with errors.
package format
