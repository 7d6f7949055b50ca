// Package lint owns advice about policies: rules that bind nothing, that take back
// what they seem to promise, or that let more through than a reader would expect.
//
// Advice never stops anything and changes no decision. It asks package policy what
// would happen instead of reading rules again, so it cannot tell another story than
// a run. What is wrong, and not merely unwise, is an error of compiler/validate.
package lint
