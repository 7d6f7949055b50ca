// Package budget says what each command about manifest sets may do beside answering
// (nexflow.md 11.1), and stops a command whose entry allows more than it may.
//
// The table is part of the program: nothing outside of it, no flag, manifest, file or
// variable, reaches it. The package leaves out how the effects are kept away; that is
// the import law, the one reader, the one writer and the harness around the binary.
package budget
