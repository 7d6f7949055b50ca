package view

import (
	"strconv"
	"strings"

	"terfyn/compiler/nexflow/manifest"
	"terfyn/compiler/nexflow/refs"
)

// EdgeStatus is what became of the target of an edge.
type EdgeStatus string

// The states. A target that is redacted is never looked up.
const (
	EdgeResolved   EdgeStatus = "resolved"
	EdgeUnresolved EdgeStatus = "unresolved"
	EdgeAmbiguous  EdgeStatus = "ambiguous"
	EdgeRedacted   EdgeStatus = "redacted"
)

// Graph is an inspection as nodes and edges. Bad references are shown in it.
type Graph struct {
	Mode              string `json:"mode"`
	ReferenceCoverage string `json:"referenceCoverage"`
	NodeCount         int    `json:"nodeCount"`
	EdgeCount         int    `json:"edgeCount"`
	Nodes             []Node `json:"nodes"`
	Edges             []Edge `json:"edges"`

	ends   []ends // of every edge
	cycles []Cycle
	// For the text only: effects of permissions by node, and the maintainers of a set
	// without actors, who take part although no edge leads to them.
	effects     map[int]string
	maintainers map[string]bool
}

// Node is a resource. Its id is its position in the inspection.
type Node struct {
	ID       string     `json:"id"`
	Kind     refs.Space `json:"kind"`
	Identity string     `json:"identity"`
	Scope    *Scope     `json:"scope"`
	File     string     `json:"file"`
	Path     string     `json:"path"`
}

// Edge is a reference. From is the innermost declaration around it, To the id of
// its target when that is declared once, else nil; Candidates are all targets when
// there are several.
type Edge struct {
	ID         string     `json:"id"`
	From       *string    `json:"from"`
	To         *string    `json:"to"`
	Candidates []string   `json:"candidates"`
	Relation   string     `json:"relation"`
	Target     Target     `json:"target"`
	Status     EdgeStatus `json:"status"`
	File       string     `json:"file"`
	Path       string     `json:"path"`
}

// Target is what an edge refers to, as written.
type Target struct {
	Kind     refs.Space `json:"kind"`
	Identity string     `json:"identity"`
	Scope    *Scope     `json:"scope"`
}

// ends is the nodes of an edge by position, -1 where there is none.
type ends struct{ from, to int }

// NewGraph draws an inspection. All that it says in JSON stands in the inspection;
// from the index come only the effects of permissions and the legacy maintainers,
// which the text shows.
func NewGraph(i Inspection, x *refs.Index) Graph {
	g := Graph{
		Mode: "static-declared", ReferenceCoverage: i.ReferenceCoverage,
		NodeCount: len(i.Resources), EdgeCount: len(i.References),
		Nodes: make([]Node, len(i.Resources)), Edges: make([]Edge, len(i.References)),
		ends: make([]ends, len(i.References)), effects: map[int]string{}, maintainers: map[string]bool{},
	}
	m := newMatcher(i)
	for n, r := range i.Resources {
		g.Nodes[n] = Node{ID: nodeID(n), Kind: r.Kind, Identity: r.ID, Scope: r.Scope, File: r.File, Path: r.Path}
	}
	for n, r := range i.References {
		g.Edges[n], g.ends[n] = m.edge(n, r)
	}
	for _, p := range x.All(refs.Permission) {
		if n, ok := m.places[p.Node.Place()]; ok {
			g.effects[n] = p.Node.Get("effect").Text()
		}
	}
	for _, k := range x.All(refs.Maintainer) {
		g.maintainers[k.ID] = !x.HasActors()
	}
	g.cycles = g.findCycles()
	return g
}

func nodeID(n int) string { return "n" + strconv.Itoa(n) }

// identity is what references look for.
type identity struct {
	kind      refs.Space
	id, scope string
}

// matcher finds the ends of edges in an inspection.
type matcher struct {
	places      map[manifest.Place]int
	nodes       map[identity][]int
	participant refs.Space
}

func newMatcher(i Inspection) matcher {
	m := matcher{places: map[manifest.Place]int{}, nodes: map[identity][]int{}, participant: refs.Agent}
	for n, r := range i.Resources {
		if r.Kind == refs.Actor {
			m.participant = refs.Actor
		}
		m.places[manifest.Place{File: r.File, Path: r.Path}] = n
		at := identity{kind: r.Kind, id: r.ID, scope: scopeID(r.Scope)}
		m.nodes[at] = append(m.nodes[at], n)
	}
	return m
}

func scopeID(s *Scope) string {
	if s == nil {
		return ""
	}
	return s.ID
}

func (m matcher) edge(n int, r Reference) (Edge, ends) {
	e := Edge{
		ID: "e" + strconv.Itoa(n), Candidates: []string{}, Relation: refs.Relation(r.Path),
		Target: Target{Kind: r.Kind, Identity: r.ID, Scope: r.Scope}, Status: EdgeUnresolved, File: r.File, Path: r.Path,
	}
	at := ends{from: m.around(r.File, r.Path), to: -1}
	if at.from >= 0 {
		id := nodeID(at.from)
		e.From = &id
	}
	found := m.targets(r)
	switch {
	case r.ID == manifest.RedactedID || scopeID(r.Scope) == manifest.RedactedID:
		e.Status = EdgeRedacted
	case len(found) == 1:
		id := nodeID(found[0])
		e.To, e.Status, at.to = &id, EdgeResolved, found[0]
	case len(found) > 1:
		e.Status = EdgeAmbiguous
		for _, c := range found {
			e.Candidates = append(e.Candidates, nodeID(c))
		}
	}
	return e, at
}

func (m matcher) targets(r Reference) []int {
	kind := r.Kind
	if kind == refs.Participant {
		kind = m.participant
	}
	return m.nodes[identity{kind: kind, id: r.ID, scope: scopeID(r.Scope)}]
}

// around is the innermost declaration that a value stands in, -1 for none.
func (m matcher) around(file, path string) int {
	for {
		if n, ok := m.places[manifest.Place{File: file, Path: path}]; ok {
			return n
		}
		at := strings.LastIndexByte(path, '/')
		if at < 0 {
			return -1
		}
		path = path[:at]
	}
}
