package cli

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"terfyn/cmd/internal/fileset"
	"terfyn/cmd/internal/render"
	"terfyn/compiler"
	"terfyn/compiler/export"
	"terfyn/compiler/resource"
	"terfyn/internal/canon"
	"terfyn/internal/ordered"
	"terfyn/planner/diff"
)

var exportFormats = []string{"yaml", "json"}

func newExport(a *app) *cobra.Command {
	var format, dir string
	c := &cobra.Command{
		Use:   "export [--format yaml|json] [--output DIR]",
		Short: "Show the compiled resources as YAML or JSON, or write them as a project that loads",
		Args:  arguments(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if cmd.Flags().Changed("output") {
				return a.exportProject(dir)
			}
			if !slices.Contains(exportFormats, format) {
				return usagef("--format %s is not a format; use yaml or json", format)
			}
			return a.exportStream(format)
		},
	}
	c.Flags().StringVar(&format, "format", "yaml", "what to print: yaml, a stream of documents, or json, one object")
	c.Flags().StringVar(&dir, "output", "", "write a project to this folder instead; --format then plays no part")
	_ = c.RegisterFlagCompletionFunc("format", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return offer(exportFormats)
	})
	_ = c.MarkFlagDirname("output")
	c.SetFlagErrorFunc(noShortOutput("the form of what is printed is chosen with --format yaml or json, and --output DIR writes a project"))
	return c
}

// noShortOutput explains to who writes -o what a command has in its place.
func noShortOutput(instead string) func(*cobra.Command, error) error {
	return func(cmd *cobra.Command, err error) error {
		if strings.HasPrefix(err.Error(), "unknown shorthand flag: 'o'") {
			return usagef("%s has no -o: %s", cmd.CommandPath(), instead)
		}
		return usagef("%w; %s --help lists its flags", err, cmd.CommandPath())
	}
}

// exportable is the project as declared or, with -e, as it applies there. document
// says whether the result is one object.
func (a *app) exportable(document bool) (export.Compiled, error) {
	root, err := a.root()
	if err != nil {
		return export.Compiled{}, err
	}
	r, ds := compiler.Compile(root, compiler.Options{Project: a.projectName(), SkipPolicyBounds: true})
	if ds.HasErrors() {
		return export.Compiled{}, a.invalid(ds, r, document)
	}
	a.keepFew(ds)
	a.countNotRun(ds)
	g := r.Graph
	if a.flags.env != "" {
		if g, err = resource.Overlay(g, a.flags.env); err != nil {
			return export.Compiled{}, &coded{code: ExitInvalid, cause: err}
		}
	}
	return export.Compiled{Graph: g, Programs: r.Programs, Schemas: r.Schemas}, nil
}

// maskNote says what masked output is not.
const maskNote = "secrets written as literals are shown as " + diff.Masked + "; what is pinned and what digests are of has them"

// masked gives the resources without secrets that are written as literals, and
// whether there were any.
func masked(documents []canon.Value) (out []canon.Value, hidden bool) {
	out = make([]canon.Value, len(documents))
	for i, d := range documents {
		spec := d.At("spec")
		shown := diff.Mask(spec.Without("program"))
		if program, ok := spec.Get("program"); ok {
			shown = shown.With("program", diff.MaskProgram(program))
		}
		out[i] = d.With("spec", shown)
		hidden = hidden || !canon.Equal(out[i], d)
	}
	return out, hidden
}

// exportStream prints the resources; secrets written as literals are masked.
func (a *app) exportStream(format string) error {
	if format == "json" {
		a.flags.output = format
	}
	c, err := a.exportable(format == "json")
	if err != nil {
		return err
	}
	documents, hidden := masked(export.Documents(c.Graph, c.Programs))
	if format == "json" {
		return render.JSON(a.out, render.Document(a.warnings, canon.F("masked", canon.Bool(hidden)), canon.F("resources", canon.List(documents...))))
	}
	if hidden {
		say(a.out, "# Masked: %s.", maskNote)
	}
	for _, d := range documents {
		say(a.out, "---")
		if err := render.YAML(a.out, d); err != nil {
			return failf(ExitFailure, "print the resources: %w", err)
		}
	}
	return nil
}

