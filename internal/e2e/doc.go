// Package e2e owns the tests that need everything at once: a real Temporal
// server, a real store, workers that are killed, people who race. It has no code
// of its own; what the tests need is in its _test files.
//
// The tests run on the server executable that TERFYN_DEVSERVER names and skip,
// saying so, without it; TERFYN_REQUIRE=devserver makes that a failure.
package e2e
