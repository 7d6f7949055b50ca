// Package probe owns small programs that each have one effect: they dial, start a
// process, make a file. Tests run them outside of the cage, where they must succeed,
// and inside of it, where they must fail; a cage that lets one of them through, or
// that was never shut, proves nothing about a program that has no effect in it.
//
// A test binary becomes a probe through [Main]. Only tests import this package.
package probe
