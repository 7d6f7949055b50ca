package verify

import (
	"fmt"
	"slices"
	"strconv"

	"terfyn/compiler/internal/scope"
	"terfyn/compiler/ir"
	"terfyn/compiler/types"
)

// control checks a node that holds others.
func (b *body) control(s scope.Scope, a at, n ir.Node, f flow) (returns bool) {
	switch n := n.(type) {
	case ir.If:
		return b.branch(s, a, n, f)
	case ir.For:
		b.loop(s, a, n, f)
	case ir.While:
		b.rounds(a, "while", n.Limit)
		b.cond(s, a, n.Cond)
		s.Widen(assigned(n.Body))
		b.block(s.Clone(), a.site+"/", n.Body, f.nested())
	case ir.Retry:
		return b.retry(s, a, n, f)
	case ir.Fork:
		b.fork(s, a, n, f)
	case ir.Graph:
		b.graph(s, a, n, f)
	default:
		b.add(malformed(a.span(), "%T is no node of a program; nodes are values of the types of package ir, not pointers to them", n))
	}
	return false
}

// branch leaves in s what both arms bind; an arm that returns has no say.
func (b *body) branch(s scope.Scope, a at, n ir.If, f flow) (returns bool) {
	b.cond(s, a, n.Cond)
	then, other := s.Clone(), s.Clone()
	thenReturns := b.block(then, a.site+"/then/", n.Then, f.nested())
	otherReturns := b.block(other, a.site+"/else/", n.Else, f.nested())
	switch {
	case thenReturns && !otherReturns:
		s.Become(other)
	case otherReturns && !thenReturns:
		s.Become(then)
	default:
		s.Become(scope.Join(then, other))
	}
	return thenReturns && otherReturns
}

func (b *body) loop(s scope.Scope, a at, n ir.For, f flow) {
	if _, object := n.In.(ir.Object); object {
		b.add(objectAsCollection(a.span()))
	}
	element := types.Items(typeOfShape(b.expr(s, a, n.In)))
	if !isName(n.Var) {
		b.add(malformed(a.span(), "%q cannot name the variable of a loop: a name is a letter or _ and then letters, digits, _ or -", n.Var))
	}
	f = f.nested()
	if n.Parallel {
		f.parallelFor = true
	} else {
		s.Widen(scope.Without(assigned(n.Body), n.Var))
	}
	inner := s.Clone()
	inner[n.Var] = scope.Binding{Type: element}
	b.block(inner, a.site+"/", n.Body, f)
}

// retry runs its body at least once, so what every path of it binds stays, and
// the condition sees it.
func (b *body) retry(s scope.Scope, a at, n ir.Retry, f flow) (returns bool) {
	b.rounds(a, "retry until", n.Limit)
	outer := assigned(n.Body)
	s.Widen(outer)
	before := s.Clone()
	returns = b.block(s, a.site+"/", n.Body, f.nested())
	b.cond(s, a, n.Until)
	for _, name := range outer {
		if _, existed := before[name]; existed {
			s.Widen([]string{name})
		}
	}
	return returns
}

func (b *body) rounds(a at, loop string, limit int) {
	switch {
	case limit < 1:
		b.add(notACount(a.span(), loop, limit))
	case limit > ir.MaxLimit:
		b.add(limitOutOfRange(a.span(), limit))
	}
}

// fork checks every branch against the scope before it; afterwards the names of
// all branches exist.
func (b *body) fork(s scope.Scope, a at, n ir.Fork, f flow) {
	before := s.Clone()
	f.branch = true
	names := map[string]bool{}
	for i, nodes := range n.Branches {
		inner := before.Clone()
		b.block(inner, fmt.Sprintf("%s/%d/", a.site, i), nodes, f)
		b.merge(s, a, "branch", names, nodes, inner)
	}
}

// merge adds to s what a concurrent block bound. Two of them must not bind one
// name: which value stayed would depend on time.
func (b *body) merge(s scope.Scope, a at, what string, names map[string]bool, nodes []ir.Node, inner scope.Scope) {
	var mine []string
	for _, name := range assigned(nodes) {
		if _, visible := inner[name]; visible && !slices.Contains(mine, name) {
			mine = append(mine, name)
		}
	}
	for _, name := range mine {
		if names[name] && isName(name) {
			b.add(duplicateEntry(a.span(), what, name))
		}
		names[name] = true
		if !s[name].Param {
			s[name] = inner[name]
		}
	}
}

// graph checks tasks in the order of their needs. A task sees the scope before the
// graph and what the tasks it needs, directly or not, have bound.
func (b *body) graph(s scope.Scope, a at, n ir.Graph, f flow) {
	tasks := map[string]ir.Task{}
	for i, t := range n.Tasks {
		_, twice := tasks[t.Name]
		switch {
		case !isSegment(t.Name):
			b.add(malformed(a.span(), "task %s has the name %q: a name is not empty and holds neither / nor #", strconv.Itoa(i), t.Name))
		case twice:
			b.add(duplicateEntry(a.span(), "task", t.Name))
		}
		tasks[t.Name] = t
	}
	before := s.Clone()
	f.branch = true
	done, names := map[string]scope.Scope{}, map[string]bool{}
	for waiting := slices.Clone(n.Tasks); len(waiting) > 0; {
		i := slices.IndexFunc(waiting, func(t ir.Task) bool {
			return !slices.ContainsFunc(t.Needs, func(need string) bool { return tasks[need].Name == need && done[need] == nil })
		})
		if i < 0 {
			b.add(malformed(a.span(), "the tasks of a graph wait for each other, among them %s; remove a need", waiting[0].Name))
			return
		}
		t := waiting[i]
		waiting = slices.Delete(waiting, i, i+1)
		inner := before.Clone()
		for _, need := range t.Needs {
			if _, known := tasks[need]; !known {
				b.add(malformed(a.span(), "task %s needs %q, which is no task of the graph", t.Name, need))
			}
			for name, bound := range done[need] {
				inner[name] = bound
			}
		}
		b.block(inner, a.site+"/"+t.Name+"/", t.Body, f)
		b.merge(s, a, "binding", names, t.Body, inner)
		done[t.Name] = inner
	}
}
