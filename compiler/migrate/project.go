package migrate

import (
	"errors"
	"io/fs"
	"path"
	"strings"

	"terfyn/compiler"
	"terfyn/compiler/diag"
	"terfyn/compiler/export"
	"terfyn/compiler/internal/overlayfs"
	"terfyn/compiler/ir"
	"terfyn/compiler/resource"
	"terfyn/compiler/source"
)

// manifests are the names of the project file.
var manifests = []string{"project.yaml", "project.yml"}

// Result is a converted project.
type Result struct {
	Text []byte // of one .agent file, in its canonical form; nil when there were errors
	Read []string
	// Sources holds the bytes of everything diagnostics may point at, by path.
	Sources map[string][]byte
}

// Project converts the project whose root is fsys. output is the path the text is
// meant for, relative to the root: it is compiled as if it stood there, with the
// old files gone. Errors in the list mean that there is no text.
func Project(fsys fs.FS, output string) (Result, diag.List) {
	c := &conversion{fsys: fsys, sources: map[string]*source.File{}, places: map[string]source.Span{}}
	c.read()
	result := Result{Read: c.order, Sources: map[string][]byte{}}
	for _, name := range c.order {
		result.Sources[name] = c.sources[name].Bytes
	}
	if c.ds.HasErrors() {
		c.ds.Sort()
		return result, c.ds
	}
	text, err := export.Source(c.graph, c.programs, c.schemas())
	var refused *export.RefusedError
	if errors.As(err, &refused) {
		for _, r := range refused.Refusals {
			c.ds.Add(diag.Errorf(diag.OldForm, c.places[placeKey(r.Kind, r.Name)], "%s", r))
		}
		c.ds.Sort()
		return result, c.ds
	}
	result.Sources[output] = text
	if c.compile(text, output); !c.ds.HasErrors() {
		result.Text = text
	}
	c.ds.Sort()
	return result, c.ds
}

// compile checks the text as a part of the project. Its warnings are those of
// every later validate, so only errors are told here.
func (c *conversion) compile(text []byte, output string) {
	files := map[string][]byte{output: text}
	for _, name := range manifests {
		files[name] = nil
	}
	_, ds := compiler.Compile(overlayfs.New(c.fsys, files), compiler.Options{Project: c.graph.Project})
	for _, d := range ds {
		if d.Severity == diag.Error {
			c.ds.Add(d)
		}
	}
}

// conversion is one project under way.
type conversion struct {
	fsys     fs.FS
	sources  map[string]*source.File
	order    []string // files in the order they were read
	ds       diag.List
	graph    resource.Graph
	programs []ir.Program
	places   map[string]source.Span // of declared resources
	bare     []bareGrant            // to resolve when all tools are read
}

func placeKey(kind resource.Kind, name string) string { return string(kind) + "/" + name }

// schemas holds the type names that an untyped parameter must keep clear of.
func (c *conversion) schemas() map[string][]byte {
	out := map[string][]byte{}
	entries, err := fs.ReadDir(c.fsys, "schemas")
	if err != nil {
		return out // without the folder there is no type
	}
	for _, e := range entries {
		out["schemas/"+e.Name()] = []byte{}
	}
	return out
}

// read reads the manifest, then what it imports.
func (c *conversion) read() {
	name := ""
	for _, m := range manifests {
		if _, err := fs.Stat(c.fsys, m); err == nil && name == "" {
			name = m
		}
	}
	if name == "" {
		c.ds.Add(diag.Errorf(diag.NoProject, source.Span{}, "there is no project.yaml here; migrate converts a project of the old YAML form, name its folder with --project"))
		return
	}
	c.file(name)
	c.resolveGrants()
}

// imported reads a file or everything in a folder.
func (c *conversion) imported(at source.Span, name string) {
	clean := path.Clean(name)
	info, err := fs.Stat(c.fsys, clean)
	switch {
	case !fs.ValidPath(clean):
		c.ds.Add(diag.Errorf(diag.UnreadableFile, at, "the import %q leaves the project", name))
	case err != nil:
		c.ds.Add(diag.Errorf(diag.UnreadableFile, at, "the import %q cannot be read: %v", name, cause(err)))
	case !info.IsDir():
		c.file(clean)
	default:
		err := fs.WalkDir(c.fsys, clean, func(file string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && file != clean && strings.HasPrefix(d.Name(), "."):
				return fs.SkipDir
			case !d.IsDir() && (path.Ext(file) == ".yaml" || path.Ext(file) == ".yml"):
				c.file(file)
			}
			return nil
		})
		if err != nil {
			c.ds.Add(diag.Errorf(diag.UnreadableFile, at, "the import %q cannot be read: %v", name, cause(err)))
		}
	}
}

func cause(err error) error {
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		return pathErr.Err
	}
	return err
}
