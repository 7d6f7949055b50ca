package effects

import (
	"fmt"
	"slices"

	"terfyn/compiler/diag"
	"terfyn/compiler/resource"
	"terfyn/compiler/source"
)

func notCovered(w resource.Workflow, e Effect, at source.Span) diag.Diagnostic {
	return diag.Errorf(diag.EffectNotCovered, at,
		"workflow %s can have the effect %s, which its effects clause does not cover: %s; add %s to the clause or remove that path%s",
		w.Name, e.Name, Path(e.Witness), e.Name, listedInstead(e.Name, w.Effects))
}

func unknownInClause(w resource.Workflow, u Unknown, at source.Span) diag.Diagnostic {
	return diag.Errorf(diag.EffectUnknown, at,
		"workflow %s can reach %s, whose effects are unknown (%s), so no effects clause can cover it: %s; declare the effects of that operation",
		w.Name, u.Capability, u.Reason, Path(u.Witness))
}

func unreachableInClause(w resource.Workflow, b Bound, listed string, at source.Span) diag.Diagnostic {
	return diag.Warnf(diag.EffectUnreachable, at,
		"the effects clause of workflow %s lists %s, which nothing in the workflow can reach; remove it so that the clause says what can happen%s",
		w.Name, listed, diag.DidYouMean(diag.NearEdits(listed, b.names(), 1)))
}

func notPermitted(w resource.Workflow, p resource.Policy, e Effect, at source.Span) diag.Diagnostic {
	if len(p.Effects.Permit)+len(p.Effects.PermitWithApproval) == 0 {
		return diag.Errorf(diag.EffectNotPermitted, at,
			"policy %s lists no effects and therefore permits none, but workflow %s can have %s: %s; list the effect under effects.permit or effects.permitWithApproval of the policy",
			p.Name, w.Name, e.Name, Path(e.Witness))
	}
	return diag.Errorf(diag.EffectNotPermitted, at,
		"policy %s permits %s neither under permit nor under permitWithApproval, but workflow %s can have it: %s; permit the effect or remove that path%s",
		p.Name, e.Name, w.Name, Path(e.Witness), listedInstead(e.Name, slices.Concat(p.Effects.Permit, p.Effects.PermitWithApproval)))
}

// listedInstead points at a listed effect that is spelled almost like the one that is
// reached.
func listedInstead(effect string, listed []string) string {
	near := diag.NearEdits(effect, listed, 1)
	if near == "" {
		return ""
	}
	return fmt.Sprintf("; %q is listed, is it a misspelling of %q?", near, effect)
}

func (b Bound) names() []string {
	out := make([]string, len(b.Effects))
	for i, e := range b.Effects {
		out[i] = e.Name
	}
	return out
}

func unknownForPolicy(w resource.Workflow, p resource.Policy, u Unknown, at source.Span) diag.Diagnostic {
	return diag.Errorf(diag.EffectUndecidable, at,
		"workflow %s can reach %s, whose effects are unknown (%s), so policy %s cannot permit it: %s; declare the effects of that operation",
		w.Name, u.Capability, u.Reason, p.Name, Path(u.Witness))
}
