// Package lower turns a checked project into what the rest of terfyn works with:
// the resource graph and one execution program for every workflow.
//
// The whole language is lowered. Whatever a workflow resource takes from its
// program is read off by compiler/steps. A complaint here would be a bug, since
// check has accepted the project.
//
// It leaves out defaults and overlays (compiler/resource), mock scripts and
// files (compiler), and the rules over the finished graph (compiler/validate).
package lower
