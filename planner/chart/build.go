package chart

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"terfyn/compiler/effects"
	"terfyn/compiler/ir"
	"terfyn/compiler/resource"
)

// ErrUnknownRoot marks a root the project does not have.
var ErrUnknownRoot = errors.New("nothing to draw")

const unknownID = "unknown"

// Build draws a project. g is normalized, with the overlay of its environment
// applied; programs has one program for each workflow; bounds are those of g. root is workflow/NAME or
// agent/NAME and leaves only what can be reached from there; "" draws everything,
// also operations that nothing reaches.
func Build(g resource.Graph, programs []ir.Program, bounds effects.Bounds, root string) (Chart, error) {
	b := &builder{g: g, nodes: map[string]Node{}, edges: map[edgeKey]*Edge{}, unknown: reasons(bounds)}
	for _, a := range g.Agents {
		b.agent(a)
	}
	for _, t := range g.Tools {
		for _, o := range t.Operations {
			b.operation(resource.Capability(t.Name, o.Name))
		}
	}
	for _, w := range g.Workflows {
		b.node(Node{ID: workflowID(w.Name), Kind: Workflow, Name: w.Name, Detail: policyName(g, w)})
	}
	for _, p := range programs {
		b.calls(p.Workflow, "", p.Body, nil)
	}
	c := Chart{Root: root, Nodes: b.sortedNodes(), Edges: b.sortedEdges()}
	b.gates(c)
	c.Edges = b.sortedEdges()
	if root != "" {
		if _, ok := c.Node(root); !ok {
			return Chart{}, fmt.Errorf("%w: the project has no %s", ErrUnknownRoot, strings.Replace(root, "/", " ", 1))
		}
		c = c.reachable(root)
	}
	markCycles(&c)
	return c, nil
}

func workflowID(name string) string { return "workflow/" + name }
func agentID(name string) string    { return "agent/" + name }

// policyName names what governs a workflow.
func policyName(g resource.Graph, w resource.Workflow) string {
	p, safe, ok := g.GoverningPolicy(w)
	switch {
	case safe:
		return "built-in safety rules"
	case !ok:
		return "policy " + w.Policy
	}
	return "policy " + p.Name
}

type edgeKey struct {
	from, to string
	kind     EdgeKind
}

type builder struct {
	g       resource.Graph
	nodes   map[string]Node
	edges   map[edgeKey]*Edge
	unknown map[string]string // why effects are not known, by capability that something reaches
}

func reasons(bounds effects.Bounds) map[string]string {
	out := map[string]string{}
	for _, b := range slices.Concat(bounds.Agents, bounds.Workflows) {
		for _, u := range b.Unknown {
			out[u.Capability] = u.Reason
		}
	}
	return out
}

func (b *builder) node(n Node) { b.nodes[n.ID] = n }

// edge adds an arrow, or a site to the one that is there.
func (b *builder) edge(from, to string, kind EdgeKind, authority string, sites ...Site) {
	k := edgeKey{from, to, kind}
	if b.edges[k] == nil {
		b.edges[k] = &Edge{From: from, To: to, Kind: kind, Authority: authority}
	}
	b.edges[k].Sites = append(b.edges[k].Sites, sites...)
}

func (b *builder) agent(a resource.Agent) {
	id := agentID(a.Name)
	b.node(Node{ID: id, Kind: Agent, Name: a.Name, Detail: a.Model})
	for _, grant := range a.Grants {
		if _, _, ok := resource.SplitCapability(grant); ok {
			b.edge(id, b.operation(grant), Grant, Autonomous)
			continue
		}
		b.edge(id, strings.Replace(grant, ".", "/", 1), Delegate, Autonomous)
	}
}

// operation adds an operation with its effects and returns its id, the capability.
func (b *builder) operation(capability string) string {
	if _, done := b.nodes[capability]; done {
		return capability
	}
	tool, name, _ := resource.SplitCapability(capability)
	n := Node{ID: capability, Kind: Operation, Name: name, Tool: tool, Unknown: b.unknown[capability]}
	t, op, listed := b.g.Operation(capability)
	if listed && !op.EffectsKnown() {
		n.Unknown = cmp.Or(n.Unknown, "the operation declares no effects")
	}
	b.node(n)
	for _, e := range op.Effects {
		id := "effect/" + e
		b.node(Node{ID: id, Kind: Effect, Name: e})
		b.edge(capability, id, Causes, Static)
	}
	if n.Unknown != "" {
		b.node(Node{ID: unknownID, Kind: Unknown, Name: "unknown effects"})
		b.edge(capability, unknownID, Causes, Static)
	}
	if op.Reconcile != "" {
		b.edge(capability, b.operation(resource.Capability(t.Name, op.Reconcile)), Reconcile, Static)
	}
	return capability
}

func (b *builder) sortedNodes() []Node {
	out := make([]Node, 0, len(b.nodes))
	for _, n := range b.nodes {
		out = append(out, n)
	}
	slices.SortFunc(out, compareNodes)
	return out
}

func (b *builder) sortedEdges() []Edge {
	out := make([]Edge, 0, len(b.edges))
	for _, e := range b.edges {
		out = append(out, *e)
	}
	slices.SortFunc(out, compareEdges)
	return out
}

// reachable keeps what can be reached from a node.
func (c Chart) reachable(root string) Chart {
	kept := c.Reachable(root)
	out := Chart{Root: c.Root, Nodes: []Node{}, Edges: []Edge{}}
	for _, n := range c.Nodes {
		if kept[n.ID] {
			out.Nodes = append(out.Nodes, n)
		}
	}
	for _, e := range c.Edges {
		if kept[e.From] {
			out.Edges = append(out.Edges, e)
		}
	}
	return out
}

// Reachable marks a node and everything it leads to.
func (c Chart) Reachable(root string) map[string]bool {
	seen := map[string]bool{root: true}
	for queue := []string{root}; len(queue) > 0; queue = queue[1:] {
		for _, e := range c.leaving(queue[0]) {
			if !seen[e.To] {
				seen[e.To] = true
				queue = append(queue, e.To)
			}
		}
	}
	return seen
}

// leaving is From without a copy: edges are sorted by their start.
func (c Chart) leaving(id string) []Edge {
	start, _ := slices.BinarySearchFunc(c.Edges, id, func(e Edge, id string) int { return cmp.Compare(e.From, id) })
	end := start
	for end < len(c.Edges) && c.Edges[end].From == id {
		end++
	}
	return c.Edges[start:end]
}
