// Package export turns a compiled project back into text: the loadable .agent
// form and the documents of the resource stream.
//
// Source raises a graph and its programs to a syntax tree and prints it. Calls that
// lowering had hoisted out of a statement are put back where they stood. Project
// adds schemas and mock scripts, compiles the result and compares: what it returns
// has the graph and the programs it was given. What the language cannot say is
// refused with the resource and the field, never approximated.
//
// The package leaves out the places files are written to (cmd/internal/cli).
package export
