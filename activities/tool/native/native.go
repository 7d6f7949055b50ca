// Package native owns how the built-in operations of tools of type native are run:
// echo, the workspace operations, which see one directory and nothing outside of
// it, version control in that directory, and reading and commenting on pull requests
// of a GitHub server. What they are called and take is the table of compiler/native.
//
// File access goes through os.Root, so that neither "..", absolute paths nor
// symbolic links leave the sandbox. Commands, tests and git run as processes of the
// worker: what they touch is bounded by who may call them and not by this package.
package native

import (
	"context"
	"os"

	"terfyn/activities/tool"
	"terfyn/compiler/native"
	"terfyn/internal/canon"
	"terfyn/internal/ordered"
)

// session is one call with its arguments.
type session struct {
	call tool.Call
	args arguments
}

// operation does what one entry of the table in compiler/native promises.
type operation func(ctx context.Context, s session) (canon.Value, error)

// operations has one entry for each name of that table.
func operations() map[string]operation {
	return map[string]operation{
		"command.run": runCommand, "run_tests": runTests,
		"echo": echo, "edit": edit, "glob": glob, "grep": grep, "list_dir": listDir, "read_file": readFile, "write_file": writeFile,
		"create_branch": createBranch, "diff": gitDiff, "push_branch": pushBranch, "status": gitStatus,
		"check_runs.list": listChecks, "post_comment": postComment, "pull_request.diff": pullRequestDiff, "pull_request.get": getPullRequest,
	}
}

// Names lists the operations that run here, in order.
func Names() []string { return ordered.Keys(operations()) }

// Transport runs native operations in this process. The zero value is ready.
type Transport struct{}

// Call runs one operation.
func (Transport) Call(ctx context.Context, c tool.Call) (tool.Result, error) {
	ctx, cancel := c.Within(ctx)
	defer cancel()
	declared, known := native.Find(c.Remote())
	do, runs := operations()[c.Remote()]
	if !known || !runs {
		return tool.Result{}, tool.Failf(tool.BadInput, "unknown_operation", "tool %s: there is no native operation %q", c.Tool.Name, c.Remote())
	}
	if ctx.Err() != nil {
		return tool.Result{}, tool.Ended(ctx, c, false)
	}
	args, err := newArguments(c.Arguments, declared.Schema)
	if err != nil {
		return tool.Result{}, err
	}
	out, err := do(ctx, session{call: c, args: args})
	if err != nil {
		return tool.Result{}, err
	}
	isCut, _ := out.At("truncated").AsBool()
	return tool.Result{Output: out, ProviderID: tool.ProviderID(out), Truncated: isCut && declared.Name != "echo"}, nil
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
