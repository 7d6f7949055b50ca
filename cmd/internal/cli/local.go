package cli

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"terfyn/cmd/internal/wire"
	"terfyn/compiler"
	"terfyn/compiler/config"
	"terfyn/compiler/diag"
	"terfyn/compiler/source"
)

// local is the user-local configuration: the files that are there, the one that
// counts most first, and what is wrong with them.
type local struct {
	files   []config.File
	diags   diag.List
	sources map[string][]byte
	told    bool // which limits come from the files
}

// local reads the user-local configuration of the project's folder, once.
func (a *app) local() *local {
	if a.localConfig == nil {
		a.localConfig = &local{sources: map[string][]byte{}}
		a.localConfig.read(filepath.Join(a.flags.project, wire.Folder, "local.yaml"), filepath.ToSlash(filepath.Join(wire.Folder, "local.yaml")))
		if dir := a.configHome(); dir != "" {
			path := filepath.Join(dir, "terfyn", "config.yaml")
			a.localConfig.read(path, filepath.ToSlash(path))
		}
	}
	return a.localConfig
}

// configHome is the user's configuration home, "" when there is none.
func (a *app) configHome() string {
	if dir := a.getenv("XDG_CONFIG_HOME"); filepath.IsAbs(dir) {
		return dir
	}
	dir, err := os.UserConfigDir()
	if err != nil {
		return ""
	}
	return dir
}

// read adds one file; it need not be there.
func (l *local) read(path, shown string) {
	b, err := readFile(path, config.MaxBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	if err != nil {
		l.diags.Add(diag.Errorf(diag.BadConfig, source.Span{File: shown}, "this configuration cannot be read: %s", err))
		return
	}
	f, ds := config.Parse(shown, b)
	l.files = append(l.files, f)
	l.diags.Add(ds...)
	l.sources[shown] = b
}

// prefer applies the preferences of the user where no flag was given.
func (a *app) prefer(cmd *cobra.Command) {
	merged := config.Merge(a.local().files...)
	if merged.Output != "" && !cmd.Flags().Changed("output") {
		a.flags.output = merged.Output
	}
	if merged.Color != nil && !cmd.Flags().Changed("no-color") {
		a.flags.noColor = !*merged.Color
	}
}

// complain adds what is wrong with the files to a compilation.
func (l *local) complain(r *compiler.Result, ds *diag.List) {
	if len(l.files) == 0 && len(l.diags) == 0 {
		return
	}
	status := compiler.Passed
	if l.diags.HasErrors() {
		status = compiler.Failed
		for path, b := range l.sources {
			r.Sources[path] = b
		}
	}
	r.Layers = append(r.Layers, compiler.Layer{Name: "local configuration", Status: status})
	ds.Add(l.diags...)
	ds.Sort()
}

// tellLocal warns of every limit that a file outside of the project sets for it: the
// limit becomes part of what is planned and applied.
func (a *app) tellLocal(r *compiler.Result) {
	if a.local().told {
		return
	}
	a.local().told = true
	for _, limit := range config.Effective(r.ProjectLimits, a.local().files...) {
		a.warn("local_config", limit.Name, "%s is %v by %s, since the project sets none; it becomes part of what is applied", limit.Name, limit.Value, limit.From)
	}
}
