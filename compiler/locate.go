package compiler

import (
	"strings"

	"terfyn/compiler/check"
	"terfyn/compiler/resource"
	"terfyn/compiler/source"
	"terfyn/compiler/syntax"
)

// locator finds the source of a resource's field, for rules over the graph.
type locator struct {
	project   *check.Project
	positions map[string]map[string]source.Span
}

// find gives the place of a field, its declaration's name for "" and zero when
// the place is not known; the caller then asks for the field around it.
func (l locator) find(kind resource.Kind, name, field string) source.Span {
	switch kind {
	case resource.KindAgent:
		if a := named(l.project.Agents, name, func(d *syntax.AgentDecl) syntax.Ident { return d.Name }); a != nil {
			return agentField(a, field)
		}
	case resource.KindTool:
		if t := named(l.project.Tools, name, func(d *syntax.ToolDecl) syntax.Ident { return d.Name }); t != nil {
			return toolField(t, field)
		}
	case resource.KindPolicy:
		if p := named(l.project.Policies, name, func(d *syntax.PolicyDecl) syntax.Ident { return d.Name }); p != nil {
			return policyField(p, field)
		}
	case resource.KindWorkflow:
		if w := named(l.project.Workflows, name, func(d *syntax.WorkflowDecl) syntax.Ident { return d.Name }); w != nil {
			return l.workflowField(w, field)
		}
	case resource.KindEnvironment:
		if e := named(l.project.Environments, name, func(d *syntax.EnvironmentDecl) syntax.Ident { return d.Name }); e != nil {
			return bodyField(e.Name, &e.Body, field)
		}
	case resource.KindModelProvider:
		if p := named(l.project.Providers, name, func(d *syntax.ProviderDecl) syntax.Ident { return d.Name }); p != nil {
			return bodyField(p.Name, &p.Body, field)
		}
	case resource.KindProject:
		return l.projectField(field)
	}
	return source.Span{}
}

// workflow is the place of a clause of a workflow, or of its name.
func (l locator) workflow(name, clause string) source.Span {
	return firstOf(l.find(resource.KindWorkflow, name, clause), l.find(resource.KindWorkflow, name, ""))
}

func named[D any](list []*D, name string, ident func(*D) syntax.Ident) *D {
	for _, d := range list {
		if ident(d).Name == name {
			return d
		}
	}
	return nil
}

// bodyField finds a field written directly in a body.
func bodyField(name syntax.Ident, b *syntax.Body, field string) source.Span {
	if field == "" {
		return name.At
	}
	return b.FieldAt(field)
}

func agentField(a *syntax.AgentDecl, field string) source.Span {
	if capability, ok := strings.CutPrefix(field, "grants."); ok {
		return capabilityAt(a.Grants, capability)
	}
	if inner, ok := strings.CutPrefix(field, "constraints."); ok && a.Constraints != nil {
		return a.Constraints.FieldAt(inner)
	}
	return bodyField(a.Name, &a.Body, field)
}

func toolField(t *syntax.ToolDecl, field string) source.Span {
	inner, ok := strings.CutPrefix(field, "operations.")
	if !ok || t.Operations == nil {
		return bodyField(t.Name, &t.Body, field)
	}
	for _, o := range t.Operations.Items {
		rest, ok := strings.CutPrefix(inner, o.Name.String())
		switch {
		case ok && rest == "":
			return o.Name.Span()
		case ok && rest[0] == '.':
			if at := o.FieldAt(rest[1:]); !at.IsZero() {
				return at
			}
		}
	}
	return source.Span{}
}

func policyField(p *syntax.PolicyDecl, field string) source.Span {
	if capability, ok := strings.CutPrefix(field, "approvals.requiredFor."); ok && p.Approvals != nil {
		return capabilityAt(p.Approvals.RequiredFor, capability)
	}
	if inner, ok := strings.CutPrefix(field, "approvals."); ok && p.Approvals != nil {
		return p.Approvals.FieldAt(inner)
	}
	if inner, ok := strings.CutPrefix(field, "effects."); ok && p.Effects != nil {
		return p.Effects.FieldAt(inner)
	}
	return bodyField(p.Name, &p.Body, field)
}

func capabilityAt(set *syntax.CapabilitySet, capability string) source.Span {
	if set == nil {
		return source.Span{}
	}
	for _, c := range set.Items {
		if c.String() == capability {
			return c.Span()
		}
	}
	return source.Span{}
}

func (l locator) workflowField(w *syntax.WorkflowDecl, field string) source.Span {
	if field == "" {
		return w.Name.At
	}
	if site, ok := strings.CutPrefix(field, "calls."); ok {
		return l.positions[w.Name.Name][site]
	}
	for _, c := range w.Clauses {
		if c.Word == field {
			return c.At
		}
	}
	return source.Span{}
}

func (l locator) projectField(field string) source.Span {
	word, inner, _ := strings.Cut(field, ".")
	switch {
	case word == "defaults" && l.project.Defaults != nil:
		return firstOf(l.project.Defaults.Body.FieldAt(inner), l.project.Defaults.At)
	case word == "limits" && l.project.Limits != nil:
		return firstOf(l.project.Limits.Limits.FieldAt(inner), l.project.Limits.At)
	}
	return source.Span{}
}

func firstOf(a, b source.Span) source.Span {
	if a.IsZero() {
		return b
	}
	return a
}
