package cli

import (
	"slices"

	"terfyn/compiler/diag"
)

// tellsAll are the commands that list what this version does not run; beside the
// results of the others it is counted.
var tellsAll = []string{"validate", "plan", "apply"}

// beside is what a command tells of a list before its own result.
func (a *app) beside(ds diag.List) diag.List {
	if slices.Contains(tellsAll, a.command) {
		return ds
	}
	return runnable(ds)
}

// runnable leaves out what only says that this version does not run a construct.
func runnable(ds diag.List) diag.List {
	return slices.DeleteFunc(slices.Clone(ds), func(d diag.Diagnostic) bool { return d.Code == diag.NotRunnable })
}

// countNotRun tells how much there is that this version does not run, where that is
// not listed.
func (a *app) countNotRun(ds diag.List) {
	if n := len(ds) - len(a.beside(ds)); n > 0 {
		a.info("Warning (diagnostic): this version does not run %s of the project; terfyn validate lists them [%s]", count(n, "construct", "constructs"), diag.NotRunnable)
	}
}
