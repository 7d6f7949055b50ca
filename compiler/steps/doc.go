// Package steps owns the step projection: the steps, calls and identity that a
// workflow resource takes from its execution program (language.md 12.2). Every
// ingress projects with it, so that a program means one thing however it came in.
// It checks nothing and knows no syntax; package verify checks programs.
package steps
