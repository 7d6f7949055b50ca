// Package nexflow is the facade of the commands about manifest sets: a request in, an
// answer out (nexflow.md sections 5 and 10). It settles the effect budget before
// anything is opened, runs the layers one after the other, and turns a fault of its
// own parts into an answer that claims nothing.
//
// It opens nothing itself: sources and destinations are given to it. It leaves out the
// command line, and what becomes of an answer.
package nexflow
