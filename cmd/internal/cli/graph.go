package cli

import (
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"terfyn/cmd/internal/render"
	"terfyn/compiler/effects"
	"terfyn/compiler/resource"
	"terfyn/internal/canon"
	"terfyn/planner/chart"
)

var chartFormats = []string{"text", "dot", "mermaid", "json"}

func newGraph(a *app) *cobra.Command {
	var format string
	c := &cobra.Command{
		Use:               "graph [workflow/NAME|agent/NAME]",
		Short:             "Draw who calls what: workflows, agents, operations, effects",
		Args:              arguments(0, 1, "one workflow or agent"),
		ValidArgsFunction: a.completeCallers,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case !slices.Contains(chartFormats, format):
				return usagef("--format %s is not a format of graphs; use %s", format, strings.Join(chartFormats, ", "))
			case a.machine() && cmd.Flags().Changed("format") && format != a.flags.output:
				return usagef("--format %s and -o %s contradict each other; give one of them", format, a.flags.output)
			case format == "json":
				a.flags.output = "json"
			}
			root := ""
			if len(args) == 1 {
				root = args[0]
			}
			return a.graph(root, format)
		},
	}
	c.Flags().StringVar(&format, "format", "text", "text, dot (Graphviz), mermaid or json")
	err := c.RegisterFlagCompletionFunc("format", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return offer(chartFormats)
	})
	if err != nil {
		panic("cli: " + err.Error()) // the flag is bound above
	}
	return c
}

func (a *app) graph(root, format string) error {
	c, err := a.content(false)
	if err != nil {
		return err
	}
	if root != "" {
		kind, name, err := target(root)
		if err != nil {
			return err
		}
		root = strings.ToLower(kind) + "/" + name
	}
	drawn, err := chart.Build(c.Graph, c.Programs, effects.Compute(c.Graph), root)
	if errors.Is(err, chart.ErrUnknownRoot) {
		return usagef("%w; %sit has %s", err, meantRoot(root, callers(c.Graph)), strings.Join(callers(c.Graph), ", "))
	}
	if err != nil {
		return err
	}
	return a.show(func(w io.Writer) {
		switch format {
		case "dot":
			render.ChartDOT(w, drawn)
		case "mermaid":
			render.ChartMermaid(w, drawn)
		default:
			render.Chart(w, drawn, a.palette(w))
		}
	}, str("environment", a.environment()), canon.F("graph", drawn.JSON()))
}

func meantRoot(root string, known []string) string {
	kind, name, _ := strings.Cut(root, "/")
	return meantResource(kind, name, known)
}

// callers lists what a graph may start from.
func callers(g resource.Graph) []string {
	var out []string
	for _, a := range g.Agents {
		out = append(out, "agent/"+a.Name)
	}
	for _, w := range g.Workflows {
		out = append(out, "workflow/"+w.Name)
	}
	return out
}

func (a *app) completeCallers(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return offer(nil)
	}
	return offer(a.resources(func(k resource.Kind) bool { return k == resource.KindWorkflow || k == resource.KindAgent }))
}
