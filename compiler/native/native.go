// Package native owns the table of native operations: their names, what they are
// for, whether they only read, and the JSON Schema of their arguments. The compiler
// captures the schemas, so that a run keeps those it started with; the transport
// that runs the operations has one entry for each name of the table.
//
// It runs nothing and reads no file; activities/tool/native does.
package native

import (
	"slices"
	"strings"

	"terfyn/compiler/resource"
	"terfyn/internal/canon"
)

// ToolType is the type of the tools this table is about.
const ToolType = "native"

// Operation is one native operation.
type Operation struct {
	Name        string
	Description string // shown to a model whose tool says nothing else
	// ReadOnly is what the operation does; whether a call needs approval follows
	// from what its tool declares and not from this.
	ReadOnly bool
	// Schema is of an object with the arguments.
	Schema canon.Value
}

// Operations lists all of them by name.
func Operations() []Operation {
	return []Operation{
		{"check_runs.list", "Lists the checks of a commit on GitHub.", true, repository(text("ref", "Branch, tag or commit."))},
		{"command.run", "Runs a command line of the shell in the workspace.", false, object(text("command", "The command line."))},
		{"create_branch", "Creates a branch in the workspace's repository and switches to it.", false, object(text("name", "Name of the new branch."))},
		{"diff", "Shows what is changed in the workspace against its last commit.", true, object()},
		{"echo", "Returns its arguments.", true, open()},
		{"edit", "Replaces one exact occurrence of a text in a file of the workspace.", false, editSchema()},
		{"glob", "Lists files of the workspace by pattern; ** matches any number of directories.", true, globSchema()},
		{"grep", "Finds lines of workspace files by regular expression (RE2).", true, grepSchema()},
		{"list_dir", "Lists a directory of the workspace.", true, listSchema()},
		{"post_comment", "Comments on an issue or pull request on GitHub.", false, repository(numbered(), text("body", "The comment, in Markdown."))},
		{"pull_request.diff", "Reads the changes of a pull request on GitHub as a diff.", true, repository(numbered())},
		{"pull_request.get", "Reads a pull request on GitHub.", true, repository(numbered())},
		{"push_branch", "Pushes a branch of the workspace's repository to its remote origin.", false, object(text("branch", "Name of the branch."))},
		{"read_file", "Reads a file of the workspace, whole or by lines.", true, readSchema()},
		{"run_tests", "Runs the declared test command in the workspace.", false, object()},
		{"status", "Shows the branch of the workspace's repository and its changed files.", true, object()},
		{"write_file", "Writes a file of the workspace.", false, writeSchema()},
	}
}

// Names lists the names of all operations in order.
func Names() []string {
	var names []string
	for _, o := range Operations() {
		names = append(names, o.Name)
	}
	return names
}

// Find returns the operation of that name, which is the remote name of a declared
// one.
func Find(name string) (Operation, bool) {
	all := Operations()
	i := slices.IndexFunc(all, func(o Operation) bool { return o.Name == name })
	if i < 0 {
		return Operation{}, false
	}
	return all[i], true
}

// Of returns the native operation behind an operation of a tool. ok is false for
// tools of other types and for names the table lacks.
func Of(t resource.Tool, o resource.Operation) (found Operation, ok bool) {
	if t.Type != ToolType {
		return Operation{}, false
	}
	name := o.RemoteName
	if name == "" {
		name = o.Name
	}
	return Find(name)
}

// pathPrefix cannot start a path in a project: references to schemas are paths
// without a colon.
const pathPrefix = "native:"

// SchemaPath is the name under which the schema of an operation is captured.
func SchemaPath(name string) string { return pathPrefix + name }

// IsSchemaPath reports whether a captured schema came from this table and not from
// a file of the project.
func IsSchemaPath(path string) bool { return strings.HasPrefix(path, pathPrefix) }

// ArgumentsSchema is the path of the captured schema that the arguments of an
// operation are checked against: the author's, else the built-in one of a native
// operation, else "".
func ArgumentsSchema(t resource.Tool, o resource.Operation) string {
	if o.Schema != "" {
		return o.Schema
	}
	if found, ok := Of(t, o); ok {
		return SchemaPath(found.Name)
	}
	return ""
}
