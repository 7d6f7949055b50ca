// Package activities binds the code that acts to the names of workflows/contract:
// it opens and closes runs, makes model turns and tool calls, and stores decisions.
// Each activity writes its records in the transaction of its work, is safe to
// repeat, and reports what no retry would cure as data in its result.
//
// It leaves out the check before dispatch (guard), views and artifacts (record),
// providers (model) and transports (tool).
package activities
