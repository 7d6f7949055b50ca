package compiler

import (
	"errors"
	"io/fs"
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
	for _, name := range oldManifests {
		if _, err := fs.Stat(fsys, name); err == nil {
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
		}
		return nil
	})
	if err != nil {
		ds.Add(unreadable(".", err))
	}
	if len(files) == 0 && !ds.HasErrors() {
		ds.Add(noProject())
	}
	return files, ds
}

func oldProject(name string) diag.Diagnostic {
	return diag.Errorf(diag.OldProject, source.Span{},
		"%s is not a source any more: projects are written in .agent files; run `terfyn migrate --to-agent` to convert it, then remove it", name)
}

func noProject() diag.Diagnostic {
	return diag.Errorf(diag.NoProject, source.Span{}, "no project here: no project.yaml and no .agent file; change to the directory of a project or start one with a .agent file")
}

func unreadable(name string, err error) diag.Diagnostic {
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		err = pathErr.Err
	}
	return diag.Errorf(diag.UnreadableFile, source.Span{}, "%s cannot be read: %s", name, err)
}
