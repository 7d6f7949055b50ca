// Package lower turns a checked project into what the rest of terfyn works with:
// the resource graph and one execution program for every workflow.
//
// Both are projections of the checked tree; neither is made from the other. The
// package also owns the table of constructs that the language has and this
// build does not lower: they are refused at their position and never ignored. Any
// other complaint here would be a bug, since check has accepted the project.
//
// It leaves out defaults and overlays (compiler/resource), mock scripts and
// files (compiler), and the rules over the finished graph (compiler/validate).
package lower
