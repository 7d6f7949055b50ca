package resource

import (
	"slices"
	"strings"
)

// EffectCovers reports whether an effect listed in a policy or clause covers an
// effect that is reached: the name itself and everything below it by dotted
// prefix. github covers github.read and not githubx.
func EffectCovers(listed, reached string) bool {
	rest, ok := strings.CutPrefix(reached, listed)
	return ok && (rest == "" || rest[0] == '.')
}

// EffectRule is what a policy's effect lists say about one effect.
type EffectRule uint8

// The rules, from the strictest.
const (
	EffectForbidden     EffectRule = iota + 1 // in neither list
	EffectNeedsApproval                       // permitWithApproval covers it, whatever permit says
	EffectPermitted                           // only permit covers it
)

// EffectRule gives the rule for an effect; where both lists cover it the
// stricter one wins. A policy without lists forbids every effect.
func (p Policy) EffectRule(effect string) EffectRule {
	covers := func(listed string) bool { return EffectCovers(listed, effect) }
	switch {
	case slices.ContainsFunc(p.Effects.PermitWithApproval, covers):
		return EffectNeedsApproval
	case slices.ContainsFunc(p.Effects.Permit, covers):
		return EffectPermitted
	default:
		return EffectForbidden
	}
}

// DeclaresEffects reports whether any operation of any tool declares effects.
// Where none does, policies are not compared with bounds.
func (g Graph) DeclaresEffects() bool {
	return slices.ContainsFunc(g.Tools, func(t Tool) bool {
		return slices.ContainsFunc(t.Operations, Operation.EffectsKnown)
	})
}
