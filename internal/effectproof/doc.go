// Package effectproof owns the proof that the commands which only read have no
// effects: the built program runs in [terfyn/internal/cage], with canaries in its
// environment and in its home, and the folders around it are compared before and
// after. It has no code of its own; what the proof needs is in its _test files.
//
// docs/effects.md says what is claimed and what is not. The tests skip, saying why,
// where the cage is not available; TERFYN_REQUIRE=cage makes that a failure.
package effectproof
