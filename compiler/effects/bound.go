package effects

import (
	"cmp"
	"encoding/binary"
	"maps"
	"slices"
	"sort"
	"strings"

	"terfyn/compiler/internal/cores"
	"terfyn/compiler/resource"
	"terfyn/internal/ordered"
)

// Authority says who decides that something happens.
type Authority string

// The authorities.
const (
	Static     Authority = "static"     // a written call
	Autonomous Authority = "autonomous" // an agent may choose it
)

// HopKind names what a hop of a witness stands for.
type HopKind string

// The kinds of hops.
const (
	HopWorkflow  HopKind = "workflow"
	HopStep      HopKind = "step"
	HopAgent     HopKind = "agent"
	HopOperation HopKind = "tool_operation"
)

// Hop is one edge of a witness path and where it leads.
type Hop struct {
	Kind         HopKind   `json:"kind"`
	Name         string    `json:"name"` // resource name, or tool.<name>.<operation>
	ID           string    `json:"id"`   // the call site of a step, else the name
	Reachability Authority `json:"reachability"`
}

// Effect is one effect a root may have.
type Effect struct {
	Name      string    `json:"name"`
	Authority Authority `json:"authority"` // autonomous when any path is
	Witness   []Hop     `json:"witness"`
}

// Operation is one operation a root may call. Capability is tool.<name>.<operation>.
type Operation struct {
	Capability string    `json:"capability"`
	Authority  Authority `json:"authority"`
	Witness    []Hop     `json:"witness"`
	// Written is a path of written calls alone, nil when there is none. An
	// autonomous operation may have one beside its witness.
	Written []Hop `json:"-"`
}

// Unknown is something reachable whose effects nobody declared.
type Unknown struct {
	Capability string    `json:"capability"` // or agent.<Name>, workflow.<Name> for a missing callee
	Reason     string    `json:"reason"`
	Authority  Authority `json:"authority"`
	Witness    []Hop     `json:"witness"`
}

// Unreachable is an effect some operation declares and the root cannot reach.
type Unreachable struct {
	Name       string   `json:"name"`
	Operations []string `json:"operations"` // capabilities that declare it, sorted
}

// Bound is the upper bound of one agent or workflow. Every list is sorted by name.
type Bound struct {
	Kind        resource.Kind `json:"kind"` // Agent or Workflow
	Name        string        `json:"name"`
	Effects     []Effect      `json:"effects"`
	Operations  []Operation   `json:"operations"`
	Unknown     []Unknown     `json:"unknown"`
	Unreachable []Unreachable `json:"unreachable"`
}

// Bounds holds the bound of every agent and workflow, each sorted by name.
type Bounds struct {
	Agents    []Bound `json:"agents"`
	Workflows []Bound `json:"workflows"`
}

// Agent returns the bound of the agent of that name.
func (b Bounds) Agent(name string) (Bound, bool) { return find(b.Agents, name) }

// Workflow returns the bound of the workflow of that name.
func (b Bounds) Workflow(name string) (Bound, bool) { return find(b.Workflows, name) }

// find halves: the lists are sorted by name.
func find(bounds []Bound, name string) (Bound, bool) {
	i := sort.Search(len(bounds), func(i int) bool { return bounds[i].Name >= name })
	if i == len(bounds) || bounds[i].Name != name {
		return Bound{}, false
	}
	return bounds[i], true
}

// Effect returns the effect of that name.
func (b Bound) Effect(name string) (Effect, bool) {
	i := sort.Search(len(b.Effects), func(i int) bool { return b.Effects[i].Name >= name })
	if i == len(b.Effects) || b.Effects[i].Name != name {
		return Effect{}, false
	}
	return b.Effects[i], true
}

// Operation returns the reachable operation of that capability.
func (b Bound) Operation(capability string) (Operation, bool) {
	i := sort.Search(len(b.Operations), func(i int) bool { return b.Operations[i].Capability >= capability })
	if i == len(b.Operations) || b.Operations[i].Capability != capability {
		return Operation{}, false
	}
	return b.Operations[i], true
}

