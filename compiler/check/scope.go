package check

import (
	"maps"

	"terfyn/compiler/syntax"
	"terfyn/compiler/types"
	"terfyn/internal/ordered"
)

// binding is one name in scope.
type binding struct {
	typ   types.Type
	param bool // cannot be assigned
}

// scope holds the names that are definitely assigned at one place.
type scope map[string]binding

func (s scope) clone() scope { return maps.Clone(s) }

func (s scope) names() []string { return ordered.Keys(s) }

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

// assigned lists the names that statements may rebind in the scope around them.
func assigned(b *syntax.Block) []string {
	if b == nil {
		return nil
	}
	var out []string
	for _, s := range b.Stmts {
		switch s := s.(type) {
		case *syntax.AssignStmt:
			out = append(out, s.Name.Name)
		case *syntax.ApprovalStmt:
			out = append(out, s.Name.Name)
		case *syntax.ParallelStmt:
			for _, branch := range s.Branches {
				out = append(out, branch.Name.Name)
			}
		case *syntax.IfStmt:
			out = append(out, assignedInArms(s)...)
		case *syntax.ForStmt:
			if !s.Parallel {
				out = append(out, without(assigned(s.Body), s.Var.Name)...)
			}
		case *syntax.WhileStmt:
			out = append(out, assigned(s.Body)...)
		case *syntax.RetryStmt:
			out = append(out, assigned(s.Body)...)
		}
	}
	return out
}

func assignedInArms(s *syntax.IfStmt) []string {
	out := append(assigned(s.Then), assigned(s.Else)...)
	if s.ElseIf != nil {
		out = append(out, assignedInArms(s.ElseIf)...)
	}
	return out
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
