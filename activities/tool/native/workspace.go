package native

import (
	"errors"
	"io/fs"
	"os"
	slashpath "path"
	"path/filepath"
	"strings"

	"terfyn/activities/tool"
	"terfyn/internal/canon"
)

const (
	// maxContent bounds the content of one read, in bytes.
	maxContent = 1 << 20
	// maxEntries bounds directory listings and lists of matches.
	maxEntries = 1000
	// maxEditable bounds files that edit loads, in bytes.
	maxEditable = 16 << 20
)

// rootDir returns the sandbox directory of a tool: declared, or from the
// environment; a relative one starts from the project. Without either there is
// no workspace.
func rootDir(c tool.Call) (string, error) {
	declared := ""
	if c.Tool.Workspace != nil {
		declared = c.Tool.Workspace.Root
	}
	dir := environment(declared, "TERFYN_WORKSPACE_ROOT")
	if dir == "" {
		return "", tool.Failf(tool.Denied, "no_workspace", "tool %s has no workspace: declare workspace { root } or set TERFYN_WORKSPACE_ROOT", c.Tool.Name)
	}
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(c.ProjectRoot, dir)
	}
	return dir, nil
}

func openRoot(c tool.Call) (*os.Root, error) {
	dir, err := rootDir(c)
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, tool.Failf(tool.Denied, "no_workspace", "the workspace of tool %s cannot be opened: %v", c.Tool.Name, reason(err)).Because(err)
	}
	return root, nil
}

// local cleans a path of the workspace; "" stands for the workspace itself.
func local(p string) (string, error) {
	if p == "" {
		return ".", nil
	}
	if strings.ContainsRune(p, 0) || !filepath.IsLocal(filepath.FromSlash(p)) {
		return "", tool.Failf(tool.Denied, "outside", "path %q is outside of the workspace", tool.Bound(p))
	}
	return slashpath.Clean(filepath.ToSlash(p)), nil
}

// writable is local for paths that change: version control data is never
// written, since its hooks and settings run programs.
func writable(p string) (string, error) {
	clean, err := local(p)
	if err != nil {
		return "", err
	}
	if clean == "." {
		return "", bad("path is empty")
	}
	for part := range strings.SplitSeq(clean, "/") {
		if strings.EqualFold(strings.TrimRight(part, ". "), ".git") {
			return "", tool.Failf(tool.Denied, "protected", "path %q belongs to version control and cannot be written", tool.Bound(p))
		}
	}
	return clean, nil
}

// failure turns a file error into one that says what the caller can do.
func failure(p string, err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return tool.Failf(tool.Failed, "not_found", "%s does not exist in the workspace", p).Answerable().Because(err)
	case escapes(err):
		return tool.Failf(tool.Denied, "outside", "%s leads outside of the workspace", p).Because(err)
	case errors.Is(err, fs.ErrPermission):
		return tool.Failf(tool.Denied, "permission", "%s may not be accessed", p).Because(err)
	}
	return tool.Failf(tool.Failed, "io", "%s: %v", p, reason(err)).Because(err)
}

// escapes reports whether os.Root refused a path. The package has no sentinel
// for it, only this text.
func escapes(err error) bool {
	pe, ok := errors.AsType[*fs.PathError](err)
	return ok && pe.Err.Error() == "path escapes from parent"
}

// reason drops paths of this machine from an error.
func reason(err error) error {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return pe.Err
	}
	if le, ok := errors.AsType[*os.LinkError](err); ok {
		return le.Err
	}
	return err
}

// entries lists a directory: names in order, directories with a slash, at most
// maxEntries.
func entries(root *os.Root, p string) (names []string, more bool, err error) {
	list, err := fs.ReadDir(root.FS(), p)
	if err != nil {
		return nil, false, failure(p, err)
	}
	if len(list) > maxEntries {
		list, more = list[:maxEntries], true
	}
	names = make([]string, 0, len(list))
	for _, e := range list {
		name := e.Name()
		if e.IsDir() {
			name += "/"
		}
		names = append(names, name)
	}
	return names, more, nil
}

func directory(root *os.Root, p string) (canon.Value, error) {
	names, more, err := entries(root, p)
	if err != nil {
		return canon.Value{}, err
	}
	return truncated(canon.Object(
		canon.F("path", canon.String(p)), canon.F("is_directory", canon.Bool(true)), canon.F("entries", canon.Strings(names))), more), nil
}

// truncated adds the mark of a cut result; a complete one has none.
func truncated(v canon.Value, is bool) canon.Value {
	if !is {
		return v
	}
	return v.With("truncated", canon.Bool(true))
}
