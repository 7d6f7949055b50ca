package view

import (
	"fmt"
	"io"
	"strconv"
	"strings"
)

// mermaidEdges is how many arrows Mermaid draws unless it is configured otherwise;
// a drawing cannot raise that by itself.
const mermaidEdges = 500

// WriteMermaid writes the graph as a Mermaid flowchart: a subgraph for each kind,
// dashed boxes for what is not declared, cycles in red.
func (g Graph) WriteMermaid(w io.Writer) {
	d := g.draw()
	line := func(format string, args ...any) { fmt.Fprintf(w, format+"\n", args...) }
	line("%%%% %s", strings.Map(onlyPlain, g.caption()))
	if len(d.arrows) > mermaidEdges {
		line("%%%% %d arrows; renderers that stop at %d need a greater maxEdges", len(d.arrows), mermaidEdges)
	}
	line("flowchart LR")
	for n, group := range d.groups {
		line("  subgraph g%d[%s]", n, mermaidText(group.title))
		for _, b := range group.boxes {
			line("    %s[%s]", b.name, mermaidText(b.label))
		}
		line("  end")
	}
	for _, b := range d.loose {
		line("  %s[%s]", b.name, mermaidText(b.label))
	}
	var red []string
	for n, a := range d.arrows {
		stroke := "-->"
		if a.open {
			stroke = "-.->"
		}
		if a.cyclic {
			red = append(red, strconv.Itoa(n))
		}
		line("  %s %s|%s| %s", a.from, stroke, mermaidText(a.label), a.to)
	}
	mermaidClass(line, "loose", "stroke-dasharray:4 4", boxNames(d.loose, func(box) bool { return true }))
	var all []box
	for _, group := range d.groups {
		all = append(all, group.boxes...)
	}
	mermaidClass(line, "cycle", "stroke:#c00,stroke-width:2px", boxNames(all, func(b box) bool { return b.cyclic }))
	if len(red) > 0 {
		line("  linkStyle %s stroke:#c00,stroke-width:2px", strings.Join(red, ","))
	}
}

func mermaidClass(line func(string, ...any), class, style string, members []string) {
	if len(members) > 0 {
		line("  classDef %s %s", class, style)
		line("  class %s %s", strings.Join(members, ","), class)
	}
}

func boxNames(all []box, which func(box) bool) []string {
	var out []string
	for _, b := range all {
		if which(b) {
			out = append(out, b.name)
		}
	}
	return out
}

var mermaidEntities = strings.NewReplacer(
	"#", "#35;", `"`, "#quot;", "<", "#lt;", ">", "#gt;", "&", "#amp;", "`", "#96;", "|", "#124;", `\`, "#92;",
)

// mermaidText quotes a label. What ends a label or begins markup is written as an
// entity.
func mermaidText(s string) string {
	return `"` + mermaidEntities.Replace(strings.Map(onlyPlain, clip(s))) + `"`
}

// onlyPlain drops what no id has and a renderer may act on: controls and everything
// beyond ASCII.
func onlyPlain(r rune) rune {
	if r < ' ' || r > '~' {
		return -1
	}
	return r
}
