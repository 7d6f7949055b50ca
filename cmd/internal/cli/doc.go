// Package cli owns the commands of terfyn, one file each: flags and arguments in,
// one call of another package, a rendered result and an exit code out.
//
// Commands are built by constructors that take the app they belong to; nothing
// registers itself. The package leaves out how results look (cmd/internal/render)
// and how connections, workers and servers are put together (cmd/internal/wire,
// cmd/internal/supervise, cmd/internal/follow).
package cli
