package refs

import (
	"terfyn/compiler/nexflow/code"
	"terfyn/compiler/nexflow/manifest"
)

// Resolve looks up every reference. Profile is what the core profile misses
// (nexflow.md 5): participants, or a kind of document that is referred to.
// Semantic is ids that are declared twice, references without a target, and fields
// that are not resolved by design (nexflow.md 6). References behind a missing kind
// are not reported one by one. Neither list has a particular order.
func Resolve(x *Index) (profile, semantic []manifest.Record) {
	r := resolver{
		index:   x,
		needs:   dependencies{set: x.set, first: map[dependency]Reference{}},
		guesses: maxGuesses,
	}
	for _, d := range x.Duplicates() {
		r.found.Add(d)
	}
	for ref := range x.References {
		r.resolve(ref)
	}
	r.legacy()
	r.deferred()
	return append(incomplete(x.set), r.needs.records()...), r.found.Records()
}

type resolver struct {
	index   *Index
	needs   dependencies
	found   manifest.Findings
	guesses int // how many near ids may still be looked for
}

func (r *resolver) resolve(ref Reference) {
	if ref.Row.When == WithActorSet && !r.index.HasActors() || r.needs.missing(ref) {
		return
	}
	if _, ok := r.index.FindIn(ref.To, ref.Scope, ref.ID); ok {
		return
	}
	if ref.Row.When == OwnKind && ref.Scope != "" {
		if _, ok := r.index.Find(Workflow, ref.Scope); !ok {
			return // the scope is reported at its own place
		}
	}
	c := code.RefUnresolved
	if ref.Row.When == ScopeOfTarget {
		c = code.RefScopeUnresolved
	}
	in := ""
	if ref.Scope != "" {
		in = " in the workflow " + manifest.Shown(ref.Scope)
	}
	r.report(manifest.Error, c, ref.Node, manifest.Record{
		Message:    "The " + string(ref.To) + " " + manifest.Shown(ref.ID) + " is referred to here and not declared" + in + ".",
		Details:    manifest.Details{TargetKind: string(ref.To), Reference: manifest.Shown(ref.ID)},
		Suggestion: r.suggestion(ref),
	})
}

// legacy warns of gate targets without a kind, which are not resolved.
func (r *resolver) legacy() {
	for _, g := range r.index.All(ApprovalGate) {
		for _, n := range g.Node.Get("appliesTo").Items() {
			r.report(manifest.Warning, code.RefLegacyUnqualified, n, manifest.Record{
				Message:    "The approval-gate " + manifest.Shown(g.ID) + " applies to " + manifest.Shown(n.Text()) + ", which names no kind and is not resolved.",
				Details:    manifest.Details{Reference: manifest.Shown(n.Text())},
				Suggestion: "Name it in targets, together with its kind.",
			})
		}
	}
}

// deferred tells of prompts that say what they apply to.
func (r *resolver) deferred() {
	for _, p := range r.index.All(Prompt) {
		list := p.Node.Get("appliesTo")
		if list.Len() == 0 {
			continue
		}
		r.report(manifest.Info, code.RefDeferred, list, manifest.Record{
			Message: "What the prompt " + manifest.Shown(p.ID) + " applies to is not resolved.",
		})
	}
}

func (r *resolver) report(s manifest.Severity, c code.Code, at manifest.Node, rec manifest.Record) {
	rec.Severity, rec.Code, rec.Layer = s, c, manifest.SemanticLayer
	rec.File, rec.Kind, rec.Path = at.File(), at.Document().Kind, at.Path()
	r.found.Add(rec)
}
