package cli

import (
	"io"

	"github.com/spf13/cobra"

	"terfyn/cmd/internal/buildinfo"
	"terfyn/cmd/internal/render"
	"terfyn/compiler/ir"
	"terfyn/compiler/resource"
	"terfyn/deploy/snapshot"
	"terfyn/internal/canon"
)

func newVersion(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Show the version and the formats it reads", Args: arguments(0, 0, ""),
		RunE: func(*cobra.Command, []string) error {
			i := buildinfo.Read()
			return a.show(func(w io.Writer) {
				say(w, "terfyn %s", i.Version)
				say(w, "commit %s, %s", render.Cell(i.Commit), i.Go)
				say(w, "formats: graph %d, IR %d, snapshot %d", resource.GraphFormat, ir.FormatVersion, snapshot.FormatVersion)
			},
				str("version", i.Version), str("commit", i.Commit), str("go", i.Go),
				canon.F("graphFormat", canon.Int(resource.GraphFormat)), canon.F("irFormat", canon.Int(ir.FormatVersion)),
				canon.F("snapshotFormat", canon.Int(snapshot.FormatVersion)))
		},
	}
}
