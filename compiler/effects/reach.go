package effects

import (
	"strings"

	"terfyn/compiler/resource"
)

// node is a place in the call graph. An operation's name is its capability.
type node struct {
	kind HopKind
	name string
}

// capability is the name a grant would have for the node.
func (n node) capability() string {
	if n.kind == HopOperation {
		return n.name
	}
	return string(n.kind) + "." + n.name
}

// reached is a node with the strongest authority it is reached by and one
// shortest path of that authority.
type reached struct {
	node      node
	authority Authority
	path      []Hop
}

// unknown says why the node's effects are not known, "" when they are.
func (r reached) unknown(g resource.Graph) string {
	switch r.node.kind {
	case HopAgent:
		if _, ok := g.Agent(r.node.name); !ok {
			return "no such agent"
		}
	case HopWorkflow:
		if _, ok := g.Workflow(r.node.name); !ok {
			return "no such workflow"
		}
	case HopOperation:
		t, op, ok := g.Operation(r.node.name)
		switch {
		case t.Name == "":
			return "no such tool"
		case !ok:
			return "not in the tool's operations"
		case !t.OperationsDeclared:
			return "the tool declares no operations"
		case len(op.Effects) == 0:
			return "the operation declares no effects"
		}
	}
	return ""
}

// edge leads from a node to the next one over hops of the witness.
type edge struct {
	to        node
	authority Authority
	hops      []Hop
}

// reach lists every node reachable from root, the root left out. It walks pairs
// of node and authority breadth-first, each once, which is the least fixed point
// and ends on cycles; a path is autonomous as soon as one of its edges is.
func reach(g resource.Graph, root node) []reached {
	type state struct {
		node      node
		authority Authority
	}
	start := reached{node: root, authority: Static, path: []Hop{hop(root, Static)}}
	seen := map[state]bool{{root, Static}: true}
	best := map[node]int{}
	var out []reached
	for queue := []reached{start}; len(queue) > 0; queue = queue[1:] {
		from := queue[0]
		for _, e := range edges(g, from.node) {
			authority := e.authority
			if from.authority == Autonomous {
				authority = Autonomous
			}
			if seen[state{e.to, authority}] {
				continue
			}
			seen[state{e.to, authority}] = true
			next := reached{node: e.to, authority: authority, path: append(from.path[:len(from.path):len(from.path)], e.hops...)}
			queue = append(queue, next)
			// The static visit of a node may come before or after the autonomous one.
			if i, ok := best[e.to]; !ok {
				best[e.to] = len(out)
				out = append(out, next)
			} else if authority == Autonomous {
				out[i] = next
			}
		}
	}
	return out
}

func hop(n node, a Authority) Hop {
	return Hop{Kind: n.kind, Name: n.name, ID: n.name, Reachability: a}
}

// edges lists what a node leads to, in the order of the normalized graph.
func edges(g resource.Graph, from node) []edge {
	switch from.kind {
	case HopWorkflow:
		w, _ := g.Workflow(from.name)
		return calls(w)
	case HopAgent:
		a, _ := g.Agent(from.name)
		return grants(a)
	case HopOperation:
		return reconciles(g, from)
	default:
		return nil
	}
}

// reconciles leads from an operation to the one that is asked when its outcome is
// unknown: the engine calls it, whoever called the operation.
func reconciles(g resource.Graph, from node) []edge {
	t, op, ok := g.Operation(from.name)
	if !ok || op.Reconcile == "" {
		return nil
	}
	to := node{kind: HopOperation, name: resource.Capability(t.Name, op.Reconcile)}
	return []edge{{to: to, authority: Static, hops: []Hop{hop(to, Static)}}}
}

func calls(w resource.Workflow) []edge {
	var out []edge
	for _, c := range w.Calls {
		to := node{kind: HopKind(c.Kind), name: c.Name}
		if c.Kind == "tool" {
			to = node{kind: HopOperation, name: "tool." + strings.TrimPrefix(c.Name, "tool.")}
		}
		step := Hop{Kind: HopStep, Name: to.name, ID: c.Site, Reachability: Static}
		out = append(out, edge{to: to, authority: Static, hops: []Hop{step, hop(to, Static)}})
	}
	return out
}

func grants(a resource.Agent) []edge {
	var out []edge
	for _, grant := range a.Grants {
		to := node{kind: HopOperation, name: grant}
		if name, ok := strings.CutPrefix(grant, "agent."); ok {
			to = node{kind: HopAgent, name: name}
		} else if name, ok := strings.CutPrefix(grant, "workflow."); ok {
			to = node{kind: HopWorkflow, name: name}
		}
		out = append(out, edge{to: to, authority: Autonomous, hops: []Hop{hop(to, Autonomous)}})
	}
	return out
}
