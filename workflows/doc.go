// Package workflows owns TerfynRun, the one generic workflow: it opens a run
// under a pinned snapshot, has the interpreter walk its program, and closes it.
// Everything below it is deterministic code (style.md law 5); it leaves out all
// I/O, which the activities of workflows/contract do.
package workflows
