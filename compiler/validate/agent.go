package validate

import (
	"strings"

	"terfyn/compiler/resource"
)

func (v *validator) agent(a resource.Agent) {
	p := place{kind: resource.KindAgent, name: a.Name}
	v.name(p)
	if a.Model == "" {
		v.missingModel(p)
	}
	v.model(p.in("model"), a.Model)
	for _, m := range a.FallbackModels {
		v.model(p.in("fallbackModels", m), m)
	}
	v.policyReference(p.in("policy"), a.Policy)
	v.constraints(p.in("constraints"), a.Constraints)
	v.schema(p.in("input"), a.Input)
	v.schema(p.in("output"), a.Output)
	for _, grant := range a.Grants {
		v.grant(p.in("grants", grant), grant)
	}
	if _, err := resource.ShownNames(a); err != nil {
		v.shownNameClash(p.in("grants"), err)
	}
}

func (v *validator) constraints(p place, c resource.Constraints) {
	v.atLeast(p.in("maxIterations"), "maxIterations", c.MaxIterations, 0)
	v.atLeast(p.in("maxTokens"), "maxTokens", c.MaxTokens, 0)
	v.atLeast(p.in("timeoutSeconds"), "timeoutSeconds", c.TimeoutSeconds, 0)
	v.decimal(p.in("temperature"), "temperature", c.Temperature, "0", "2")
}

func (v *validator) grant(p place, grant string) {
	if name, ok := strings.CutPrefix(grant, "agent."); ok {
		if _, found := v.g.Agent(name); !found {
			v.noTarget(p, "agent", name)
		}
		return
	}
	if name, ok := strings.CutPrefix(grant, "workflow."); ok {
		if _, found := v.g.Workflow(name); !found {
			v.noTarget(p, "workflow", name)
		}
		return
	}
	v.capability(p, "grants", grant)
}
