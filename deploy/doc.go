// Package deploy owns the step from a reviewed plan to applied state: reading
// the baseline, refusing what moved or what policy forbids, and committing
// snapshot, artifacts, applied resources and the current pointer in one store
// transaction. It finds the snapshot an environment runs and returns to an
// earlier one.
//
// It leaves out how a plan is computed (package planner), what a snapshot
// consists of (deploy/snapshot), asking a person, and running anything.
package deploy
