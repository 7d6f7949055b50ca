package render

import (
	"fmt"
	"io"
	"strings"

	"terfyn/planner/chart"
)

// ChartDOT writes a chart as input of Graphviz.
func ChartDOT(w io.Writer, c chart.Chart) {
	line := func(format string, args ...any) { _, _ = fmt.Fprintf(w, format+"\n", args...) }
	line("digraph terfyn {")
	line("  rankdir=LR;")
	line("  node [shape=box];")
	for _, n := range c.Nodes {
		if n.Kind != chart.Operation {
			line("  %s [label=%s%s];", dotText(n.ID), dotText(nodeLabel(n)), dotShape(n))
		}
	}
	for _, tool := range toolsOf(c) {
		line("  subgraph %s {", dotText("cluster_"+tool))
		line("    label=%s;", dotText("tool "+tool))
		for _, n := range c.Nodes {
			if n.Kind == chart.Operation && n.Tool == tool {
				line("    %s [label=%s%s];", dotText(n.ID), dotText(nodeLabel(n)), dotShape(n))
			}
		}
		line("  }")
	}
	for _, e := range c.Edges {
		line("  %s -> %s [label=%s%s];", dotText(e.From), dotText(e.To), dotText(edgeLabel(e)), dotStyle(e))
	}
	line("}")
}

// dotText quotes s; a line break in it is one in the label.
func dotText(s string) string {
	s = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\r", "", "\n", `\n`).Replace(s)
	return `"` + s + `"`
}

func dotShape(n chart.Node) string {
	switch n.Kind {
	case chart.Agent:
		return `, style=rounded`
	case chart.Approval:
		return `, shape=diamond`
	case chart.Effect:
		return `, shape=ellipse`
	case chart.Unknown:
		return `, shape=octagon, color=red`
	}
	return ""
}

func dotStyle(e chart.Edge) string {
	style := ""
	switch {
	case e.Authority == chart.Autonomous:
		style = ", style=dashed"
	case e.Kind == chart.Reconcile:
		style = ", style=dotted"
	}
	if len(e.Gates) > 0 {
		style += ", color=orange"
	}
	return style
}

// nodeLabel is what a node shows, its detail on a second line.
func nodeLabel(n chart.Node) string {
	switch n.Kind {
	case chart.Operation, chart.Effect, chart.Unknown:
		return n.Name
	case chart.Approval:
		return withDetail("approval "+n.Name, n.Detail)
	}
	return withDetail(string(n.Kind)+" "+n.Name, n.Detail)
}

func withDetail(text, detail string) string {
	if detail == "" {
		return text
	}
	return text + "\n" + Cell(detail)
}

// edgeLabel is what an edge shows: its kind, the loops around its calls, whether
// something stops it, and whether it closes a cycle.
func edgeLabel(e chart.Edge) string {
	lines := []string{verb(e.Kind)}
	if n := len(e.Sites); n > 1 {
		lines[0] += fmt.Sprintf(" at %d places", n)
	}
	seen := map[string]bool{"": true}
	for _, s := range e.Sites {
		if loops := loopWords(s.Loops); !seen[loops] {
			seen[loops] = true
			lines = append(lines, "in "+loops)
		}
	}
	for _, g := range e.Gates {
		if word := gateWord(g); !seen[word] {
			seen[word] = true
			lines = append(lines, word)
		}
	}
	if e.Cycle {
		lines = append(lines, "cycle")
	}
	return strings.Join(lines, "\n")
}
