// Package native owns the built-in operations of tools of type native: echo and
// the workspace operations, which see one directory and nothing outside of it.
//
// File access goes through os.Root, so that neither "..", absolute paths nor
// symbolic links leave the sandbox. The package leaves out version control and
// services.
package native

import (
	"context"
	"os"

	"terfyn/activities/tool"
	"terfyn/internal/canon"
)

// Builtin is one native operation with the flags it has unless its tool declares
// others.
type Builtin struct {
	Name        string
	Description string
	ReadOnly    bool
	SideEffects bool

	schema canon.Value
	run    func(ctx context.Context, s session) (canon.Value, error)
}

// session is one call with its arguments.
type session struct {
	call tool.Call
	args arguments
}

// builtins is the table of operations, by name.
func builtins() []Builtin {
	return []Builtin{
		{Name: "echo", Description: "Returns its arguments.", ReadOnly: true, schema: open(), run: echo},
		{Name: "edit", Description: "Replaces one exact occurrence of a text in a file of the workspace.", SideEffects: true, schema: editSchema(), run: edit},
		{Name: "glob", Description: "Lists files of the workspace by pattern; ** matches any number of directories.", ReadOnly: true, schema: globSchema(), run: glob},
		{Name: "grep", Description: "Finds lines of workspace files by regular expression (RE2).", ReadOnly: true, schema: grepSchema(), run: grep},
		{Name: "list_dir", Description: "Lists a directory of the workspace.", ReadOnly: true, schema: listSchema(), run: listDir},
		{Name: "read_file", Description: "Reads a file of the workspace, whole or by lines.", ReadOnly: true, schema: readSchema(), run: readFile},
		{Name: "run_tests", Description: "Runs the declared test command in the workspace.", SideEffects: true, schema: object(nil), run: runTests},
		{Name: "write_file", Description: "Writes a file of the workspace.", SideEffects: true, schema: writeSchema(), run: writeFile},
	}
}

// Operations returns the native operations by name.
func Operations() []Builtin { return builtins() }

// Schema returns the JSON Schema of an operation's arguments.
func Schema(operation string) (canon.Value, bool) {
	b, ok := find(operation)
	return b.schema, ok
}

func find(operation string) (Builtin, bool) {
	for _, b := range builtins() {
		if b.Name == operation {
			return b, true
		}
	}
	return Builtin{}, false
}

// Transport runs native operations in this process. The zero value is ready.
type Transport struct{}

// Call runs one operation.
func (Transport) Call(ctx context.Context, c tool.Call) (tool.Result, error) {
	ctx, cancel := c.Within(ctx)
	defer cancel()
	b, ok := find(c.Remote())
	if !ok {
		return tool.Result{}, tool.Failf(tool.BadInput, "unknown_operation", "tool %s: there is no native operation %q", c.Tool.Name, c.Remote())
	}
	if ctx.Err() != nil {
		return tool.Result{}, tool.Ended(ctx, c, false)
	}
	args, err := newArguments(c.Arguments, b.schema)
	if err != nil {
		return tool.Result{}, err
	}
	out, err := b.run(ctx, session{call: c, args: args})
	if err != nil {
		return tool.Result{}, err
	}
	isCut, _ := out.At("truncated").AsBool()
	return tool.Result{Output: out, Truncated: isCut && b.Name != "echo"}, nil
}

func echo(_ context.Context, s session) (canon.Value, error) {
	return canon.Object(canon.F("echo", s.call.Arguments)), nil
}

// environment reads a fallback of the workspace declaration.
func environment(declared, name string) string {
	if declared != "" {
		return declared
	}
	return os.Getenv(name)
}