func (a *app) exportProject(dir string) error {
	if err := a.exportFolder(dir); err != nil {
		return err
	}
	own := ownFiles(dir)
	c, err := a.exportable(false)
	if err != nil {
		return err
	}
	files, err := export.Project(c)
	var refused *export.RefusedError
	if errors.As(err, &refused) {
		for _, r := range refused.Refusals {
			a.note("Error: %s", r)
		}
		return usagef("the project cannot be exported: the language has no words for the above; the resources can still be printed with terfyn export --format yaml")
	}
	if err != nil {
		return failf(ExitFailure, "export the project: %w", err)
	}
	if err := roomFor(files, dir, own); err != nil {
		return err
	}
	if err := fileset.Replace(fileset.OS{}, dir, files, own); err != nil {
		return failf(ExitFailure, "write the export to %s: %w", dir, err)
	}
	if _, hidden := masked(export.Documents(c.Graph, c.Programs)); hidden {
		a.warn("export", "literal_secret", "%s has the secrets that are written as literals in the sources, in clear: the project would not be the same without them", dir)
	}
	say(a.out, "Exported %s to %s", count(len(files), "file", "files"), dir)
	a.info("Next: terfyn validate --project %s", dir)
	return nil
}

// exportFolder refuses what is no place for an export.
func (a *app) exportFolder(dir string) error {
	if dir == "" {
		return usagef("--output needs a folder")
	}
	if _, err := os.Stat(dir); err != nil && slices.Contains(outputs, dir) {
		return usagef("--output is the folder a project is written to, and there is no folder %s; the form of what is printed is chosen with --format yaml or json", dir)
	}
	within := a.insideProject(dir)
	if within != "" && !strings.HasPrefix(within, ".") && !strings.Contains(within, "/.") {
		return usagef("%s lies in the project's own folder, where every .agent file belongs to the project, so the project would hold everything twice; choose a folder elsewhere, or one whose name starts with a dot", dir)
	}
	return nil
}

// insideProject is the path of dir below the project's folder, "" when it is not
// below it.
func (a *app) insideProject(dir string) string {
	root, err := filepath.Abs(a.flags.project)
	if err != nil {
		return ""
	}
	full, err := filepath.Abs(dir)
	if err != nil {
		return ""
	}
	rel, err := filepath.Rel(root, full)
	if err != nil || rel == "." || !filepath.IsLocal(rel) {
		return ""
	}
	return filepath.ToSlash(rel)
}

// ownFiles are the files an earlier export left in dir, nil when there was none.
func ownFiles(dir string) []string {
	b, err := readFile(filepath.Join(dir, export.SourceFile), maxInputBytes)
	if err != nil {
		return nil
	}
	own, _ := export.Listed(b)
	return own
}

// roomFor refuses a folder with other sources, or with a file of somebody else
// where one of the new ones goes.
func roomFor(files export.Files, dir string, own []string) error {
	for _, name := range ordered.Keys(files) {
		if _, err := os.Lstat(filepath.Join(dir, filepath.FromSlash(name))); err == nil && !slices.Contains(own, name) {
			return usagef("%s is there already and no export wrote it; choose another folder", filepath.Join(dir, filepath.FromSlash(name)))
		}
	}
	return filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(dir, name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			return failf(ExitFailure, "look through %s: %w", dir, err)
		case d.IsDir() && rel != "." && strings.HasPrefix(d.Name(), "."):
			return fs.SkipDir
		case !d.IsDir() && (strings.HasSuffix(rel, ".agent") || rel == "project.yaml" || rel == "project.yml") && !slices.Contains(own, filepath.ToSlash(rel)):
			return usagef("%s holds the source %s, which would become a part of the export; choose another folder", dir, rel)
		}
		return nil
	})
}
