// Package code is the catalogue of the codes that findings about manifest sets
// carry. Codes that begin with NF- are NexFlow's (nexflow.md 9.2), those with
// TERFYN- are ours (nexflow.md 9.3). A code is never reused for something else.
//
// The package leaves out when a code is given; that is written where it is found.
package code
