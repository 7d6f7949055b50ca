// Package soundness owns the property test of the effect bound: whatever a run
// does, the bound that the compiler printed for its workflow covers it, and nothing
// outside of the pinned manifest and grants is ever dispatched.
//
// A seed gives a whole project as .agent text. It is compiled by the facade, applied
// to a real store, and each of its workflows is run by the real workflow code and
// the real activities in the test environment of the SDK, with a model that asks for
// whatever it can name and people who decide at random. What was executed is taken
// from three places that do not know of each other: the transport, the trace, and
// the effect ledger.
//
// A failure prints its seed; TERFYN_SOUNDNESS_SEED=N runs that seed alone and
// TERFYN_SOUNDNESS_PROJECTS=N runs more projects than the default. The package has
// no code of its own; it leaves out servers, crashes and lost workers (internal/e2e).
package soundness
