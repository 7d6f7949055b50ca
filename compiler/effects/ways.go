package effects

import (
	"cmp"
	"slices"
	"strings"

	"terfyn/compiler/internal/cores"
	"terfyn/compiler/resource"
)

// Way is one context in which a workflow comes to an operation. A bound shows one
// path for each operation, the gravest; policy judges every context, since what one
// refuses another may let pass.
type Way struct {
	Capability string
	Workflow   string // the innermost workflow of the path
	Agent      string // who may choose the call, "" when it is written
	Authority  Authority
	Witness    []Hop // a shortest path of this context, from the root
}

// Asked reports whether the engine makes the call itself, to learn what became of
// another one.
func (w Way) Asked() bool {
	n := len(w.Witness)
	return n >= 2 && w.Witness[n-2].Kind == HopOperation
}

// Through lists the workflows of the path, the root first.
func (w Way) Through() []string {
	var names []string
	for _, h := range w.Witness {
		if h.Kind == HopWorkflow {
			names = append(names, h.Name)
		}
	}
	return names
}

// Ways lists the contexts of every operation each workflow reaches, sorted by
// capability, then innermost workflow, agent and authority.
func Ways(g resource.Graph) map[string][]Way {
	g = resource.Normalize(g)
	s := newSearch(g)
	found := make([][]Way, len(g.Workflows))
	cores.Each(len(g.Workflows), func(i int) { found[i] = s.ways(g.Workflows[i].Name) })
	out := make(map[string][]Way, len(found))
	for i, w := range g.Workflows {
		out[w.Name] = found[i]
	}
	return out
}

// position is a spot as one context comes by it.
type position struct {
	spot, workflow, agent int // agent is none but at operations that an agent chooses
	authority             Authority
}

const none = -1

// mostSets bounds how many sets of policies, none of which holds another, are
// followed between one workflow and one position.
const mostSets = 64

// visit comes by a position over a path whose workflows name these policies, sorted.
type visit struct {
	position
	policies []string
	path     []Hop
}

// ways walks positions breadth-first: each once, and again by paths under policies
// that do not hold all of those of an earlier one, since every policy of a path may
// only make an answer stricter.
func (s *search) ways(root string) []Way {
	from := node{kind: HopWorkflow, name: root}
	at := s.index[from]
	start := visit{position{at, at, none, Static}, []string{s.policy(root)}, []Hop{hop(from, Static)}}
	seen := map[position][][]string{start.position: {start.policies}}
	var out []Way
	for queue := []visit{start}; len(queue) > 0; queue = queue[1:] {
		at := queue[0]
		for _, e := range s.spots[at.spot].edges {
			next := visit{position: s.follow(at.position, e), policies: at.policies}
			to := s.spots[next.spot].node
			if to.kind == HopWorkflow {
				next.policies = with(at.policies, s.policy(to.name))
			}
			sets := seen[next.position]
			if len(sets) == mostSets || slices.ContainsFunc(sets, func(known []string) bool { return within(known, next.policies) }) {
				continue
			}
			seen[next.position] = append(sets, next.policies)
			next.path = slices.Concat(at.path, e.hops)
			queue = append(queue, next)
			if to.kind == HopOperation {
				out = append(out, s.way(next))
			}
		}
	}
	slices.SortStableFunc(out, func(a, b Way) int {
		return cmp.Or(strings.Compare(a.Capability, b.Capability), strings.Compare(a.Workflow, b.Workflow),
			strings.Compare(a.Agent, b.Agent), strings.Compare(string(a.Authority), string(b.Authority)))
	})
	return out
}

// follow is where an edge leads.
func (s *search) follow(from position, e edge) position {
	next := position{e.to, from.workflow, none, e.authority}
	if from.authority == Autonomous {
		next.authority = Autonomous
	}
	switch s.spots[e.to].node.kind {
	case HopWorkflow:
		next.workflow = e.to
	case HopOperation:
		if s.spots[from.spot].node.kind == HopAgent {
			next.agent = from.spot
		}
	}
	return next
}

func (s *search) way(v visit) Way {
	w := Way{
		Capability: s.spots[v.spot].node.name, Workflow: s.spots[v.workflow].node.name,
		Authority: v.authority, Witness: v.path,
	}
	if v.agent != none {
		w.Agent = s.spots[v.agent].node.name
	}
	return w
}

func (s *search) policy(workflow string) string {
	w, _ := s.graph.Workflow(workflow)
	return w.Policy
}

// with adds a name to a sorted list, which is not changed.
func with(list []string, name string) []string {
	i, known := slices.BinarySearch(list, name)
	if known {
		return list
	}
	return slices.Insert(slices.Clone(list), i, name)
}

// within reports whether a sorted list holds every name of another.
func within(names, list []string) bool {
	return !slices.ContainsFunc(names, func(name string) bool {
		_, found := slices.BinarySearch(list, name)
		return !found
	})
}
