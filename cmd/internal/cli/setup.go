package cli

import (
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"terfyn/internal/canon"
)

// defaultRetention is how long a new namespace keeps closed runs.
const defaultRetention = 72 * time.Hour

func newSetup(a *app) *cobra.Command {
	var retention time.Duration
	c := &cobra.Command{
		Use: "setup", Short: "Create the Temporal namespace and its search attributes where they are missing", Args: arguments(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := a.connect(cmd.Context(), nil)
			if err != nil {
				return err
			}
			defer c.Close()
			p, err := c.Setup(cmd.Context(), retention)
			if err != nil {
				return err
			}
			return a.show(func(w io.Writer) {
				if p.Namespace {
					say(w, "Created namespace %s.", c.Namespace)
				}
				if len(p.Attributes) > 0 {
					say(w, "Added search attributes %s.", strings.Join(p.Attributes, ", "))
				}
				say(w, "Namespace %s at %s is ready.", c.Namespace, c.Address)
			},
				str("address", c.Address), str("namespace", c.Namespace),
				canon.F("namespaceCreated", canon.Bool(p.Namespace)), canon.F("attributesAdded", canon.Strings(p.Attributes)))
		},
	}
	c.Flags().DurationVar(&retention, "retention", defaultRetention, "how long a new namespace keeps closed runs")
	return c
}
