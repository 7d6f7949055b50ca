package validate

import (
	"terfyn/compiler/resource"
	"terfyn/internal/ordered"
)

// environment checks the overrides themselves and, since an override may break
// what was right before, the overridden tools once more.
func (v *validator) environment(e resource.Environment) {
	p := place{kind: resource.KindEnvironment, name: e.Name}
	v.name(p)
	for _, name := range ordered.Keys(e.Agents) {
		at := p.in("agents", name)
		if _, ok := v.g.Agent(name); !ok {
			v.noTarget(at, "agent", name)
		}
		v.model(at.in("model"), e.Agents[name].Model)
		v.constraints(at.in("constraints"), e.Agents[name].Constraints)
	}
	for _, name := range ordered.Keys(e.Policies) {
		at := p.in("policies", name)
		if _, ok := v.g.Policy(name); !ok {
			v.noTarget(at, "policy", name)
		}
		v.execution(at.in("execution"), e.Policies[name].Execution)
		v.approvals(at.in("approvals"), e.Policies[name].Approvals)
	}
	for _, name := range ordered.Keys(e.Tools) {
		if _, ok := v.g.Tool(name); !ok {
			v.noTarget(p.in("tools", name), "tool", name)
		}
	}
	for _, group := range ordered.Keys(e.Groups) {
		for _, who := range e.Groups[group] {
			if _, ok := e.Approvers[who]; !ok {
				v.unknownApprover(p.in("approvers", group), who, ordered.Keys(e.Approvers))
			}
		}
	}
	applied, err := resource.Overlay(v.g, e.Name)
	if err != nil {
		return // a target is missing, which was reported above
	}
	v.overriddenTools(p, e, applied)
	v.overriddenPolicies(p, e, applied)
}

// overriddenPolicies asks once more what the two halves of a policy only break
// together.
func (v *validator) overriddenPolicies(p place, e resource.Environment, applied resource.Graph) {
	for _, name := range ordered.Keys(e.Policies) {
		base, _ := v.g.Policy(name)
		both, _ := applied.Policy(name)
		if silent(both.Approvals) && !silent(base.Approvals) && !silent(e.Policies[name].Approvals) {
			v.silenceForApprovers(p.in("policies", name, "approvals.onTimeout"))
		}
	}
}

func (v *validator) overriddenTools(p place, e resource.Environment, applied resource.Graph) {
	for _, name := range ordered.Keys(e.Tools) {
		at, o := p.in("tools", name), e.Tools[name]
		v.headers(at, resource.Tool{HTTP: o.HTTP, MCP: o.MCP})
		if t, ok := applied.Tool(name); ok && !v.unreachable[name] {
			v.transport(at, t)
		}
	}
}
