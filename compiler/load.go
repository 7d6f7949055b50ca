package compiler

import (
	"errors"
	"io/fs"
	"regexp"
	"strings"

	"terfyn/compiler/diag"
	"terfyn/compiler/internal/rootfs"
	"terfyn/compiler/source"
)

// oldManifests are project files of the form that is no longer read.
var oldManifests = []string{"project.yaml", "project.yml"}

// readSources reads every .agent file below the root by path. Directories whose
// name starts with a dot are skipped.
func readSources(fsys fs.FS) (map[string][]byte, diag.List) {
	var ds diag.List
	manifests := false
	for _, name := range oldManifests {
		switch _, err := fs.Stat(fsys, name); {
		case err != nil:
		case isManifest(fsys, name):
			manifests = true
		default:
			ds.Add(oldProject(name))
		}
	}
	if ds.HasErrors() {
		return nil, ds
	}
	files := map[string][]byte{}
	err := fs.WalkDir(fsys, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			ds.Add(unreadable(name, err))
		case entry.IsDir() && name != "." && strings.HasPrefix(entry.Name(), "."):
			return fs.SkipDir
		case !entry.IsDir() && strings.HasSuffix(name, ".agent"):
			b, err := rootfs.Read(fsys, name)
			if err != nil {
				ds.Add(unreadable(name, err))
				return nil
			}
			files[name] = b
		case entry.Type()&fs.ModeSymlink != 0 && !strings.HasPrefix(entry.Name(), ".") && holdsSources(fsys, name):
			ds.Add(linkedSources(name))
		}
		return nil
	})
	if err != nil {
		ds.Add(unreadable(".", err))
	}
	if len(files) == 0 && !ds.HasErrors() {
		ds.Add(noProject(manifests))
	}
	return files, ds
}

// manifestLine is how a document of a NexFlow manifest set is known.
var manifestLine = regexp.MustCompile(`(?m)^(?:\s*["']|\{\s*["']?)?specVersion["']?\s*:`)

// isManifest reports whether a project.yaml is that of a manifest set, which may lie
// beside .agent files and is no business of theirs.
func isManifest(fsys fs.FS, name string) bool {
	b, err := rootfs.Read(fsys, name)
	return err == nil && manifestLine.Match(b)
}

// maxLinked bounds the entries below a linked folder that are looked at, and
// maxLinkedDepth how deep they are: a link may lead to the root of a disk.
const maxLinked, maxLinkedDepth = 20000, 16

// holdsSources reports whether a symbolic link leads to a folder with an .agent file
// that is not read under another name of the project. Links in it are not followed.
func holdsSources(fsys fs.FS, link string) bool {
	if info, err := fs.Stat(fsys, link); err != nil || !info.IsDir() {
		return false
	}
	if target, err := rootfs.Target(fsys, link); err == nil && (target == "." || !strings.Contains("/"+target, "/.")) {
		return false // a folder of the project itself
	}
	found, left := false, maxLinked
	var walk func(dir string, depth int)
	walk = func(dir string, depth int) {
		entries, err := fs.ReadDir(fsys, dir)
		if err != nil {
			return // what cannot be read holds no source that could be meant
		}
		for _, e := range entries {
			if left--; found || left < 0 {
				return
			}
			switch {
			case e.IsDir() && !strings.HasPrefix(e.Name(), ".") && depth < maxLinkedDepth:
				walk(dir+"/"+e.Name(), depth+1)
			case !e.IsDir() && strings.HasSuffix(e.Name(), ".agent"):
				found = true
			}
		}
	}
	walk(link, 0)
	return found
}

// linkedSources refuses sources that would be left out in silence, a policy maybe.
func linkedSources(name string) diag.Diagnostic {
	return diag.Errorf(diag.UnreadableFile, source.Span{},
		"%s is a symbolic link to a folder; the .agent files in it are not read: put them into the project, or remove the link", source.Shown(name))
}

func oldProject(name string) diag.Diagnostic {
	return diag.Errorf(diag.OldProject, source.Span{},
		"%s is not a source any more: projects are written in .agent files; run `terfyn migrate --to-agent` to convert it, then remove it", name)
}

func noProject(manifests bool) diag.Diagnostic {
	if manifests {
		return diag.Errorf(diag.NoProject, source.Span{}, "no project here: the project.yaml is that of a NexFlow manifest set, which `terfyn nexflow validate --root .` checks; a project has .agent files")
	}
	return diag.Errorf(diag.NoProject, source.Span{}, "no project here: no project.yaml and no .agent file; change to the directory of a project or start one with a .agent file")
}

func unreadable(name string, err error) diag.Diagnostic {
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		err = pathErr.Err
	}
	why := strings.TrimPrefix(err.Error(), "read "+name+": ")
	return diag.Errorf(diag.UnreadableFile, source.Span{}, "%s cannot be read: %s", source.Shown(name), why)
}
