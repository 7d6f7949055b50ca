// Package view shows manifest sets: the list of what is declared and refers to what
// (inspect), the same as a graph in JSON, text, Mermaid and DOT, who may do what,
// and what changed against an earlier set. A view states what is declared. It
// decides nothing and starts no renderer.
//
// It leaves out findings (refs, rules) and the envelope of the answer (report).
package view
