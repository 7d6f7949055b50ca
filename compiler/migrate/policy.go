package migrate

import (
	"go.yaml.in/yaml/v3"

	"terfyn/compiler/resource"
)

func policy(name string, o *object) resource.Policy {
	out := resource.Policy{Name: name, Preset: o.text("preset"), Execution: execution(o), Approvals: approvals(o)}
	if t := o.child("tools"); t != nil {
		out.ForbidUnknownTools = t.flag("forbidUnknownTools")
		t.done()
	}
	if e := o.child("effects"); e != nil {
		out.Effects = resource.PolicyEffects{Declared: true, Permit: e.texts("permit"), PermitWithApproval: e.texts("permitWithApproval")}
		e.done()
	}
	if h := o.child("hitl"); h != nil {
		out.Hitl = hitl(h)
		h.done()
	}
	o.dropped("security", "nothing honours it; approvals and effects say what needs a person")
	return out
}

func execution(o *object) resource.Execution {
	e := o.child("execution")
	if e == nil {
		return resource.Execution{}
	}
	defer e.done()
	return resource.Execution{
		MaxTotalCostUSD:         e.decimal("maxTotalCostUsd"),
		MaxWallClockSeconds:     e.whole("maxWallClockSeconds"),
		MaxIterations:           e.whole("maxIterations"),
		RequireStructuredOutput: e.flag("requireStructuredOutput"),
	}
}

func approvals(o *object) resource.Approvals {
	a := o.child("approvals")
	if a == nil {
		return resource.Approvals{}
	}
	defer a.done()
	return resource.Approvals{
		RequiredFor: a.texts("requiredFor"), RequireAllTools: a.flag("requireAllTools"), Permissive: a.flag("permissive"),
	}
}

func hitl(h *object) resource.Hitl {
	out := resource.Hitl{
		DescriptionPrefix: h.text("descriptionPrefix"), RedactKeys: h.texts("redactKeys"), ToolSwitchMap: switchTable(h, "toolSwitchMap"),
	}
	all := h.child("interruptOn")
	if all == nil {
		return out
	}
	out.InterruptOn = map[string]resource.Review{}
	for _, key := range all.keys {
		if n := all.get(key.Value); n == nil || n.Kind == yaml.ScalarNode {
			if on := all.flag(key.Value); on == nil || *on {
				out.InterruptOn[key.Value] = resource.Review{}
			}
			continue
		}
		if r := all.child(key.Value); r != nil {
			out.InterruptOn[key.Value] = review(r)
			r.done()
		}
	}
	return out
}

func review(r *object) resource.Review {
	return resource.Review{
		AllowedDecisions: r.texts("allowedDecisions"),
		Description:      r.text("description"),
		AllowedEditArgs:  r.texts("allowedEditArgs"),
		DeniedEditArgs:   r.texts("deniedEditArgs"),
		AllowedEditPaths: r.texts("allowedEditPaths"),
		DeniedEditPaths:  r.texts("deniedEditPaths"),
		AllowedEditTools: r.texts("allowedEditTools"),
		RedactKeys:       r.texts("redactKeys"),
		SwitchMap:        switchTable(r, "switchMap"),
	}
}

func switchTable(o *object, field string) map[string][]string {
	t := o.child(field)
	if t == nil {
		return nil
	}
	out := map[string][]string{}
	for _, key := range t.keys {
		out[key.Value] = t.texts(key.Value)
	}
	return out
}

func environment(name string, o *object) resource.Environment {
	out := resource.Environment{Name: name}
	over := o.child("overrides")
	if over == nil {
		return out
	}
	defer over.done()
	if agents := over.child("agents"); agents != nil {
		out.Agents = map[string]resource.AgentOverride{}
		for _, key := range agents.keys {
			if a := agents.child(key.Value); a != nil {
				out.Agents[key.Value] = resource.AgentOverride{Model: a.text("model"), Constraints: constraints(a)}
				a.done()
			}
		}
	}
	if policies := over.child("policies"); policies != nil {
		out.Policies = map[string]resource.Policy{}
		for _, key := range policies.keys {
			if p := policies.child(key.Value); p != nil {
				out.Policies[key.Value] = resource.Policy{Name: key.Value, Execution: execution(p), Approvals: approvals(p)}
				p.done()
			}
		}
	}
	return out
}
