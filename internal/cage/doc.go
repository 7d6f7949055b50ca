// Package cage owns the negative harness for commands that promise to have no
// effects: it runs a built program in an empty network namespace and decides, at
// every system call, whether it may have it. A call that nothing allows is not
// made; the program gets EPERM or EACCES, and the call is in the result.
//
// What is allowed is a list with reasons (see harmless and the rules beside it):
// memory, threads of its own, time, descriptors that are open already, reading. A
// file is changed or made only inside of the budget that the caller gives. The rest
// is refused, which includes every call this package has no rule for.
//
// It is a witness for tests, not a sandbox: the arguments of a call are read before
// the kernel reads them, so a program that works against the cage with a second
// thread can change them in between. It knows Linux on amd64 and arm64; elsewhere,
// and where tracing or namespaces are not permitted, [Require] skips the test.
// Only tests import this package.
package cage
