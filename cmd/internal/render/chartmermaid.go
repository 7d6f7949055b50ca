package render

import (
	"fmt"
	"io"
	"strings"

	"terfyn/planner/chart"
)

// ChartMermaid writes a chart as a Mermaid flowchart.
func ChartMermaid(w io.Writer, c chart.Chart) {
	line := func(format string, args ...any) { _, _ = fmt.Fprintf(w, format+"\n", args...) }
	names := map[string]string{} // ids of the chart hold characters that Mermaid's must not
	for i, n := range c.Nodes {
		names[n.ID] = fmt.Sprintf("n%d", i)
	}
	line("flowchart LR")
	for _, n := range c.Nodes {
		if n.Kind != chart.Operation {
			line("  %s%s", names[n.ID], mermaidNode(n))
		}
	}
	for i, tool := range toolsOf(c) {
		line("  subgraph t%d[%s]", i, mermaidText("tool "+tool))
		for _, n := range c.Nodes {
			if n.Kind == chart.Operation && n.Tool == tool {
				line("    %s%s", names[n.ID], mermaidNode(n))
			}
		}
		line("  end")
	}
	for _, e := range c.Edges {
		arrow := "-->"
		switch {
		case e.Authority == chart.Autonomous:
			arrow = "-.->"
		case len(e.Gates) > 0:
			arrow = "==>"
		}
		line("  %s %s|%s| %s", names[e.From], arrow, mermaidText(edgeLabel(e)), names[e.To])
	}
}

func mermaidNode(n chart.Node) string {
	text := mermaidText(nodeLabel(n))
	switch n.Kind {
	case chart.Agent:
		return "(" + text + ")"
	case chart.Approval:
		return "{" + text + "}"
	case chart.Effect:
		return "([" + text + "])"
	case chart.Unknown:
		return "{{" + text + "}}"
	}
	return "[" + text + "]"
}

// mermaidText quotes s. Characters that end a label or begin markup are written as
// entities, a line break as a break of the label.
func mermaidText(s string) string {
	s = strings.NewReplacer(
		"#", "#35;", `"`, "#quot;", "<", "#lt;", ">", "#gt;", "&", "#amp;", "`", "#96;", "|", "#124;", "\r", "", "\n", "<br/>",
	).Replace(s)
	return `"` + s + `"`
}
