package planner

import "terfyn/compiler/resource"

// Touches lists, as Kind/Name, the agents and workflows that the plan creates or
// changes, and those whose grants or reach it changes.
func (p Plan) Touches() map[string]bool {
	roots := map[string]bool{}
	for _, o := range p.Operations {
		if o.Kind == string(resource.KindAgent) || o.Kind == string(resource.KindWorkflow) {
			roots[o.Target()] = true
		}
	}
	for _, c := range p.CapabilityDelta {
		roots[string(resource.KindAgent)+"/"+c.Agent] = true
	}
	for _, e := range p.EffectDelta {
		roots[e.Root] = true
	}
	return roots
}
