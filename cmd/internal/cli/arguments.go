package cli

import (
	"strings"

	"github.com/spf13/cobra"
)

// arguments checks how many arguments a command got. what names them in words,
// such as "a run id"; it is not used where there are none.
func arguments(least, most int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		path := cmd.CommandPath()
		switch {
		case len(args) < least:
			return usagef("%s needs %s: %s", path, what, strings.TrimSpace(cmd.Parent().CommandPath()+" "+cmd.Use))
		case len(args) > most && most == 0:
			return usagef("%s takes no arguments, got %q; %s --help lists what it knows", path, args[0], path)
		case len(args) > most:
			return usagef("%s takes %s and nothing more, got also %q; %s --help lists what it knows", path, what, args[most], path)
		}
		return nil
	}
}

// unknownCommand is what the root's arguments are: its commands have been looked
// up before.
func unknownCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	near := ""
	if names := cmd.SuggestionsFor(args[0]); len(names) > 0 {
		near = "did you mean " + strings.Join(names, " or ") + "? "
	}
	return usagef("unknown command %q; %s%s --help lists the commands", args[0], near, cmd.CommandPath())
}
