// Package ir owns the execution IR: what the interpreter runs, one Program per
// workflow (execution.md section 1).
//
// A Program is serialised as canonical JSON with a format version; its digest is
// over those bytes. Nodes carry structural ids (call sites), never source
// positions. Reading refuses an unknown format version or node kind. The package
// leaves out how programs are made (compiler/lower) and how they run (workflows).
package ir
