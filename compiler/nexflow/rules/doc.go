// Package rules holds the rules of nexflow.md section 7 and 8: what the documents
// of a set, each well-formed and with all references read, say together that is
// wrong, doubtful or worth knowing. Rules only observe; none of them changes a
// document or picks a definition.
//
// A rule whose own reference does not resolve is silent: refs has reported it.
package rules
