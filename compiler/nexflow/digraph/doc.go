// Package digraph holds the questions about directed graphs that manifest sets
// raise: who stands in a circle, what comes directly before, and what does not come
// before at all. Sets may have many thousand steps in one chain, so nothing here
// recurses or keeps a table of all pairs.
//
// It knows ids and nothing about what they are the ids of.
package digraph
