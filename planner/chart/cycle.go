package chart

// markCycles marks the edges inside of a strongly connected component, by Tarjan's
// algorithm over the sorted edges.
func markCycles(c *Chart) {
	t := &tarjan{chart: *c, index: map[string]int{}, low: map[string]int{}, component: map[string]int{}}
	for _, n := range c.Nodes {
		if _, seen := t.index[n.ID]; !seen {
			t.visit(n.ID)
		}
	}
	for i, e := range c.Edges {
		c.Edges[i].Cycle = t.component[e.From] == t.component[e.To] && (e.From == e.To || t.size(e.From) > 1)
	}
}

type tarjan struct {
	chart      Chart
	index, low map[string]int
	stack      []string
	component  map[string]int // number of a node's component, from 1; 0 = still on the stack
	sizes      []int
}

func (t *tarjan) size(id string) int { return t.sizes[t.component[id]-1] }

func (t *tarjan) visit(id string) {
	t.index[id] = len(t.index)
	t.low[id] = t.index[id]
	t.stack = append(t.stack, id)
	for _, e := range t.chart.leaving(id) {
		if _, seen := t.index[e.To]; !seen {
			t.visit(e.To)
			t.low[id] = min(t.low[id], t.low[e.To])
		} else if t.component[e.To] == 0 {
			t.low[id] = min(t.low[id], t.index[e.To])
		}
	}
	if t.low[id] != t.index[id] {
		return
	}
	size := 0
	for done := false; !done; size++ {
		top := t.stack[len(t.stack)-1]
		t.stack = t.stack[:len(t.stack)-1]
		t.component[top] = len(t.sizes) + 1
		done = top == id
	}
	t.sizes = append(t.sizes, size)
}
