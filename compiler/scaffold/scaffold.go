// Package scaffold adds a starter declaration to a project: what `terfyn new`
// writes.
//
// It works out the new content of one file and has it compiled with the rest of
// the project. It leaves out writing, and it never changes what a file has.
package scaffold

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"terfyn/compiler"
	"terfyn/compiler/diag"
	"terfyn/compiler/format"
	"terfyn/compiler/internal/overlayfs"
	"terfyn/compiler/internal/rootfs"
	"terfyn/compiler/source"
	"terfyn/compiler/syntax"
)

// Kinds are the kinds of declaration that can be started.
var Kinds = []string{"agent", "workflow", "tool", "policy"}

// starters are the declarations; %s is the name.
var starters = map[string]string{
	"agent": `agent %s {
    model mock/default
    description "What it is for"
    instructions """
        Say what the agent is to do, and in what form it answers.
        """
}
`,
	"workflow": `workflow %s(input: any)
    description "What it is for"
{
    return input
}
`,
	"tool": `tool %s {
    type mock
    safety {
        sideEffects false
    }
    operations {
        read {
            readOnly true
        }
    }
    description "What it is for"
}
`,
	"policy": `policy %s {
    preset strict
}
`,
}

// Change is a declaration that was added to a file.
type Change struct {
	File    string // relative to the root, with slashes
	Created bool   // the file did not exist
	Text    string // the declaration
	Content []byte // the whole file with it
}

// ErrUsage marks an error in what was asked for, not in the project.
var ErrUsage = errors.New("cannot start the declaration")

// Add starts a declaration of a kind and name at the end of file. The list holds
// what is wrong with the project as it would be; with an error in it, or an error
// beside it, nothing is to be written. sources gives the files it points into.
func Add(fsys fs.FS, project, kind, name, file string) (change Change, sources map[string][]byte, ds diag.List, err error) {
	text, err := declaration(kind, name)
	if err != nil {
		return Change{}, nil, nil, err
	}
	if err := place(file); err != nil {
		return Change{}, nil, nil, err
	}
	before, err := rootfs.Read(fsys, file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return Change{}, nil, nil, fmt.Errorf("%w: %w", ErrUsage, err)
	}
	change = Change{File: file, Created: before == nil, Text: text, Content: appended(before, text)}
	if _, ds = syntax.Parse(source.NewFile(file, before), syntax.ParseLimits{}); ds.HasErrors() {
		return change, map[string][]byte{file: before}, ds, nil
	}
	over := overlayfs.New(fsys, map[string][]byte{file: change.Content})
	r, ds := compiler.Compile(over, compiler.Options{Project: project})
	return change, r.Sources, ds, nil
}

// declaration is the starter of a kind in canonical form.
func declaration(kind, name string) (string, error) {
	pattern, ok := starters[kind]
	if !ok {
		return "", fmt.Errorf("%w: %q is no kind that can be started; choose %s", ErrUsage, kind, strings.Join(Kinds, ", "))
	}
	f := source.NewFile(name, fmt.Appendf(nil, pattern, name))
	u, ds := syntax.Parse(f, syntax.ParseLimits{})
	if ds.HasErrors() || len(u.Decls) != 1 || !isName(name) {
		return "", fmt.Errorf("%w: %q is no name; a name has letters, digits, _ and -, starts with a letter or _, and is none of agent, workflow, parallel and return", ErrUsage, name)
	}
	return string(format.Unit(u)), nil
}

// isName leaves to the parser which words are reserved.
func isName(s string) bool {
	for i, r := range s {
		letter := r == '_' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
		if !letter && (i == 0 || r != '-' && (r < '0' || r > '9')) {
			return false
		}
	}
	return s != ""
}

// place refuses files that the compiler would not read.
func place(file string) error {
	switch {
	case !fs.ValidPath(file):
		return fmt.Errorf("%w: the file %s is not inside of the project; give its path relative to the project's folder", ErrUsage, file)
	case path.Ext(file) != ".agent":
		return fmt.Errorf("%w: declarations stand in files whose name ends in .agent, got %s", ErrUsage, file)
	}
	for _, dir := range strings.Split(path.Dir(file), "/") {
		if strings.HasPrefix(dir, ".") && dir != "." {
			return fmt.Errorf("%w: folders that start with a dot are not read, got %s", ErrUsage, file)
		}
	}
	return nil
}

// appended puts text behind before with one blank line between them.
func appended(before []byte, text string) []byte {
	kept := bytes.TrimRight(before, "\n")
	if len(bytes.TrimSpace(kept)) == 0 {
		return append(bytes.Clone(kept), text...)
	}
	return append(append(bytes.Clone(kept), "\n\n"...), text...)
}
