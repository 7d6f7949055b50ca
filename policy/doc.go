// Package policy owns decisions about authority: whether a call may go out, must
// wait for a person, or is refused; what a decider may decide; what a run may
// spend. It is pure and deterministic and used by workflow code and by the
// activity that sends alike, so both reach the same answer from the same pinned
// graph.
//
// Evaluation looks at every rule and combines afterwards: a denial wins over a
// required approval, that over a permission, and nothing permits by default. It
// leaves out static bounds (compiler/effects) and the storage of decisions.
package policy
