package effects

import "slices"

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

// walk goes from roots, one a round. Walks over one search may go side by side.
type walk struct {
	*search
	marks []mark // by spot
	round int
	left  map[string][]Unreachable // what stays unreached, by what is reached
}

// mark is where one round came by a spot.
type mark struct {
	static, autonomous int // the last round that reached it so
	listed             int // the last round whose result holds it
	found              int // where in that result
}

// reached is a place with the strongest authority it is reached by and one
// shortest path of that authority.
type reached struct {
	spot      int
	authority Authority
	path      []Hop
	written   []Hop // the shortest path of written calls alone, nil without one
}

// reach lists every node reachable from root, the root left out. It walks pairs
// of node and authority breadth-first, each once, which is the least fixed point
// and ends on cycles; a path is autonomous as soon as one of its edges is.
func (w *walk) reach(root node) []reached {
	w.round++
	start := reached{spot: w.index[root], authority: Static, path: []Hop{hop(root, Static)}}
	w.marks[start.spot].static = w.round
	var out []reached
	for queue := []reached{start}; len(queue) > 0; queue = queue[1:] {
		from := queue[0]
		for _, e := range w.spots[from.spot].edges {
			authority := e.authority
			if from.authority == Autonomous {
				authority = Autonomous
			}
			m := &w.marks[e.to]
			if !m.visit(authority, w.round) {
				continue
			}
			next := reached{spot: e.to, authority: authority, path: slices.Concat(from.path, e.hops)}
			if authority == Static {
				next.written = next.path
			}
			queue = append(queue, next)
			// The static visit of a node may come before or after the autonomous one.
			if m.listed != w.round {
				m.listed, m.found = w.round, len(out)
				out = append(out, next)
			} else if authority == Autonomous {
				next.written = out[m.found].path
				out[m.found] = next
			} else {
				out[m.found].written = next.path
			}
		}
	}
	return out
}

// visit reports whether the round comes by with this authority for the first time.
func (m *mark) visit(a Authority, round int) bool {
	last := &m.static
	if a == Autonomous {
		last = &m.autonomous
	}
	first := *last != round
	*last = round
	return first
}

func hop(n node, a Authority) Hop {
	return Hop{Kind: n.kind, Name: n.name, ID: n.name, Reachability: a}
}
