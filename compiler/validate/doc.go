// Package validate owns the rules that hold for a resource graph whichever door
// it came in by: .agent source, a NexFlow set or the typed ingress for machines
// (resources.md section 3).
//
// References exist, schemas compile, transports fit their tools, numbers are in
// range, policies and approvers are consistent, workflows neither recurse nor
// nest too deeply. All complaints come in one pass. The package leaves out the
// language itself (compiler/check), effect bounds (compiler/effects) and
// everything that needs a network or a file.
package validate
