// Package scope owns the names that are definitely assigned at one place of a
// program, with what is known of their types (language.md section 8). Checking of
// source and of built programs walk over it; how statements bind is theirs.
package scope

import (
	"maps"

	"terfyn/compiler/types"
	"terfyn/internal/ordered"
)

// Binding is one name in scope.
type Binding struct {
	Type  types.Type
	Param bool // cannot be assigned
}

// Scope holds bindings by name.
type Scope map[string]Binding

// Clone gives a scope that changes on its own.
func (s Scope) Clone() Scope { return maps.Clone(s) }

// Names lists the names in order.
func (s Scope) Names() []string { return ordered.Keys(s) }

// Become makes s hold what other holds.
func (s Scope) Become(other Scope) {
	clear(s)
	maps.Copy(s, other)
}

// Join is the scope after two paths met: what both have bound.
func Join(a, b Scope) Scope {
	out := Scope{}
	for name, x := range a {
		if y, both := b[name]; both {
			out[name] = Binding{Type: types.Join(x.Type, y.Type), Param: x.Param && y.Param}
		}
	}
	return out
}

// Widen forgets the types of names that a loop may rebind: a later round sees
// what an earlier one left.
func (s Scope) Widen(names []string) {
	for _, n := range names {
		if b, ok := s[n]; ok && !b.Param {
			s[n] = Binding{Type: types.Untyped()}
		}
	}
}

// Without leaves a name out of a list.
func Without(names []string, name string) []string {
	var out []string
	for _, n := range names {
		if n != name {
			out = append(out, n)
		}
	}
	return out
}
