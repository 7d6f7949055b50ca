// Package diff owns the field differences between two normalised specs and the
// masking of what must not be shown. It leaves out which resources exist
// (package planner) and what a change means (planner/risk).
package diff

import (
	"slices"
	"strings"

	"terfyn/internal/canon"
)

// Kind says what happened to a field.
type Kind string

// The kinds of changes.
const (
	Added   Kind = "added"
	Removed Kind = "removed"
	Changed Kind = "changed"
)

// Change is one field that differs. Before is null for an added field, After
// for a removed one. Secrets are masked in both; After says which of them changed.
type Change struct {
	Path   string      `json:"path"` // constraints.maxTokens, operations[send].schema
	Kind   Kind        `json:"kind"`
	Before canon.Value `json:"before"`
	After  canon.Value `json:"after"`
}

// Fields lists what differs between two specs, in the order of their paths'
// names. Lists of named objects are compared entry by entry, whatever their
// order; other lists are compared as a whole.
func Fields(before, after canon.Value) []Change {
	var w walker
	w.value(nil, before, after)
	return w.changes
}

// path is the way from the root, innermost last.
type path []segment

type segment struct {
	name  string
	entry bool // an entry of a list of named objects
}

func (p path) String() string {
	var b []byte
	for _, s := range p {
		switch {
		case s.entry:
			b = append(append(append(b, '['), s.name...), ']')
		case len(b) == 0:
			b = append(b, s.name...)
		default:
			b = append(append(b, '.'), s.name...)
		}
	}
	return string(b)
}

type walker struct{ changes []Change }

func (w *walker) value(at path, before, after canon.Value) {
	if canon.Equal(before, after) {
		return
	}
	if before.Kind() == canon.KindObject && after.Kind() == canon.KindObject {
		w.members(at, before.Fields(), after.Fields(), false)
		return
	}
	b, okB := entries(before)
	a, okA := entries(after)
	found := len(w.changes)
	if okA && okB {
		w.members(at, b, a, true)
	}
	// Entries that are equal but stand in another order are a change of the list.
	if len(w.changes) == found {
		w.add(at, Changed, before, after)
	}
}

// entries reads a list of objects with unique names as members sorted by name.
func entries(list canon.Value) ([]canon.Field, bool) {
	if list.Kind() != canon.KindList || len(list.Items()) == 0 {
		return nil, false
	}
	fields := make([]canon.Field, 0, len(list.Items()))
	for _, item := range list.Items() {
		name := item.Str("name")
		if name == "" {
			name = item.Str("id")
		}
		if name == "" {
			return nil, false
		}
		fields = append(fields, canon.F(name, item))
	}
	slices.SortFunc(fields, func(a, b canon.Field) int { return strings.Compare(a.Name, b.Name) })
	for i := 1; i < len(fields); i++ {
		if fields[i].Name == fields[i-1].Name {
			return nil, false
		}
	}
	return fields, true
}

// members walks two sorted member lists side by side.
func (w *walker) members(at path, before, after []canon.Field, entry bool) {
	for len(before) > 0 || len(after) > 0 {
		switch {
		case len(after) == 0 || len(before) > 0 && before[0].Name < after[0].Name:
			w.add(at.to(before[0].Name, entry), Removed, before[0].Value, canon.Null())
			before = before[1:]
		case len(before) == 0 || after[0].Name < before[0].Name:
			w.add(at.to(after[0].Name, entry), Added, canon.Null(), after[0].Value)
			after = after[1:]
		default:
			w.value(at.to(before[0].Name, entry), before[0].Value, after[0].Value)
			before, after = before[1:], after[1:]
		}
	}
}

func (p path) to(name string, entry bool) path {
	return append(slices.Clone(p), segment{name, entry})
}

func (w *walker) add(at path, kind Kind, before, after canon.Value) {
	was, is := maskAt(at, before), maskAt(at, after)
	if kind == Changed {
		is = marked(before, after, was, is)
	}
	w.changes = append(w.changes, Change{Path: at.String(), Kind: kind, Before: was, After: is})
}
