// Package render owns how results look: documents as JSON and YAML, tables, plans,
// diagnostics, runs and approval requests for people. Every function writes text
// from values that are already there; the package leaves out where they come from
// and which stream they go to.
package render