// Compute gives the bound of every agent and workflow of g. The order of g's
// declarations does not change the result.
func Compute(g resource.Graph) Bounds {
	g = resource.Normalize(g)
	s := newSearch(g)
	agents := s.bounds(HopAgent, len(g.Agents), func(i int) string { return g.Agents[i].Name })
	workflows := s.bounds(HopWorkflow, len(g.Workflows), func(i int) string { return g.Workflows[i].Name })
	return Bounds{Agents: agents, Workflows: workflows}
}

// parts is how many walks share the roots. Each keeps its marks and lists from root
// to root, so there are few; and there are enough of them for the processors.
const parts = 8

// bounds computes the bounds of n roots on all processors.
func (s *search) bounds(kind HopKind, n int, name func(int) string) []Bound {
	if n == 0 {
		return nil
	}
	out := make([]Bound, n)
	cores.Each(min(n, parts), func(part int) {
		w := &walk{search: s, marks: make([]mark, len(s.spots)), left: map[string][]Unreachable{}}
		for i := part; i < n; i += parts {
			out[i] = w.boundOf(node{kind: kind, name: name(i)})
		}
	})
	return out
}

func (w *walk) boundOf(root node) Bound {
	b := Bound{Kind: resource.KindAgent, Name: root.name}
	if root.kind == HopWorkflow {
		b.Kind = resource.KindWorkflow
	}
	best := map[int]Effect{} // by place in w.declared
	for _, r := range w.reach(root) {
		at := &w.spots[r.spot]
		if at.unknown != "" {
			b.Unknown = append(b.Unknown, Unknown{Capability: at.node.capability(), Reason: at.unknown, Authority: r.authority, Witness: r.path})
		}
		if at.node.kind != HopOperation {
			continue
		}
		b.Operations = append(b.Operations, Operation{Capability: at.node.name, Authority: r.authority, Witness: r.path, Written: r.written})
		for _, i := range at.effects {
			e := Effect{Name: w.declared[i].Name, Authority: r.authority, Witness: r.path}
			if old, ok := best[i]; !ok || stronger(e, old) {
				best[i] = e
			}
		}
	}
	b.Effects, b.Unreachable = w.split(best)
	slices.SortFunc(b.Operations, func(x, y Operation) int { return strings.Compare(x.Capability, y.Capability) })
	slices.SortFunc(b.Unknown, func(x, y Unknown) int { return strings.Compare(x.Capability, y.Capability) })
	return b
}

// split parts the declared effects into those that are reached and the others.
// Roots that reach the same effects share the list of the others.
func (w *walk) split(best map[int]Effect) (found []Effect, left []Unreachable) {
	var key []byte
	for _, i := range slices.Sorted(maps.Keys(best)) {
		found = append(found, best[i])
		key = binary.AppendUvarint(key, uint64(i))
	}
	left, known := w.left[string(key)]
	if known {
		return found, left
	}
	for i, d := range w.declared {
		if _, ok := best[i]; !ok {
			left = append(left, d)
		}
	}
	w.left[string(key)] = left
	return found, left
}

// stronger orders two ways to one effect: autonomous before static, then the
// shorter path, then the smaller one.
func stronger(a, b Effect) bool {
	if a.Authority != b.Authority {
		return a.Authority == Autonomous
	}
	return cmp.Or(cmp.Compare(len(a.Witness), len(b.Witness)), slices.CompareFunc(a.Witness, b.Witness, compareHops)) < 0
}

func compareHops(a, b Hop) int {
	return cmp.Or(strings.Compare(string(a.Kind), string(b.Kind)), strings.Compare(a.Name, b.Name), strings.Compare(a.ID, b.ID))
}

// declared lists every effect any operation declares, sorted, with those operations.
func declared(g resource.Graph) []Unreachable {
	by := map[string][]string{}
	for _, t := range g.Tools {
		for _, o := range t.Operations {
			for _, e := range o.Effects {
				by[e] = append(by[e], resource.Capability(t.Name, o.Name))
			}
		}
	}
	var out []Unreachable
	for _, name := range ordered.Keys(by) {
		slices.Sort(by[name])
		out = append(out, Unreachable{Name: name, Operations: slices.Compact(by[name])})
	}
	return out
}
