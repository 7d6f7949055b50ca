// Package authority owns the comparison of two effect bounds: what agents are
// granted, which operations and effects each root gained or lost, what policy
// answers in each context of an operation, and whether static or autonomous
// authority widened. The bound itself comes from
// compiler/effects; how bad a change is stands in planner/risk.
package authority
