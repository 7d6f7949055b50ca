// Package starter composes the three documents that terfyn nexflow init writes, and
// decides what to do about what lies at their place (nexflow.md 10.4).
//
// It leaves out looking and writing; that is the one writer of the program.
package starter
