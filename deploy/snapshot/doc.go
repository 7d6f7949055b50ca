// Package snapshot owns the deployment snapshot: how the compiled content of a
// project becomes immutable artifacts under one digest, and how it is read back.
//
// A snapshot is four artifacts (resolved graph, execution programs, capability
// manifest, schema bundle) and one row over their digests. Its digest depends on
// content alone: not on a path, a time or the order of a map. Loading verifies
// every digest and refuses a format version it does not know; nothing is ever
// reinterpreted.
//
// The package leaves out which snapshot an environment currently runs (package
// deploy) and where artifacts are kept (package store).
package snapshot
