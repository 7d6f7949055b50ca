// Package effects owns the effect bound: which operations and effects each agent
// and workflow can reach, by which path, and whether through written calls alone
// or through a choice an agent makes (language.md section 11).
//
// The bound is the least fixed point over calls, grants, nested workflows,
// delegation, and the operations that reconcile others. A reachable operation whose effects nobody declared is listed as
// unknown, never left out. The package reads a resource graph and the calls
// recorded on its workflows; it leaves out policies' other rules, plans and
// decisions about single calls.
package effects
