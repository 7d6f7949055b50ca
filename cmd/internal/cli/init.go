package cli

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"terfyn/internal/canon"
)

// starter is the project that init writes. It runs without keys and network.
const starter = `// A first project: one agent, one policy, one workflow. The mock model answers
// offline; name a real one, such as openai/gpt-4.1, when you have a key for it.

agent assistant {
    model mock/default
    policy default
    instructions "Greet the person and answer the question in two sentences."
}

policy default {
    preset shell_safe
}

workflow hello(name: any)
    policy default
{
    greeting = assistant(name: name)
    return greeting
}
`

const starterFile = "main.agent"

func newInit(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "init [DIR]",
		Short: "Start a project: one main.agent that runs offline with the mock model",
		Args:  arguments(0, 1, "one folder"),
		RunE: func(_ *cobra.Command, args []string) error {
			dir := a.flags.project
			if len(args) == 1 {
				dir = args[0]
			}
			path, err := writeStarter(dir)
			if err != nil {
				return err
			}
			return a.show(func(w io.Writer) {
				say(w, "Created %s", path)
				if a.flags.quiet {
					return
				}
				say(w, "Next: terfyn validate, terfyn plan, terfyn apply, then terfyn dev and terfyn run workflow/hello --input name=Ada")
			}, str("path", filepath.ToSlash(path)), canon.F("created", canon.Bool(true)))
		},
	}
}

// writeStarter creates the starter file and never touches an existing project.
func writeStarter(dir string) (string, error) {
	path := filepath.Join(dir, starterFile)
	if found := sourceIn(dir); found != "" {
		return "", usagef("%s is there already, and every source in a folder and below belongs to one project; init never overwrites, choose another folder", found)
	}
	if found := sourceAbove(dir); found != "" {
		return "", usagef("%s lies in the project of %s, to which every source below belongs; choose a folder elsewhere", dir, found)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", failf(ExitFailure, "create the project folder: %w", err)
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return "", usagef("%s is there already; init never overwrites, choose another folder", path)
	}
	if err != nil {
		return "", failf(ExitFailure, "create the project file: %w", err)
	}
	if _, err := f.WriteString(starter); err != nil {
		return "", errors.Join(failf(ExitFailure, "write %s: %w", path, err), f.Close())
	}
	return path, f.Close()
}

// sourceAbove gives a source of a project that dir lies in, "" when it lies in none.
// Folders whose names start with a dot belong to no project, and a folder that
// everybody may write to, such as the one for temporary files, is none.
func sourceAbove(dir string) string {
	full, err := filepath.Abs(dir)
	if err != nil {
		return ""
	}
	for !strings.HasPrefix(filepath.Base(full), ".") {
		above := filepath.Dir(full)
		if above == full {
			return ""
		}
		if info, err := os.Stat(above); err != nil || info.Mode().Perm()&0o002 != 0 {
			return ""
		}
		full = above
		if found, err := filepath.Glob(filepath.Join(full, "*.agent")); err == nil && len(found) > 0 {
			return found[0]
		}
	}
	return ""
}
