package cli

import (
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"terfyn/cmd/internal/render"
	"terfyn/compiler/scaffold"
	"terfyn/internal/canon"
)

func newNew(a *app) *cobra.Command {
	var file string
	var dry bool
	c := &cobra.Command{
		Use:       "new agent|workflow|tool|policy NAME [--file P] [--dry-run]",
		Short:     "Add a starter declaration to the project",
		Args:      arguments(2, 2, "a kind (agent, workflow, tool or policy) and a name"),
		ValidArgs: scaffold.Kinds,
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return offer(nil)
			}
			return offer(scaffold.Kinds)
		},
		RunE: func(_ *cobra.Command, args []string) error {
			return a.scaffold(args[0], args[1], file, dry)
		},
	}
	c.Flags().StringVar(&file, "file", starterFile, "file to add it to, relative to the project")
	c.Flags().BoolVar(&dry, "dry-run", false, "print the declaration and write nothing")
	_ = c.MarkFlagFilename("file", "agent")
	return c
}

func (a *app) scaffold(kind, name, file string, dry bool) error {
	root, err := a.root()
	if err != nil {
		return err
	}
	change, sources, ds, err := scaffold.Add(root, a.projectName(), kind, name, filepath.ToSlash(filepath.Clean(file)))
	if err != nil {
		return &coded{code: ExitInvalid, cause: err}
	}
	if ds.HasErrors() {
		render.Diagnostics(a.err, errorsOnly(ds), func(name string) []byte { return sources[name] }, a.palette(a.err), a.plain())
		return usagef("nothing was written: with %s %s in %s the project would not validate", kind, name, change.File)
	}
	path := filepath.Join(a.flags.project, filepath.FromSlash(change.File))
	if !dry {
		if err := put(path, change.Content, !change.Created); err != nil {
			return err
		}
	}
	return a.show(func(w io.Writer) {
		switch {
		case dry:
			_, _ = io.WriteString(w, change.Text)
		case change.Created:
			say(w, "Created %s with %s %s", path, kind, name)
		default:
			say(w, "Added %s %s to %s", kind, name, path)
		}
	}, str("kind", kind), str("name", name), str("file", change.File), str("text", change.Text), canon.F("written", canon.Bool(!dry)))
}
