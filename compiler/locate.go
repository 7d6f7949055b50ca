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
	project      *check.Project
	positions    map[string]map[string]source.Span
	agents       map[string]*syntax.AgentDecl
	tools        map[string]*syntax.ToolDecl
	policies     map[string]*syntax.PolicyDecl
	workflows    map[string]*syntax.WorkflowDecl
	environments map[string]*syntax.EnvironmentDecl
	providers    map[string]*syntax.ProviderDecl
}

func newLocator(p *check.Project, positions map[string]map[string]source.Span) *locator {
	return &locator{
		project: p, positions: positions,
		agents:       named(p.Agents, func(d *syntax.AgentDecl) syntax.Ident { return d.Name }),
		tools:        named(p.Tools, func(d *syntax.ToolDecl) syntax.Ident { return d.Name }),
		policies:     named(p.Policies, func(d *syntax.PolicyDecl) syntax.Ident { return d.Name }),
		workflows:    named(p.Workflows, func(d *syntax.WorkflowDecl) syntax.Ident { return d.Name }),
		environments: named(p.Environments, func(d *syntax.EnvironmentDecl) syntax.Ident { return d.Name }),
		providers:    named(p.Providers, func(d *syntax.ProviderDecl) syntax.Ident { return d.Name }),
	}
}

// find gives the place of a field, its declaration's name for "" and zero when
// the place is not known; the caller then asks for the field around it.
func (l *locator) find(kind resource.Kind, name, field string) source.Span {
	switch kind {
	case resource.KindAgent:
		if a := l.agents[name]; a != nil {
			return agentField(a, field)
		}
	case resource.KindTool:
		if t := l.tools[name]; t != nil {
			return toolField(t, field)
		}
	case resource.KindPolicy:
		if p := l.policies[name]; p != nil {
			return policyField(p, field)
		}
	case resource.KindWorkflow:
		if w := l.workflows[name]; w != nil {
			return l.workflowField(w, field)
		}
	case resource.KindEnvironment:
		if e := l.environments[name]; e != nil {
			return environmentField(e, field)
		}
	case resource.KindModelProvider:
		if p := l.providers[name]; p != nil {
			return bodyField(p.Name, &p.Body, field)
		}
	case resource.KindProject:
		return l.projectField(field)
	}
	return source.Span{}
}

// named indexes declarations; of two with one name the first counts.
func named[D any](list []*D, ident func(*D) syntax.Ident) map[string]*D {
	out := make(map[string]*D, len(list))
	for _, d := range list {
		if name := ident(d).Name; out[name] == nil {
			out[name] = d
		}
	}
	return out
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

// environmentField also finds an override by its group and the name of its target,
// with a field of it behind.
func environmentField(e *syntax.EnvironmentDecl, field string) source.Span {
	group, inner, _ := strings.Cut(field, ".")
	name, inner, _ := strings.Cut(inner, ".")
	if o := e.Overrides; o != nil && name != "" {
		switch {
		case group == "agents" && o.Agents != nil:
			for _, a := range o.Agents.Items {
				if a.Name.Name == name {
					return overrideField(a.Name, &a.Body, inner)
				}
			}
		case group == "policies" && o.Policies != nil:
			for _, p := range o.Policies.Items {
				if p.Name.Name == name {
					return overrideField(p.Name, &p.Body, inner)
				}
			}
		case group == "tools" && o.Tools != nil:
			for _, t := range o.Tools.Items {
				if t.Name.Name == name {
					return overrideField(t.Name, &t.Body, inner)
				}
			}
		}
	}
	return bodyField(e.Name, &e.Body, field)
}

// overrideField finds a field of an override, else the override itself.
func overrideField(name syntax.Ident, b *syntax.Body, field string) source.Span {
	word, _, _ := strings.Cut(field, ".")
	return firstOf(b.FieldAt(word), name.At)
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

func (l *locator) workflowField(w *syntax.WorkflowDecl, field string) source.Span {
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

func (l *locator) projectField(field string) source.Span {
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
