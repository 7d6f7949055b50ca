package digraph

import "slices"

// Graph is a directed graph whose nodes are ids. Everything about it is iterative
// and keeps the order in which nodes were added, since a workflow may have a chain
// of many thousand steps.
type Graph struct {
	ids    []string
	number map[string]int
	// before lists for every node the starts of the arcs that end there, each once.
	before [][]int
	arcs   map[[2]int]bool
}

// New is a graph without nodes.
func New() *Graph {
	return &Graph{number: map[string]int{}, arcs: map[[2]int]bool{}}
}

// Node adds a node; one that exists stays as it is.
func (g *Graph) Node(id string) {
	if _, known := g.number[id]; known {
		return
	}
	g.number[id] = len(g.ids)
	g.ids = append(g.ids, id)
	g.before = append(g.before, nil)
}

// Arc adds an arc between two nodes. It ignores an arc that exists and an arc to or
// from an id that is no node, which stands for a reference that leads nowhere.
func (g *Graph) Arc(from, to string) {
	a, known := g.number[from]
	b, both := g.number[to]
	if !known || !both || g.arcs[[2]int{a, b}] {
		return
	}
	g.arcs[[2]int{a, b}] = true
	g.before[b] = append(g.before[b], a)
}

// Direct is the ids with an arc to id, in the order in which the arcs were added.
func (g *Graph) Direct(id string) []string {
	n, known := g.number[id]
	if !known {
		return nil
	}
	out := make([]string, len(g.before[n]))
	for i, p := range g.before[n] {
		out[i] = g.ids[p]
	}
	return out
}

// Cycles is the strongly connected components with a cycle in them: those with
// several members and nodes with an arc to themselves. The members of each are in
// byte order, the components in the order of their first members.
func (g *Graph) Cycles() [][]string {
	var out [][]string
	c := g.components()
	for i := range c.count() {
		members := c.members(i)
		if first := members[0]; len(members) == 1 && !g.arcs[[2]int{first, first}] {
			continue
		}
		ids := make([]string, len(members))
		for j, m := range members {
			ids[j] = g.ids[m]
		}
		slices.Sort(ids)
		out = append(out, ids)
	}
	slices.SortFunc(out, func(a, b []string) int { return slices.Compare(a[:1], b[:1]) })
	return out
}

// components is the strongly connected components of a graph, so numbered that an
// arc never leads from a higher to a lower number.
type components struct {
	of    []int // node to its component
	order []int // nodes, component by component
	start []int // where in order a component begins
}

func (c *components) count() int { return len(c.start) }

func (c *components) members(i int) []int {
	if i+1 < len(c.start) {
		return c.order[c.start[i]:c.start[i+1]]
	}
	return c.order[c.start[i]:]
}

// components finds the components by Tarjan's algorithm over the arcs backwards, so
// that what comes before is numbered before.
func (g *Graph) components() *components {
	n := len(g.ids)
	s := search{
		g: g, low: make([]int, n), index: make([]int, n),
		out: &components{of: make([]int, n), order: make([]int, 0, n)},
	}
	for v := range n {
		s.out.of[v] = -1
	}
	for v := range n {
		if s.index[v] == 0 {
			s.from(v)
		}
	}
	return s.out
}

// search is one run of Tarjan's algorithm. An index counts from one; zero is a node
// not seen yet.
type search struct {
	g          *Graph
	index, low []int
	seen       int
	open       []int // nodes seen whose component is not closed
	path       []visit
	out        *components
}

// visit is a node on the way to the current one and how many arcs were followed.
type visit struct{ node, followed int }

func (s *search) from(root int) {
	s.enter(root)
	for len(s.path) > 0 {
		top := &s.path[len(s.path)-1]
		v := top.node
		if top.followed < len(s.g.before[v]) {
			p := s.g.before[v][top.followed]
			top.followed++
			if s.index[p] == 0 {
				s.enter(p)
			} else if s.out.of[p] < 0 {
				s.low[v] = min(s.low[v], s.index[p])
			}
			continue
		}
		s.path = s.path[:len(s.path)-1]
		if len(s.path) > 0 {
			u := s.path[len(s.path)-1].node
			s.low[u] = min(s.low[u], s.low[v])
		}
		if s.low[v] == s.index[v] {
			s.close(v)
		}
	}
}

func (s *search) enter(v int) {
	s.seen++
	s.index[v], s.low[v] = s.seen, s.seen
	s.open = append(s.open, v)
	s.path = append(s.path, visit{node: v})
}

// close makes a component of what was opened since v.
func (s *search) close(v int) {
	at := len(s.open) - 1
	for s.open[at] != v {
		at--
	}
	s.out.start = append(s.out.start, len(s.out.order))
	for _, m := range s.open[at:] {
		s.out.of[m] = len(s.out.start) - 1
	}
	s.out.order = append(s.out.order, s.open[at:]...)
	s.open = s.open[:at]
}
