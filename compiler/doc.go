// Package compiler is the one way from a project's files to what terfyn runs,
// plans and stores: an fs.FS in; resource graph, programs, schemas, bounds,
// places and diagnostics out.
//
// Compile goes through four layers: parse, check, validate, effects. Constructs
// this build does not lower are refused in the check layer. A layer that finds
// errors ends the way, with one exception: what parsed is still checked, so that
// one pass reports as much as it can. A bug in any layer becomes one diagnostic.
//
// The package reads files only through the fs.FS it gets, and neither the
// environment, the network nor the clock. It leaves out environments (overlays are
// resource.Overlay), plans and stores.
package compiler
