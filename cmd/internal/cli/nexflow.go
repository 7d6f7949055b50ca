package cli

import (
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"terfyn/cmd/internal/buildinfo"
	"terfyn/cmd/internal/nexflow"
)

// newNexflow hands the whole line to its own parser: none of terfyn's common flags,
// preferences and variables mean anything to this group, whose exit codes are its own.
func newNexflow(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:                "nexflow COMMAND --root DIR",
		Short:              "Read NexFlow manifest sets: discover, validate, inspect, graph; init starts one",
		DisableFlagParsing: true,
		// In place of what the root does before a command: it looks at preferences.
		PersistentPreRunE: func(*cobra.Command, []string) error {
			a.started = true
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			// A reader that is gone is a failed write, not a signal that ends the process.
			signal.Ignore(syscall.SIGPIPE)
			return exit(Exit(nexflow.Main(args, a.out, a.err, buildinfo.Read().Version)))
		},
		ValidArgsFunction: func(_ *cobra.Command, args []string, next string) ([]string, cobra.ShellCompDirective) {
			words, files := nexflow.Words(args, next)
			if files {
				return words, cobra.ShellCompDirectiveDefault
			}
			return offer(words)
		},
	}
	hideCommon(c)
	c.SetHelpFunc(func(*cobra.Command, []string) {
		_ = nexflow.Main([]string{"--help"}, a.out, a.err, buildinfo.Read().Version)
	})
	return c
}

// hideCommon puts hidden flags before those of the root, which completion would offer.
func hideCommon(c *cobra.Command) {
	common := &cobra.Command{}
	bindFlags(common, &flags{})
	for _, name := range []string{"project", "state", "env", "output", "no-color", "quiet", "verbose", "address", "namespace", "profile", "task-queue"} {
		if err := common.PersistentFlags().MarkHidden(name); err != nil {
			panic("cli: " + err.Error()) // the flag is bound above
		}
	}
	c.Flags().AddFlagSet(common.PersistentFlags())
}
