// Package build owns short, safe ways to construct a project in Go: resources,
// programs and schemas for compiler.Build. It fills in what follows from what is
// written, so that a producer cannot get it wrong: ids of nodes, the flags of calls,
// the form of output documents.
//
// It checks nothing. What is wrong with a project, compiler.Build says, in the words
// of the language.
package build
