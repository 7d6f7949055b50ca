package effects

import (
	"strings"

	"terfyn/compiler/resource"
)

// spot is a node with everything about it that no root changes.
type spot struct {
	node    node
	unknown string // why its effects are not known, "" when they are
	effects []int  // what an operation declares, as places in search.declared
	edges   []edge // what it leads to, in the order of the normalized graph
}

// edge leads to a place over hops of the witness.
type edge struct {
	to        int
	authority Authority
	hops      []Hop
}

// search finds what roots of one graph reach. Every node is looked up once,
// however many roots lead to it.
type search struct {
	graph    resource.Graph // normalized
	declared []Unreachable  // every declared effect, sorted
	effects  map[string]int // places in declared

	spots []spot
	index map[node]int
}

func newSearch(g resource.Graph) *search {
	s := &search{graph: g, declared: declared(g), effects: map[string]int{}, index: map[node]int{}}
	for i, d := range s.declared {
		s.effects[d.Name] = i
	}
	for _, a := range g.Agents {
		s.at(node{kind: HopAgent, name: a.Name})
	}
	for _, w := range g.Workflows {
		s.at(node{kind: HopWorkflow, name: w.Name})
	}
	for i := 0; i < len(s.spots); i++ { // grows while edges lead to new spots
		out := s.edges(s.spots[i].node)
		s.spots[i].edges = out
	}
	return s
}

// at gives the place of a node, which it looks up when it is new.
func (s *search) at(n node) int {
	if i, ok := s.index[n]; ok {
		return i
	}
	p := spot{node: n}
	switch n.kind {
	case HopAgent:
		if _, ok := s.graph.Agent(n.name); !ok {
			p.unknown = "no such agent"
		}
	case HopWorkflow:
		if _, ok := s.graph.Workflow(n.name); !ok {
			p.unknown = "no such workflow"
		}
	case HopOperation:
		s.operation(&p)
	}
	i := len(s.spots)
	s.index[n] = i
	s.spots = append(s.spots, p)
	return i
}

func (s *search) operation(p *spot) {
	t, op, ok := s.graph.Operation(p.node.name)
	switch {
	case t.Name == "":
		p.unknown = "no such tool"
	case !ok:
		p.unknown = "not in the tool's operations"
	case !t.OperationsDeclared:
		p.unknown = "the tool declares no operations"
	case !op.EffectsKnown():
		p.unknown = "the operation declares no effects"
	}
	for _, e := range op.Effects {
		p.effects = append(p.effects, s.effects[e])
	}
}

func (s *search) edges(from node) []edge {
	switch from.kind {
	case HopWorkflow:
		w, _ := s.graph.Workflow(from.name)
		return s.calls(w)
	case HopAgent:
		a, _ := s.graph.Agent(from.name)
		return s.grants(a)
	case HopOperation:
		return s.reconciles(from)
	default:
		return nil
	}
}

// reconciles leads from an operation to the one that is asked when its outcome is
// unknown: the engine calls it, whoever called the operation.
func (s *search) reconciles(from node) []edge {
	t, op, ok := s.graph.Operation(from.name)
	if !ok || op.Reconcile == "" {
		return nil
	}
	to := node{kind: HopOperation, name: resource.Capability(t.Name, op.Reconcile)}
	return []edge{{to: s.at(to), authority: Static, hops: []Hop{hop(to, Static)}}}
}

func (s *search) calls(w resource.Workflow) []edge {
	out := make([]edge, 0, len(w.Calls))
	for _, c := range w.Calls {
		to := node{kind: HopKind(c.Kind), name: c.Name}
		if c.Kind == "tool" {
			to = node{kind: HopOperation, name: "tool." + strings.TrimPrefix(c.Name, "tool.")}
		}
		step := Hop{Kind: HopStep, Name: to.name, ID: c.Site, Reachability: Static}
		out = append(out, edge{to: s.at(to), authority: Static, hops: []Hop{step, hop(to, Static)}})
	}
	return out
}

func (s *search) grants(a resource.Agent) []edge {
	out := make([]edge, 0, len(a.Grants))
	for _, grant := range a.Grants {
		to := node{kind: HopOperation, name: grant}
		if name, ok := strings.CutPrefix(grant, "agent."); ok {
			to = node{kind: HopAgent, name: name}
		} else if name, ok := strings.CutPrefix(grant, "workflow."); ok {
			to = node{kind: HopWorkflow, name: name}
		}
		out = append(out, edge{to: s.at(to), authority: Autonomous, hops: []Hop{hop(to, Autonomous)}})
	}
	return out
}
