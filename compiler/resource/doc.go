// Package resource owns the resource graph: the kinds of a project as plain
// types, their defaults and environment overlays, and their canonical form.
//
// A Graph is what plan diffs, apply stores and policy reads. Every ingress
// (.agent source, the typed Go ingress, NexFlow sets) builds this one type. The
// package leaves out source syntax, schemas' contents and execution programs
// (compiler/ir), which hang beside the graph in a deployment snapshot.
package resource
