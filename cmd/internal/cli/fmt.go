package cli

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"terfyn/cmd/internal/render"
	"terfyn/compiler/diag"
	"terfyn/compiler/format"
	"terfyn/compiler/source"
	"terfyn/internal/canon"
)

func newFmt(a *app) *cobra.Command {
	var check bool
	c := &cobra.Command{
		Use:   "fmt [--check] [-]",
		Short: "Write every .agent file in its canonical form; - formats stdin to stdout",
		Args:  arguments(0, 1, "one argument, -"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				if args[0] != "-" {
					return usagef("fmt formats the project of --project, or stdin with -; it takes no file names, got %q", args[0])
				}
				return a.formatStdin(cmd.Context(), check)
			}
			return a.formatProject(check)
		},
	}
	c.Flags().BoolVar(&check, "check", false, "write nothing; exit 1 when a file is not in its canonical form")
	return c
}

func (a *app) formatStdin(ctx context.Context, check bool) error {
	in, err := readStdin(ctx, a.in, maxInputBytes)
	if err != nil {
		return failf(ExitFailure, "read stdin: %w", err)
	}
	out, ds := format.Source(source.NewFile("stdin", in))
	if ds.HasErrors() {
		render.Diagnostics(a.err, ds, func(string) []byte { return in }, a.palette(a.err), a.plain())
		return exit(ExitInvalid)
	}
	if check {
		if !bytes.Equal(in, out) {
			return failf(ExitFailure, "stdin is not in its canonical form")
		}
		return nil
	}
	_, err = a.out.Write(out)
	return err
}

// formatted is the outcome of formatting a project.
type formatted struct {
	files, changed []string
	broken         diag.List // errors of the files that were left as they are
}

func (a *app) formatProject(check bool) error {
	root, err := a.root()
	if err != nil {
		return err
	}
	var f formatted
	err = fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != "." && strings.HasPrefix(d.Name(), "."):
			return fs.SkipDir
		case d.Type().IsRegular() && strings.HasSuffix(name, ".agent"):
			return a.formatFile(&f, name, check)
		}
		return nil
	})
	if err != nil {
		return failf(ExitFailure, "format the project: %w", err)
	}
	if len(f.files) == 0 {
		return usagef("there is no .agent file in %s; terfyn init starts a project", a.flags.project)
	}
	if err := a.showFormatted(f, check); err != nil {
		return err
	}
	switch {
	case len(f.broken) > 0:
		return exit(ExitInvalid)
	case check && len(f.changed) > 0:
		return exit(ExitFailure)
	}
	return nil
}

func (a *app) formatFile(f *formatted, name string, check bool) error {
	path := filepath.Join(a.flags.project, filepath.FromSlash(name))
	in, err := readFile(path, maxInputBytes)
	if err != nil {
		return err
	}
	f.files = append(f.files, name)
	out, ds := format.Source(source.NewFile(name, in))
	if ds.HasErrors() {
		found := errorsOnly(ds)
		f.broken = append(f.broken, found...)
		render.Diagnostics(a.err, found, func(string) []byte { return in }, a.palette(a.err), a.plain())
		return nil
	}
	if bytes.Equal(in, out) {
		return nil
	}
	f.changed = append(f.changed, name)
	if check {
		return nil
	}
	return replace(path, out)
}

func errorsOnly(ds diag.List) diag.List {
	var out diag.List
	for _, d := range ds {
		if d.Severity == diag.Error {
			out.Add(d)
		}
	}
	return out
}

// replace puts content at path in one step, keeping the file's mode.
func replace(path string, content []byte) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".fmt-*")
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	err = errors.Join(err, f.Chmod(info.Mode().Perm()), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

func (a *app) showFormatted(f formatted, check bool) error {
	verb := "Formatted"
	if check {
		verb = "Not formatted:"
	}
	return a.show(func(w io.Writer) {
		for _, name := range f.changed {
			say(w, "%s %s", verb, name)
		}
		if len(f.changed) == 0 && len(f.broken) == 0 && !a.flags.quiet {
			say(w, "%s in canonical form", count(len(f.files), "file is", "files are"))
		}
	}, canon.F("files", canon.Int(int64(len(f.files)))), canon.F("changed", canon.Strings(f.changed)),
		canon.F("written", canon.Bool(!check && (len(f.broken) == 0 || len(f.changed) > 0))), canon.F("diagnostics", render.DiagnosticList(f.broken)))
}
