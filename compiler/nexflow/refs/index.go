package refs

import (
	"terfyn/compiler/nexflow/code"
	"terfyn/compiler/nexflow/manifest"
)

// Declaration is one thing with an identity.
type Declaration struct {
	Space Space
	ID    string
	// Scope is the id of the workflow or prompt set in which ID is unique, "" for
	// the whole set.
	Scope string
	// Node is the declaring object, IDNode its identity.
	Node, IDNode manifest.Node
}

type key struct {
	space     Space
	scope, id string
}

type group struct {
	space Space
	scope string
}

// Index is what a set declares.
type Index struct {
	set        *manifest.Set
	bySpace    map[Space][]Declaration
	first      map[key]Declaration
	all        map[key][]Declaration
	duplicates map[group]bool
	found      manifest.Findings
	// seen is first by the object that scopes declarations rather than by its id, which
	// another may have as well.
	seen map[key]Declaration
}

// NewIndex lists the declarations of a set whose documents have the shape of their
// kinds.
func NewIndex(set *manifest.Set) *Index {
	x := &Index{
		set: set, bySpace: map[Space][]Declaration{}, first: map[key]Declaration{},
		all: map[key][]Declaration{}, duplicates: map[group]bool{}, seen: map[key]Declaration{},
	}
	for _, w := range declared {
		for _, d := range set.Of(w.kind) {
			x.collect(w, d.Node(), w.path, len(w.path)-w.scope, manifest.Node{})
		}
	}
	return x
}

// collect walks rest from n. scopeAt is how much of the path is left below the
// object that scopes the declarations.
func (x *Index) collect(w where, n manifest.Node, rest []string, scopeAt int, scope manifest.Node) {
	if w.scope > 0 && len(rest) == scopeAt {
		scope = n
	}
	switch {
	case !n.Exists():
	case len(rest) == 0:
		x.add(Declaration{Space: w.space, ID: n.Get(w.id).Text(), Scope: scope.Get("id").Text(), Node: n, IDNode: n.Get(w.id)}, scope)
	case rest[0] == "*":
		for _, item := range n.Items() {
			x.collect(w, item, rest[1:], scopeAt, scope)
		}
	default:
		x.collect(w, n.Get(rest[0]), rest[1:], scopeAt, scope)
	}
}

func (x *Index) add(d Declaration, scope manifest.Node) {
	k := key{d.Space, d.Scope, d.ID}
	x.bySpace[d.Space] = append(x.bySpace[d.Space], d)
	x.all[k] = append(x.all[k], d)
	if _, known := x.first[k]; !known {
		x.first[k] = d
	}
	k.scope = scope.File() + scope.Path()
	earlier, again := x.seen[k]
	if !again {
		x.seen[k] = d
		return
	}
	x.duplicates[group{d.Space, d.Scope}] = true
	x.found.Add(manifest.Record{
		Severity: manifest.Error, Code: code.RefDuplicateTarget, Layer: manifest.SemanticLayer,
		File: d.IDNode.File(), Kind: d.IDNode.Document().Kind, Path: d.IDNode.Path(),
		Message:    "The " + string(d.Space) + " " + manifest.Shown(d.ID) + " is declared a second time.",
		Related:    []manifest.Place{earlier.IDNode.Place()},
		Details:    manifest.Details{TargetKind: string(d.Space), Reference: manifest.Shown(d.ID)},
		Suggestion: "Give one of the two another id, or remove it.",
	})
}

// Duplicates are the findings about ids that are declared more than once.
func (x *Index) Duplicates() []manifest.Record { return x.found.Records() }

// HasDuplicates reports whether the namespace declares an id twice within scope.
func (x *Index) HasDuplicates(s Space, scope string) bool { return x.duplicates[group{s, scope}] }

// All is the declarations of a namespace in the order of the documents, duplicates
// included. Participants are not listed here.
func (x *Index) All(s Space) []Declaration { return x.bySpace[s] }

// Find is the declaration of id; of duplicates the first. A participant is an actor
// where the set has an ActorSet, else a maintainer or an agent.
func (x *Index) Find(s Space, id string) (Declaration, bool) { return x.FindIn(s, "", id) }

// FindIn is Find within a scope: stages and steps in their workflow, prompts in
// their set.
func (x *Index) FindIn(s Space, scope, id string) (Declaration, bool) {
	if s != Participant {
		d, ok := x.first[key{s, scope, id}]
		return d, ok
	}
	if x.HasActors() {
		return x.FindIn(Actor, "", id)
	}
	if d, ok := x.first[key{Agent, "", id}]; ok {
		return d, true
	}
	d, ok := x.first[key{Maintainer, "", id}]
	return d, ok
}

// Candidates is every declaration of id, in the order of the documents.
func (x *Index) Candidates(s Space, scope, id string) []Declaration { return x.all[key{s, scope, id}] }

// HasActors reports whether the set has an ActorSet, which then alone says who
// takes part.
func (x *Index) HasActors() bool { return x.set.Has(manifest.ActorSet) }

// Set is the set that was indexed.
func (x *Index) Set() *manifest.Set { return x.set }
