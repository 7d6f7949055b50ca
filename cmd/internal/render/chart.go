package render

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"terfyn/planner/chart"
)

// Chart writes a chart as lists of what leads where.
func Chart(w io.Writer, c chart.Chart, p Palette) {
	pr := chartPrinter{w: w, c: p, chart: c}
	for _, n := range c.Nodes {
		if n.Kind == chart.Workflow || n.Kind == chart.Agent {
			pr.caller(n)
		}
	}
	for _, tool := range toolsOf(c) {
		pr.tool(tool)
	}
	if len(c.Nodes) == 0 {
		pr.line("Nothing is declared.")
	}
}

type chartPrinter struct {
	w     io.Writer
	c     Palette
	chart chart.Chart
	begun bool
}

func (p *chartPrinter) line(format string, args ...any) {
	_, _ = fmt.Fprintf(p.w, format+"\n", args...)
}

// heading starts a paragraph.
func (p *chartPrinter) heading(text, detail string) {
	if p.begun {
		p.line("")
	}
	p.begun = true
	if detail != "" {
		detail = "  (" + Cell(detail) + ")"
	}
	p.line("%s%s", p.c.Strong(text), detail)
}

func (p *chartPrinter) caller(n chart.Node) {
	p.heading(string(n.Kind)+" "+n.Name, n.Detail)
	edges := p.chart.From(n.ID)
	if len(edges) == 0 {
		p.line("  calls nothing")
	}
	width := 0
	for _, e := range edges {
		width = max(width, len(p.target(e)))
	}
	for _, e := range edges {
		line := fmt.Sprintf("  %-12s  %-*s", verb(e.Kind), width, p.target(e))
		if places := sites(e.Sites); places != "" {
			line += "  at " + places
		}
		if e.Cycle {
			line += "  [cycle]"
		}
		p.line("%s", strings.TrimRight(line, " "))
		for _, g := range gateLines(e.Gates) {
			p.line("  %-12s  %s", "", p.c.Careful(g))
		}
	}
}

func (p *chartPrinter) target(e chart.Edge) string {
	n, _ := p.chart.Node(e.To)
	switch n.Kind {
	case chart.Workflow, chart.Agent:
		return string(n.Kind) + " " + n.Name
	case chart.Approval:
		return "a person (" + n.Name + ")"
	}
	return e.To
}

func verb(k chart.EdgeKind) string {
	switch k {
	case chart.Grant:
		return "may call"
	case chart.Delegate:
		return "delegates to"
	case chart.Ask:
		return "waits for"
	case chart.Reconcile:
		return "reconciled by"
	case chart.Causes:
		return "causes"
	}
	return "calls"
}

func sites(list []chart.Site) string {
	parts := make([]string, len(list))
	for i, s := range list {
		parts[i] = s.Site
		if loops := loopWords(s.Loops); loops != "" {
			parts[i] += " in " + loops
		}
	}
	return strings.Join(parts, ", ")
}

// loopWords names loops, the innermost first.
func loopWords(loops []chart.Loop) string {
	var parts []string
	for _, l := range slices.Backward(loops) {
		switch l.Kind {
		case chart.For:
			parts = append(parts, "for")
		case chart.ParallelFor:
			parts = append(parts, fmt.Sprintf("parallel for (%d at a time)", l.Limit))
		default:
			parts = append(parts, fmt.Sprintf("%s (at most %d)", l.Kind, l.Limit))
		}
	}
	return strings.Join(parts, " in ")
}

// gateLines puts gates of one rule together.
func gateLines(gates []chart.Gate) []string {
	var out []string
	var rules [][2]string
	in := map[[2]string][]string{}
	for _, g := range gates {
		key := [2]string{gateWord(g), g.Rule}
		if _, seen := in[key]; !seen {
			rules = append(rules, key)
		}
		in[key] = append(in[key], g.Workflow)
	}
	for _, key := range rules {
		where := ""
		if names := strings.Join(in[key], ", "); names != "" {
			where = " in " + names
		}
		out = append(out, key[0]+where+": "+key[1])
	}
	return out
}

func gateWord(g chart.Gate) string {
	if g.Verdict == "deny" {
		return "denied"
	}
	return "waits for approval"
}

// toolsOf lists the tools of the operations of a chart, in order.
func toolsOf(c chart.Chart) []string {
	var out []string
	for _, n := range c.Nodes {
		if n.Kind == chart.Operation && (len(out) == 0 || out[len(out)-1] != n.Tool) {
			out = append(out, n.Tool)
		}
	}
	return out
}

func (p *chartPrinter) tool(name string) {
	p.heading("tool "+name, "")
	for _, n := range p.chart.Nodes {
		if n.Kind != chart.Operation || n.Tool != name {
			continue
		}
		var effects, more, gates []string
		for _, e := range p.chart.From(n.ID) {
			switch to, _ := p.chart.Node(e.To); {
			case e.Kind == chart.Reconcile:
				more = append(more, "reconciled by "+to.Name)
				for _, g := range e.Gates {
					gates = append(gates, to.Name+" in "+g.Workflow+": "+g.Rule)
				}
			case to.Kind == chart.Effect:
				effects = append(effects, to.Name)
			}
		}
		what := strings.Join(effects, ", ")
		if n.Unknown != "" {
			what = p.c.Bad("unknown effects") + " (" + n.Unknown + ")"
		}
		p.line("  %s: %s", n.Name, strings.Join(append([]string{what}, more...), "; "))
		for _, g := range gates {
			p.line("    %s", p.c.Careful(g))
		}
	}
}
