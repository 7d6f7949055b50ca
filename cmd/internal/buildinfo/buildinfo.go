// Package buildinfo owns what this executable knows about its own making. It
// leaves out the formats it reads and writes; those belong to their packages.
package buildinfo

import (
	"runtime"
	"runtime/debug"
)

// version is set by the linker for releases: -X terfyn/cmd/internal/buildinfo.version=1.2.3
var version string

// Development is the version of an executable that is no release.
const Development = "development"

// Info is what is known.
type Info struct {
	Version string
	Commit  string // "" when the build did not record it
	Go      string
}

// Read returns the facts of the running executable.
func Read() Info {
	i := Info{Version: version, Go: runtime.Version()}
	if b, ok := debug.ReadBuildInfo(); ok {
		if i.Version == "" && b.Main.Version != "" && b.Main.Version != "(devel)" {
			i.Version = b.Main.Version
		}
		for _, s := range b.Settings {
			if s.Key == "vcs.revision" {
				i.Commit = s.Value
			}
		}
	}
	if i.Version == "" {
		i.Version = Development
	}
	return i
}
