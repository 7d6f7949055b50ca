package cli

import (
	"io"

	"github.com/spf13/cobra"

	"terfyn/store/open"
)

func newStore(a *app) *cobra.Command {
	migrate := &cobra.Command{
		Use: "migrate", Short: "Create the state, or bring its schema up to this release", Args: arguments(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := open.Open(cmd.Context(), a.statePath(), open.Migrate)
			if err != nil {
				return err
			}
			place := s.Describe()
			if err := s.Close(); err != nil {
				return err
			}
			return a.show(func(w io.Writer) { say(w, "%s has the schema of this release.", place) }, str("state", place))
		},
	}
	return group("store", "The state's database", migrate)
}
