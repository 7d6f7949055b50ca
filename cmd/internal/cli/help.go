package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// strictHelp makes help and completion refuse what they do not know, as every other
// command does. The commands of root have been added.
func strictHelp(root *cobra.Command) {
	root.SetHelpCommand(&cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Help about any command",
		ValidArgsFunction: func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			at, _, err := cmd.Root().Find(args)
			if err != nil {
				return offer(nil)
			}
			return offer(commandNames(at))
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			at, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return usagef("there is no help about %q; the commands are: %s", strings.Join(args, " "), strings.Join(commandNames(cmd.Root()), ", "))
			}
			at.InitDefaultHelpFlag()
			return at.Help()
		},
	})
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		if c.Name() != "completion" {
			continue
		}
		shells := commandNames(c)
		c.Args = cobra.ArbitraryArgs
		c.RunE = func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("completion needs a shell: %s", strings.Join(shells, ", "))
			}
			return usagef("there is no completion for %q; the shells are: %s", args[0], strings.Join(shells, ", "))
		}
	}
}

// commandNames lists the commands below one that can be called, by name.
func commandNames(c *cobra.Command) []string {
	var out []string
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			out = append(out, sub.Name())
		}
	}
	slices.Sort(out)
	return out
}
