package view

import (
	"slices"

	"terfyn/compiler/nexflow/manifest"
	"terfyn/compiler/nexflow/refs"
)

// meaning is what a field is about.
type meaning int

const (
	// authority is who may do what, and under whose control.
	authority meaning = iota + 1
	// behaviour is how work is done within that.
	behaviour
	// inert fields change nothing that runs (nexflow.md 13).
	inert
	// throughEffects fields are compared by what they say together.
	throughEffects
	// elsewhere is an identity, or holds declarations that are compared themselves.
	elsewhere
)

// comparedField is a field of a declaration; path goes through objects.
type comparedField struct {
	path  string
	means meaning
	how   comparer
	// rest, where it is set, is what differs in entries of a list that are there before
	// and after, beside what how tells of them.
	rest restOf
}

// comparedKind is a kind of declarations.
type comparedKind struct {
	name string
	find func(*refs.Index) []refs.Declaration
	// means is what it is about that a declaration comes or goes, added the class of
	// its coming.
	means meaning
	added func(manifest.Node) Class
	// applies, where it is set, says whether the kind is compared in two sets.
	applies func(earlier, later *refs.Index) bool
	fields  []comparedField
}

// comparedKinds is every kind of declarations. A test compares the fields with
// those of nexflow.md section 3.
var comparedKinds = slices.Concat(projectKinds, peopleKinds, workKinds, knowledgeKinds, modelKinds)

// kindOfSpace is a kind whose declarations are those of a namespace.
func kindOfSpace(s refs.Space, m meaning, fields []comparedField) comparedKind {
	return comparedKind{name: string(s), find: firstsOf(s), means: m, added: always(Added), fields: fields}
}

// firstsOf is the declarations of a namespace without those whose id came before.
func firstsOf(s refs.Space) func(*refs.Index) []refs.Declaration {
	return func(x *refs.Index) []refs.Declaration {
		seen := map[[2]string]bool{}
		var out []refs.Declaration
		for _, d := range x.All(s) {
			if key := [2]string{d.Scope, d.ID}; !seen[key] {
				seen[key] = true
				out = append(out, d)
			}
		}
		return out
	}
}

// single is one object below the project, without an id.
func single(find func(project manifest.Node) manifest.Node) func(*refs.Index) []refs.Declaration {
	return func(x *refs.Index) []refs.Declaration {
		if n := find(x.Set().Project()); n.Exists() {
			return []refs.Declaration{{Node: n}}
		}
		return nil
	}
}

func always(c Class) func(manifest.Node) Class { return func(manifest.Node) Class { return c } }

func auth(path string, how comparer) comparedField {
	return comparedField{path: path, means: authority, how: how}
}

func behave(path string, how comparer) comparedField {
	return comparedField{path: path, means: behaviour, how: how}
}

func nested(path string) comparedField { return comparedField{path: path, means: elsewhere} }

func viaEffects(path string) comparedField {
	return comparedField{path: path, means: throughEffects, how: unsaid}
}

func (f comparedField) beside(rest restOf) comparedField {
	f.rest = rest
	return f
}

func unsaid(manifest.Node, manifest.Node, owners) []delta { return nil }

// texts are fields that change nothing that runs.
func texts(paths ...string) []comparedField { return several(inert, hidden, paths) }

// conducts are fields of behaviour that have another value, which is not shown.
func conducts(paths ...string) []comparedField { return several(behaviour, hidden, paths) }

// switches are boolean fields of behaviour.
func switches(prefix string, names ...string) []comparedField {
	var out []comparedField
	for _, n := range names {
		out = append(out, behave(prefix+n, flag(Changed)))
	}
	return out
}

func several(m meaning, how comparer, paths []string) []comparedField {
	var out []comparedField
	for _, p := range paths {
		out = append(out, comparedField{path: p, means: m, how: how})
	}
	return out
}

type knowledge int

const (
	unknown knowledge = iota
	inside
	exactly
)

// knows says whether a path is a field, or leads to one.
func (k comparedKind) knows(path string) knowledge {
	out := unknown
	for _, f := range k.fields {
		switch {
		case f.path == path:
			return exactly
		case len(f.path) > len(path) && f.path[:len(path)] == path && f.path[len(path)] == '.':
			out = inside
		}
	}
	return out
}

// memberNames is the members of two objects, each once, in order.
func memberNames(a, b manifest.Node) []string {
	var out []string
	for _, n := range []manifest.Node{a, b} {
		for _, f := range n.Value().Fields() {
			out = append(out, f.Name)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func documentsByID(all []*manifest.Document, info manifest.KindInfo) map[string]*manifest.Document {
	out := map[string]*manifest.Document{}
	for _, d := range all {
		out[documentID(d, info)] = d
	}
	return out
}

// documentID tells the documents of one kind apart: workflows by their id, and of
// the other kinds a set has one.
func documentID(d *manifest.Document, info manifest.KindInfo) string {
	if !info.Many {
		return ""
	}
	return d.Node().At(info.List, "id").Text()
}
