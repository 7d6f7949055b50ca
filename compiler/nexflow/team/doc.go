// Package team answers who takes part in a manifest set and what they may do:
// participants, who of them is human, whose definition is whose, and the effect of
// all permissions together on one subject and one capability.
//
// It leaves out whether the answers are good (rules) and how they are shown (view).
package team
