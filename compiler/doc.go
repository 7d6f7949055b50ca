// Package compiler is the one way from a project to what terfyn runs, plans and
// stores: an fs.FS with source (Compile) or values of Go (Build) in; resource
// graph, programs, schemas, bounds, places and diagnostics out.
//
// Compile goes through four layers: parse, check, validate, effects. A layer that
// finds errors ends the way, with one exception: what parsed is still checked, so
// that one pass reports as much as it can. A bug in any layer becomes one
// diagnostic. Build has no source to parse; package verify says of its programs
// what check says of statements, and everything behind is shared.
//
// The package reads files only through the fs.FS it gets, and neither the
// environment, the network nor the clock. It leaves out environments (overlays are
// resource.Overlay), plans and stores.
package compiler
