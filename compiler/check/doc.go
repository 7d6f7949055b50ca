// Package check decides whether a parsed project means something: names, scopes
// and definite assignment, call shapes, templates, types, and the references
// between declarations (language.md sections 4 to 10).
//
// Check takes the trees of all files and gives a Project: the declarations by
// kind, what every call resolves to, and the documents they refer to. Broken
// declarations keep their names, so that one slip gives one message, and are
// otherwise left alone. Everything the package can complain about is a function
// in errors.go.
//
// It leaves out grammar and duplicates inside one construct (compiler/syntax),
// rules over the finished graph (compiler/validate), reachable effects
// (compiler/effects) and the making of programs (compiler/lower).
package check
