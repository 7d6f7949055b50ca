package cli

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

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
				say(w, "Next: terfyn validate, terfyn plan, terfyn apply, then terfyn dev and terfyn run workflow/hello --input name=Ada")
			}, str("path", filepath.ToSlash(path)), canon.F("created", canon.Bool(true)))
		},
	}
}

// writeStarter creates the starter file and never touches an existing project.
func writeStarter(dir string) (string, error) {
	path := filepath.Join(dir, starterFile)
	if found, err := filepath.Glob(filepath.Join(dir, "*.agent")); err == nil && len(found) > 0 {
		return "", failf(ExitFailure, "%s is there already; init never overwrites, choose another folder", found[0])
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", failf(ExitFailure, "create the project folder: %w", err)
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return "", failf(ExitFailure, "%s is there already; init never overwrites, choose another folder", path)
	}
	if err != nil {
		return "", failf(ExitFailure, "create the project file: %w", err)
	}
	if _, err := f.WriteString(starter); err != nil {
		return "", errors.Join(failf(ExitFailure, "write %s: %w", path, err), f.Close())
	}
	return path, f.Close()
}
