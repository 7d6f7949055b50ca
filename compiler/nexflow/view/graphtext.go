package view

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"terfyn/compiler/nexflow/refs"
	"terfyn/compiler/nexflow/report"
)

// WriteText writes the graph for people: work in its order, handoffs, who may do
// what by which permission, and at the end what does not lead anywhere and what
// leads in a circle.
func (g Graph) WriteText(w io.Writer) {
	t := newGraphText(g, w)
	t.counts()
	t.actors()
	t.tasks()
	t.workflows()
	t.handoffs()
	t.permissions()
	t.loose()
	t.circles()
}

// graphText is a graph that is being written.
type graphText struct {
	g Graph
	w io.Writer
	// leaving is the edges of every node, in order.
	leaving map[int][]int
	by      map[refs.Space][]int // nodes
}

func newGraphText(g Graph, w io.Writer) graphText {
	t := graphText{g: g, w: w, leaving: map[int][]int{}, by: map[refs.Space][]int{}}
	for n, e := range g.ends {
		t.leaving[e.from] = append(t.leaving[e.from], n)
	}
	for n, node := range g.Nodes {
		t.by[node.Kind] = append(t.by[node.Kind], n)
	}
	for _, nodes := range t.by {
		slices.SortStableFunc(nodes, func(a, b int) int {
			x, y := g.Nodes[a], g.Nodes[b]
			return compareAsWritten(x.File, x.Path, y.File, y.Path)
		})
	}
	return t
}

func (t graphText) counts() {
	n := map[EdgeStatus]int{}
	for _, e := range t.g.Edges {
		n[e.Status]++
	}
	parts := []string{fmt.Sprintf("%d resolved", n[EdgeResolved])}
	for _, s := range []EdgeStatus{EdgeUnresolved, EdgeAmbiguous, EdgeRedacted} {
		if n[s] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n[s], s))
		}
	}
	fmt.Fprintf(t.w, "%s, %s: %s\n", report.Count(t.g.NodeCount, "node"), report.Count(t.g.EdgeCount, "edge"), strings.Join(parts, ", "))
}

// targets is what a node refers to by a relation, with what is wrong about it.
func (t graphText) targets(node int, relation string) []string {
	var out []string
	for _, n := range t.leaving[node] {
		if t.g.Edges[n].Relation == relation {
			out = append(out, t.g.target(t.g.Edges[n]))
		}
	}
	return out
}

// target is the id of a target, marked where it leads nowhere or to several.
func (g Graph) target(e Edge) string {
	switch {
	case e.Status == EdgeUnresolved && e.Target.Kind == refs.Participant && g.maintainers[e.Target.Identity]:
		return e.Target.Identity + " (a maintainer, no agent)"
	case e.Status == EdgeUnresolved:
		return e.Target.Identity + " (not declared)"
	case e.Status == EdgeAmbiguous:
		return fmt.Sprintf("%s (declared %d times)", e.Target.Identity, len(e.Candidates))
	}
	return e.Target.Identity
}

// after writes things that come before and one thing that comes after them, and
// notes about it.
func (t graphText) after(before []string, thing string, notes ...string) {
	line := "  "
	if len(before) > 0 {
		line += strings.Join(before, ", ") + " -> "
	}
	wrap(t.w, line+thing)
	notes = slices.DeleteFunc(notes, func(n string) bool { return n == "" })
	if len(notes) > 0 {
		wrap(t.w, "      "+strings.Join(notes, "; "))
	}
}

// note is a word and what it is about, nothing without things.
func note(word string, things []string) string {
	if len(things) == 0 {
		return ""
	}
	return word + " " + strings.Join(things, ", ")
}

// loose lists the edges without one target.
func (t graphText) loose() {
	for _, s := range []EdgeStatus{EdgeUnresolved, EdgeAmbiguous, EdgeRedacted} {
		head := true
		for _, e := range t.g.Edges {
			if e.Status != s {
				continue
			}
			if head {
				fmt.Fprintln(t.w, s)
				head = false
			}
			fmt.Fprintf(t.w, "  %s %s: %s %s\n", report.Word(e.File), report.Word(e.Path), e.Target.Kind, qualified(e.Target.Identity, e.Target.Scope))
			if r := t.remark(e); r != "" {
				wrap(t.w, "      "+r)
			}
		}
	}
}

// remark explains an edge without one target, where there is more to say.
func (t graphText) remark(e Edge) string {
	switch {
	case len(e.Candidates) > 0:
		var at []string
		for _, n := range t.g.Nodes {
			if slices.Contains(e.Candidates, n.ID) {
				at = append(at, report.Word(n.File)+" "+n.Path)
			}
		}
		return "declared at " + strings.Join(at, ", ")
	case e.Target.Kind == refs.Participant && t.g.maintainers[e.Target.Identity]:
		return "a maintainer who is no agent; validate takes it as a participant"
	}
	return ""
}

func (t graphText) circles() {
	if len(t.g.cycles) == 0 {
		return
	}
	fmt.Fprintln(t.w, "cycles, whose members wait for each other")
	for _, c := range t.g.cycles {
		head := "  " + string(c.Kind)
		if c.Workflow != "" {
			head += " in " + c.Workflow
		}
		writeList(t.w, head+":", c.Members)
	}
}
