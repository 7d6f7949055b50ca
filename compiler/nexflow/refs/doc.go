// Package refs knows what a manifest set declares and what refers to it: the
// namespaces with their declarations, the table of references of nexflow.md 6.2,
// and the findings about ids that are declared twice or not at all.
//
// It leaves out what resolved references mean together (team, rules).
package refs
