package effects

import (
	"cmp"
	"slices"
	"strings"

	"terfyn/compiler/resource"
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

func find(bounds []Bound, name string) (Bound, bool) {
	i := slices.IndexFunc(bounds, func(b Bound) bool { return b.Name == name })
	if i < 0 {
		return Bound{}, false
	}
	return bounds[i], true
}

// Effect returns the effect of that name.
func (b Bound) Effect(name string) (Effect, bool) {
	i := slices.IndexFunc(b.Effects, func(e Effect) bool { return e.Name == name })
	if i < 0 {
		return Effect{}, false
	}
	return b.Effects[i], true
}

// Operation returns the reachable operation of that capability.
func (b Bound) Operation(capability string) (Operation, bool) {
	i := slices.IndexFunc(b.Operations, func(o Operation) bool { return o.Capability == capability })
	if i < 0 {
		return Operation{}, false
	}
	return b.Operations[i], true
}

// Compute gives the bound of every agent and workflow of g. The order of g's
// declarations does not change the result.
func Compute(g resource.Graph) Bounds {
	g = resource.Normalize(g)
	var out Bounds
	for _, a := range g.Agents {
		out.Agents = append(out.Agents, boundOf(g, node{kind: HopAgent, name: a.Name}))
	}
	for _, w := range g.Workflows {
		out.Workflows = append(out.Workflows, boundOf(g, node{kind: HopWorkflow, name: w.Name}))
	}
	return out
}

func boundOf(g resource.Graph, root node) Bound {
	b := Bound{Kind: resource.KindAgent, Name: root.name}
	if root.kind == HopWorkflow {
		b.Kind = resource.KindWorkflow
	}
	best := map[string]Effect{}
	for _, r := range reach(g, root) {
		if reason := r.unknown(g); reason != "" {
			b.Unknown = append(b.Unknown, Unknown{Capability: r.node.capability(), Reason: reason, Authority: r.authority, Witness: r.path})
		}
		if r.node.kind != HopOperation {
			continue
		}
		b.Operations = append(b.Operations, Operation{Capability: r.node.name, Authority: r.authority, Witness: r.path})
		_, op, _ := g.Operation(r.node.name)
		for _, name := range op.Effects {
			e := Effect{Name: name, Authority: r.authority, Witness: r.path}
			if old, ok := best[name]; !ok || stronger(e, old) {
				best[name] = e
			}
		}
	}
	for _, r := range declared(g) {
		if e, ok := best[r.Name]; ok {
			b.Effects = append(b.Effects, e)
		} else {
			b.Unreachable = append(b.Unreachable, r)
		}
	}
	slices.SortFunc(b.Operations, func(x, y Operation) int { return strings.Compare(x.Capability, y.Capability) })
	slices.SortFunc(b.Unknown, func(x, y Unknown) int { return strings.Compare(x.Capability, y.Capability) })
	return b
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
	var out []Unreachable
	for _, t := range g.Tools {
		for _, o := range t.Operations {
			for _, e := range o.Effects {
				capability := resource.Capability(t.Name, o.Name)
				i := slices.IndexFunc(out, func(u Unreachable) bool { return u.Name == e })
				if i < 0 {
					out = append(out, Unreachable{Name: e, Operations: []string{capability}})
					continue
				}
				out[i].Operations = append(out[i].Operations, capability)
			}
		}
	}
	for i := range out {
		slices.Sort(out[i].Operations)
		out[i].Operations = slices.Compact(out[i].Operations)
	}
	slices.SortFunc(out, func(a, b Unreachable) int { return strings.Compare(a.Name, b.Name) })
	return out
}
