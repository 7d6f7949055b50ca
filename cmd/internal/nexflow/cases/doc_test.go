// Package cases runs tables of cases through the real nexflow commands. A row of a
// table names a manifest set, a change to it in a small language, and what has to
// come out: the findings that are new against the unchanged set, the layer that
// fails and the exit codes. What the command must keep in every case, such as equal
// bytes for equal input and an untouched folder, is checked with every row.
//
// Two tables are read: testdata/cases.md over the sets of examples/nexflow, and the
// table that comes with the sample sets of the specification, where those are at
// hand. Rules and commands themselves live in compiler/nexflow and
// cmd/internal/nexflow; this package has nothing but tests.
package cases
