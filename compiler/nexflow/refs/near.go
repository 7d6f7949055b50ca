package refs

import (
	"terfyn/compiler/diag"
	"terfyn/compiler/nexflow/manifest"
)

const (
	// maxGuesses bounds how many references a near id is looked for; more findings
	// than that are not printed.
	maxGuesses = 200
	// maxNames bounds the namespaces that are searched.
	maxNames = 500
	// maxSlips is how many letters a near id may differ in.
	maxSlips = 2
)

// suggestion says what to do about a reference without a target. It names an id
// only where one alone is near, and never where the field gives power: there the
// author has to decide.
func (r *resolver) suggestion(ref Reference) string {
	if r.namesAgent(ref) {
		return "An agent of this id is declared; participants are actors, so name the actor that refers to it."
	}
	if ref.Row.Authority || r.guesses == 0 || manifest.Shown(ref.ID) == manifest.RedactedID {
		return "Declare it, or correct the reference."
	}
	r.guesses--
	names := r.index.names(ref.To, ref.Scope)
	near := diag.NearEdits(ref.ID, names, maxSlips)
	if near == "" || diag.NearEdits(ref.ID, without(names, near), maxSlips) != "" {
		return "Declare it, or correct the reference."
	}
	return "Refer to " + manifest.Shown(near) + " if that is meant, or declare " + manifest.Shown(ref.ID) + "."
}

// namesAgent reports whether an agent is named where an actor is to be. That proposes
// no id: which actor is meant the author knows.
func (r *resolver) namesAgent(ref Reference) bool {
	if ref.To != Participant && ref.To != Actor || !r.index.HasActors() {
		return false
	}
	_, isAgent := r.index.Find(Agent, ref.ID)
	return isAgent
}

// names is the ids of a namespace in the order of the documents, none when there
// are many.
func (x *Index) names(s Space, scope string) []string {
	var out []string
	for _, space := range x.spaces(s) {
		if len(x.All(space)) > maxNames {
			return nil
		}
		for _, d := range x.All(space) {
			if d.Scope == scope {
				out = append(out, d.ID)
			}
		}
	}
	return out
}

// spaces is the namespaces in which a reference to s is looked up.
func (x *Index) spaces(s Space) []Space {
	switch {
	case s != Participant:
		return []Space{s}
	case x.HasActors():
		return []Space{Actor}
	}
	return []Space{Maintainer, Agent}
}

// without leaves every occurrence of name out, since an id may be declared twice.
func without(names []string, name string) []string {
	out := make([]string, 0, len(names))
	for _, n := range names {
		if n != name {
			out = append(out, n)
		}
	}
	return out
}
