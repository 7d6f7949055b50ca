package view

import (
	"fmt"
	"strconv"

	"terfyn/compiler/nexflow/refs"
)

// maxLabel is how many characters of a label a drawing shows.
const maxLabel = 48

// drawing is a graph as renderers need it: boxes in groups, and arrows between
// boxes that all exist.
type drawing struct {
	groups []boxes
	// loose are targets that are not declared.
	loose  []box
	arrows []arrow
}

// boxes is the nodes of a kind, for steps and stages those of one workflow.
type boxes struct {
	title string
	boxes []box
}

type box struct {
	name, label string
	cyclic      bool
}

// arrow goes from box to box. It is open where its target is not exactly one
// declaration.
type arrow struct {
	from, to, label string
	open, cyclic    bool
}

// draw lays the graph out. The two edges of an entry of a workflow's dependencies
// become one arrow between the steps.
func (g Graph) draw() drawing {
	d := drawing{groups: g.boxes()}
	loose := map[Target]string{}
	name := func(n int) string {
		if to := g.ends[n].to; to >= 0 {
			return g.Nodes[to].ID
		}
		at := g.Edges[n].Target
		key := Target{Kind: at.Kind, Identity: qualified(at.Identity, at.Scope)}
		if loose[key] == "" {
			loose[key] = "u" + strconv.Itoa(len(d.loose))
			d.loose = append(d.loose, box{name: loose[key], label: string(key.Kind) + " " + key.Identity})
		}
		return loose[key]
	}
	cyclic, merged := g.cyclic(), map[int]bool{}
	for _, p := range g.pairs() {
		if g.Edges[p.from].Status == EdgeAmbiguous || g.Edges[p.to].Status == EdgeAmbiguous {
			continue
		}
		merged[p.from], merged[p.to] = true, true
		open := g.ends[p.from].to < 0 || g.ends[p.to].to < 0
		d.arrows = append(d.arrows, arrow{from: name(p.from), to: name(p.to), label: "dependencies", open: open, cyclic: cyclic[p.from]})
	}
	for n, e := range g.Edges {
		switch {
		case merged[n] || e.From == nil:
		case e.Status == EdgeAmbiguous:
			for _, c := range e.Candidates {
				label := fmt.Sprintf("%s, one of %d", e.Relation, len(e.Candidates))
				d.arrows = append(d.arrows, arrow{from: *e.From, to: c, label: label, open: true})
			}
		default:
			d.arrows = append(d.arrows, arrow{from: *e.From, to: name(n), label: e.Relation, open: e.To == nil, cyclic: cyclic[n]})
		}
	}
	return d
}

// boxes groups the nodes in the order of the kinds.
func (g Graph) boxes() []boxes {
	inCycle := g.members()
	var out []boxes
	for _, space := range resourceSpaces {
		at := map[string]int{} // workflow to its group
		for n, node := range g.Nodes {
			if node.Kind != space {
				continue
			}
			scope := scopeID(node.Scope)
			if _, known := at[scope]; !known {
				title := string(space)
				if scope != "" {
					title += " in " + scope
				}
				at[scope] = len(out)
				out = append(out, boxes{title: title})
			}
			group := &out[at[scope]]
			group.boxes = append(group.boxes, box{name: node.ID, label: node.Identity, cyclic: inCycle[n]})
		}
	}
	return out
}

// members is the nodes that lie on a cycle.
func (g Graph) members() map[int]bool {
	in := map[identity]bool{}
	for _, c := range g.cycles {
		for _, m := range c.Members {
			in[identity{kind: c.Kind, id: m, scope: c.Workflow}] = true
		}
	}
	out := map[int]bool{}
	for n, node := range g.Nodes {
		if in[identity{kind: node.Kind, id: node.Identity, scope: scopeID(node.Scope)}] {
			out[n] = true
		}
	}
	return out
}

// clip shortens a label.
func clip(label string) string {
	if runes := []rune(label); len(runes) > maxLabel {
		return string(runes[:maxLabel-3]) + "..."
	}
	return label
}

// caption says what drawings of the graph mean.
func (g Graph) caption() string {
	for _, n := range g.Nodes {
		if n.Kind == refs.Project {
			return "declared by " + n.Identity + ", nothing runs"
		}
	}
	return "declared, nothing runs"
}
