// Package report is the answer of a command about manifest sets: the envelope of
// nexflow.md 10.3 with the exit code that follows from its findings, as JSON bytes
// and as text for people. Both are ASCII, and the same answer gives the same bytes.
//
// It leaves out what a result holds (package nexflow and view) and how findings come
// about.
package report
