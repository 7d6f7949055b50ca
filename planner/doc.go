// Package planner owns the plan: what an apply would create, update and delete,
// and what that does to authority, gates, budgets and triggers.
//
// It is pure. Desired resources, the resources last applied and the outcome of
// checks made elsewhere go in, a Plan comes out; equal inputs give equal bytes.
// The package leaves out reading and writing state (package deploy), how a plan
// looks on a screen (cmd/internal/render), and anything that would contact a
// model or a tool. Its parts: planner/diff compares fields, planner/authority
// compares bounds, planner/risk judges.
package planner
