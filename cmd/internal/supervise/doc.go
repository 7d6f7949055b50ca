// Package supervise owns keeping child processes running: start in order, start
// again with growing delays when one ends, stop in reverse order by process id.
// It leaves out what the children are.
package supervise
