package verify

import (
	"maps"

	"terfyn/compiler/ir"
	"terfyn/compiler/types"
	"terfyn/internal/ordered"
)

// binding is one name in scope.
type binding struct {
	typ   types.Type
	param bool // cannot be assigned
}

// scope holds the names that are definitely assigned at one place
// (language.md section 8).
type scope map[string]binding

func (s scope) clone() scope { return maps.Clone(s) }

func (s scope) names() []string { return ordered.Keys(s) }

// become makes s hold what other holds.
func (s scope) become(other scope) {
	clear(s)
	maps.Copy(s, other)
}

// join is the scope after two paths met: what both have bound.
func join(a, b scope) scope {
	out := scope{}
	for name, x := range a {
		if y, both := b[name]; both {
			out[name] = binding{typ: types.Join(x.typ, y.typ), param: x.param && y.param}
		}
	}
	return out
}

// widen forgets the types of names that a loop may rebind: a later round sees
// what an earlier one left.
func (s scope) widen(names []string) {
	for _, n := range names {
		if b, ok := s[n]; ok && !b.param {
			s[n] = binding{typ: types.Untyped()}
		}
	}
}

// assigned lists the names that nodes may rebind in the scope around them.
func assigned(nodes []ir.Node) []string {
	var out []string
	for _, n := range nodes {
		if name := bound(n); name != "" {
			out = append(out, name)
		}
		loop, isLoop := n.(ir.For)
		for _, b := range ir.Blocks(n) {
			switch inner := assigned(b.Nodes); {
			case isLoop && loop.Parallel:
			case isLoop:
				out = append(out, without(inner, loop.Var)...)
			default:
				out = append(out, inner...)
			}
		}
	}
	return out
}

// bound is the name a node binds, "" for none.
func bound(n ir.Node) string {
	switch n := n.(type) {
	case ir.Let:
		return n.Name
	case ir.Agent:
		return n.Bind
	case ir.Tool:
		return n.Bind
	case ir.Workflow:
		return n.Bind
	case ir.Approval:
		return n.Bind
	default:
		return ""
	}
}

func without(names []string, name string) []string {
	var out []string
	for _, n := range names {
		if n != name {
			out = append(out, n)
		}
	}
	return out
}
