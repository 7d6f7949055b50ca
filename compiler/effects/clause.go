package effects

import (
	"slices"
	"strings"

	"terfyn/compiler/diag"
	"terfyn/compiler/resource"
	"terfyn/compiler/source"
)

// CheckClause compares the effects clause of a workflow with its bound. at is
// the clause. A reachable effect the clause does not cover is an error with its
// witness; so is a reachable operation without declared effects, since no clause
// can cover it; a clause entry nothing reaches is a warning. Without a clause
// there is nothing to check.
func CheckClause(w resource.Workflow, b Bound, at source.Span) diag.List {
	var out diag.List
	if !w.EffectsBound {
		return out
	}
	covered := func(reached string) bool {
		return slices.ContainsFunc(w.Effects, func(listed string) bool { return resource.EffectCovers(listed, reached) })
	}
	for _, u := range b.Unknown {
		out.Add(unknownInClause(w, u, at))
	}
	for _, e := range b.Effects {
		if !covered(e.Name) {
			out.Add(notCovered(w, e, at))
		}
	}
	for _, listed := range w.Effects {
		if !slices.ContainsFunc(b.Effects, func(e Effect) bool { return resource.EffectCovers(listed, e.Name) }) {
			out.Add(unreachableInClause(w, b, listed, at))
		}
	}
	return out
}

// CheckPolicy compares the bound of a workflow with the policy that governs it.
// at is where the workflow names its policy. It checks nothing while no tool
// declares effects, and nothing for a workflow under the built-in safety rules,
// which decide call by call. permitWithApproval allows an effect here; that the
// approval is given is decided when the call is made.
func CheckPolicy(g resource.Graph, w resource.Workflow, b Bound, at source.Span) diag.List {
	var out diag.List
	if !g.DeclaresEffects() {
		return out
	}
	p, safe, ok := g.GoverningPolicy(w)
	if safe || !ok { // a missing policy is reported by validation
		return out
	}
	for _, u := range b.Unknown {
		out.Add(unknownForPolicy(w, p, u, at))
	}
	for _, e := range b.Effects {
		if p.EffectRule(e.Name) == resource.EffectForbidden {
			out.Add(notPermitted(w, p, e, at))
		}
	}
	return out
}

// Path words a witness: every hop in order, the choices of an agent marked with
// the word AUTONOMOUS.
func Path(hops []Hop) string {
	parts := make([]string, len(hops))
	for i, h := range hops {
		switch h.Kind {
		case HopOperation:
			parts[i] = h.Name
		case HopStep:
			parts[i] = "step " + h.ID
		default:
			parts[i] = string(h.Kind) + " " + h.Name
		}
		if h.Reachability == Autonomous {
			parts[i] = "AUTONOMOUS " + parts[i]
		}
	}
	return strings.Join(parts, " -> ")
}
