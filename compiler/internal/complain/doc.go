// Package complain owns the words of the complaints that source and built programs
// can both give rise to, so that package check and package verify say the same
// thing. What only one of them finds it words itself.
package complain
