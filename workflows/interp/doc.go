// Package interp owns the structural interpreter: it walks a pinned program,
// evaluates its expressions, and asks toolcall, agentloop and decision for
// everything that reaches outside. It is workflow code: the same program and the
// same results give the same commands in the same order. It leaves out compiling
// (compiler/lower) and all I/O.
package interp
