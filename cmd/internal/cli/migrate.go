package cli

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"terfyn/cmd/internal/render"
	"terfyn/compiler/diag"
	"terfyn/compiler/export"
	"terfyn/compiler/migrate"
)

func newMigrate(a *app) *cobra.Command {
	var toAgent, force bool
	var output string
	c := &cobra.Command{
		Use:   "migrate --to-agent [--output FILE] [--force]",
		Short: "Convert a project of the old YAML form to .agent text",
		Args:  arguments(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !toAgent {
				return usagef("migrate needs --to-agent, the form to convert to")
			}
			if !cmd.Flags().Changed("output") {
				output = filepath.Join(a.flags.project, export.SourceFile)
			}
			return a.migrate(output, force)
		},
	}
	c.Flags().BoolVar(&toAgent, "to-agent", false, "convert to .agent text")
	c.Flags().StringVar(&output, "output", "", "file to write, - for stdout (default project.agent in the project)")
	c.Flags().BoolVar(&force, "force", false, "overwrite the file when it is there")
	_ = c.MarkFlagFilename("output", "agent")
	c.SetFlagErrorFunc(noShortOutput("the file to write is named with --output FILE, and --output - writes to stdout"))
	return c
}

func (a *app) migrate(output string, force bool) error {
	stdout := output == "-"
	switch info, err := os.Stat(output); {
	case output == "":
		return usagef("--output needs a file")
	case stdout:
	case !strings.HasSuffix(output, ".agent"):
		return usagef("--output %s: the name of the file is to end in .agent, or it would not be read as a source", output)
	case err == nil && info.IsDir():
		return usagef("--output %s is a folder; name a file in it", output)
	case err == nil && !force:
		return usagef("%s is there already; overwrite it with --force or choose another file with --output", output)
	}
	root, err := a.root()
	if err != nil {
		return err
	}
	r, ds := migrate.Project(root, a.migrated(output))
	render.Diagnostics(a.err, ds, func(name string) []byte { return r.Sources[name] }, a.palette(a.err), a.plain())
	if ds.HasErrors() {
		return usagef("nothing was written: %s", count(problems(ds), "problem is", "problems are")+" to be solved in the old files first")
	}
	if stdout {
		_, err := a.out.Write(r.Text)
		return err
	}
	if err := put(output, r.Text, force); err != nil {
		return err
	}
	say(a.out, "Converted %s to %s", strings.Join(r.Read, ", "), output)
	a.info("Next: remove %s, then terfyn validate", r.Read[0])
	return nil
}

// migrated is the path of the output in the project; for a file elsewhere, one that
// stands for it.
func (a *app) migrated(output string) string {
	if inside := a.insideProject(output); output != "-" && inside != "" {
		return inside
	}
	return export.SourceFile
}

func problems(ds diag.List) int { return len(errorsOnly(ds)) }

// put writes a new file with its folder, or over an old one in one step when that is allowed.
func put(path string, content []byte, over bool) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return failf(ExitFailure, "make the folder of %s: %w", path, err)
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) && over {
		if err := replace(path, content); err != nil {
			return failf(ExitFailure, "write %s: %w", path, err)
		}
		return nil
	}
	if err != nil {
		return failf(ExitFailure, "write %s: %w", path, err)
	}
	if _, err := f.Write(content); err != nil {
		return errors.Join(failf(ExitFailure, "write %s: %w", path, err), f.Close())
	}
	return f.Close()
}
