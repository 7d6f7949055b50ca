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
				if dir == "" {
					return usagef("--output needs a folder")
				}
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
	return c
}

// exportable is the project as declared or, with -e, as it applies there. A project
// that stands in the folder without is not read as a part of it.
func (a *app) exportable(without string) (export.Compiled, error) {
	root, err := a.root()
	if err != nil {
		return export.Compiled{}, err
	}
	if without != "" {
		root = hiding{root, without}
	}
	r, ds := compiler.Compile(root, compiler.Options{Project: a.projectName(), SkipPolicyBounds: true})
	if ds.HasErrors() {
		a.diagnostics(ds, r)
		return export.Compiled{}, exit(ExitInvalid)
	}
	a.keepWarnings(ds)
	g := r.Graph
	if a.flags.env != "" {
		if g, err = resource.Overlay(g, a.flags.env); err != nil {
			return export.Compiled{}, &coded{code: ExitInvalid, cause: err}
		}
	}
	return export.Compiled{Graph: g, Programs: r.Programs, Schemas: r.Schemas}, nil
}

// exportStream prints the resources; secrets written as literals are masked.
func (a *app) exportStream(format string) error {
	c, err := a.exportable("")
	if err != nil {
		return err
	}
	documents := export.Documents(c.Graph, c.Programs)
	for i, d := range documents {
		spec := d.At("spec")
		shown := diff.Mask(spec.Without("program"))
		if program, ok := spec.Get("program"); ok {
			shown = shown.With("program", program)
		}
		documents[i] = d.With("spec", shown)
	}
	if format == "json" {
		return render.JSON(a.out, render.Document(a.warnings, canon.F("resources", canon.List(documents...))))
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
	within := a.insideProject(dir)
	own := ownFiles(dir)
	hidden := within
	if own == nil {
		hidden = "" // what stands there is a part of the project
	}
	c, err := a.exportable(hidden)
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
	if within != "" {
		a.warn("export", "inside_project", "%s lies in the project's own folder, so other commands read it as a part of the project; move it away", dir)
	}
	say(a.out, "Exported %s to %s", count(len(files), "file", "files"), dir)
	a.info("Next: terfyn validate --project %s", dir)
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
	b, err := os.ReadFile(filepath.Join(dir, export.SourceFile))
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

// hiding is a file system without one of its folders.
type hiding struct {
	fs.FS
	dir string
}

// ReadDir lists a folder without the hidden one.
func (h hiding) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := fs.ReadDir(h.FS, name)
	return slices.DeleteFunc(entries, func(e fs.DirEntry) bool { return pathJoin(name, e.Name()) == h.dir }), err
}

// Lstat tells about a name without following it.
func (h hiding) Lstat(name string) (fs.FileInfo, error) { return fs.Lstat(h.FS, name) }

// ReadLink gives the target of a symbolic link.
func (h hiding) ReadLink(name string) (string, error) { return fs.ReadLink(h.FS, name) }

func pathJoin(dir, name string) string {
	if dir == "." {
		return name
	}
	return dir + "/" + name
}
