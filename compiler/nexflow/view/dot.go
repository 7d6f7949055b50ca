package view

import (
	"fmt"
	"io"
	"strings"
)

// WriteDot writes the graph in the DOT language of Graphviz: a cluster for each
// kind, dashed boxes for what is not declared, cycles in red.
func (g Graph) WriteDot(w io.Writer) {
	d := g.draw()
	line := func(format string, args ...any) { fmt.Fprintf(w, format+"\n", args...) }
	line("digraph nexflow {")
	line("  label=%s;", dotText(g.caption()))
	line("  rankdir=LR;")
	line("  node [shape=box];")
	for n, group := range d.groups {
		line("  subgraph cluster_%d {", n)
		line("    label=%s;", dotText(group.title))
		for _, b := range group.boxes {
			line("    %s [label=%s%s];", b.name, dotText(b.label), dotStyle(false, b.cyclic))
		}
		line("  }")
	}
	for _, b := range d.loose {
		line("  %s [label=%s%s];", b.name, dotText(b.label), dotStyle(true, false))
	}
	for _, a := range d.arrows {
		line("  %s -> %s [label=%s%s];", a.from, a.to, dotText(a.label), dotStyle(a.open, a.cyclic))
	}
	line("}")
}

func dotStyle(dashed, cyclic bool) string {
	s := ""
	if dashed {
		s += ", style=dashed"
	}
	if cyclic {
		s += `, color="#cc0000", penwidth=2`
	}
	return s
}

var dotEscapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

// dotText quotes a label.
func dotText(s string) string {
	return `"` + dotEscapes.Replace(strings.Map(onlyPlain, clip(s))) + `"`
}
