package refs

import (
	"terfyn/compiler/nexflow/code"
	"terfyn/compiler/nexflow/manifest"
)

// incomplete reports a set without an inventory of participants, or without a
// Project.
func incomplete(set *manifest.Set) []manifest.Record {
	hasProject := set.Has(manifest.Project)
	if hasProject && (set.Has(manifest.ActorSet) || set.Has(manifest.AgentSet)) {
		return nil
	}
	r := manifest.Record{
		Severity: manifest.Error, Code: code.ProfileIncomplete, Layer: manifest.ProfileLayer,
		File: manifest.Input, Message: "The set has no Project.",
		Suggestion: "Include the Project document in the set.",
	}
	if hasProject {
		r.File, r.Kind = set.Of(manifest.Project)[0].File, manifest.Project
		r.Message = "The set has neither an ActorSet nor an AgentSet, so nobody takes part."
		r.Details.Allowed = []string{string(manifest.ActorSet), string(manifest.AgentSet)}
		r.Suggestion = "Include the ActorSet document of the project in the set."
	}
	return []manifest.Record{r}
}

// dependency is a kind of document that documents of another kind refer to.
type dependency struct{ from, missing manifest.Kind }

// dependencies finds kinds that are referred to and absent, each once for every kind
// that refers to it: at the first such field, which is the first row of the table and
// there the first value.
type dependencies struct {
	set   *manifest.Set
	first map[dependency]Reference
	order []dependency
}

// missing reports whether nothing can resolve the reference, since no document
// declares things of its namespace. Participants have no kind of their own: a set
// without any is incomplete, which is reported for the whole set.
func (d *dependencies) missing(r Reference) bool {
	if r.To == Participant {
		return !d.set.Has(manifest.ActorSet) && !d.set.Has(manifest.AgentSet)
	}
	kind := r.To.Kind()
	if kind == "" || d.set.Has(kind) {
		return false
	}
	at := dependency{from: r.Node.Document().Kind, missing: kind}
	earlier, known := d.first[at]
	if !known {
		d.order = append(d.order, at)
	}
	if !known || r.place < earlier.place {
		d.first[at] = r
	}
	return true
}

func (d *dependencies) records() []manifest.Record {
	out := make([]manifest.Record, len(d.order))
	for i, at := range d.order {
		out[i] = missing(d.first[at], at.missing)
	}
	return out
}

func missing(r Reference, kind manifest.Kind) manifest.Record {
	n := r.Node
	if r.Row.When == NeedsActorSet {
		n = r.Parent
	}
	return manifest.Record{
		Severity: manifest.Error, Code: code.ProfileMissingDependency, Layer: manifest.ProfileLayer,
		File: n.File(), Kind: n.Document().Kind, Path: n.Path(),
		Message:    "The " + string(r.To) + " " + manifest.Shown(r.ID) + " is referred to here, and the set has no " + string(kind) + ".",
		Details:    manifest.Details{TargetKind: string(kind), Reference: manifest.Shown(r.ID)},
		Suggestion: "Include the " + string(kind) + " document of the project in the set.",
	}
}
