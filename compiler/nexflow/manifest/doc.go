// Package manifest holds what a NexFlow manifest set is made of: the seventeen
// kinds of draft 0.1, documents as value trees with the places of their values,
// and the diagnostics that speak about them.
//
// It leaves out where documents come from (discovery), what their shape must be
// (schema) and what they must mean together (refs, rules).
package manifest
