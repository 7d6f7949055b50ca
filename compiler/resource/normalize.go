package resource

import (
	"cmp"
	"slices"
	"strings"

	"terfyn/internal/ordered"
)

// Normalize returns the one form of g that everything else reads: named things
// sorted by name, sets sorted and without repeats, steps in dependency order,
// defaults filled in where the author left a field out, and the reserved effect
// destructive turned into sideEffects. Values an author set are kept. g is not
// changed, and normalizing twice is the same as once.
func Normalize(g Graph) Graph {
	g.Agents = each(g.Agents, func(a Agent) Agent { return normalizeAgent(a, g.Defaults) })
	g.Tools = each(g.Tools, normalizeTool)
	g.Policies = each(g.Policies, normalizePolicy)
	g.Workflows = each(g.Workflows, func(w Workflow) Workflow { return normalizeWorkflow(w, g.Defaults) })
	g.Environments = each(g.Environments, normalizeEnvironment)
	g.Providers = each(g.Providers, func(p Provider) Provider { return p })
	byName(g.Agents, func(a Agent) string { return a.Name })
	byName(g.Tools, func(t Tool) string { return t.Name })
	byName(g.Policies, func(p Policy) string { return p.Name })
	byName(g.Workflows, func(w Workflow) string { return w.Name })
	byName(g.Environments, func(e Environment) string { return e.Name })
	byName(g.Providers, func(p Provider) string { return p.Name })
	return g
}

func normalizeAgent(a Agent, d Defaults) Agent {
	a.Model = cmp.Or(a.Model, d.Model)
	a.Policy = cmp.Or(a.Policy, d.Policy)
	a.Grants = set(a.Grants)
	a.GrantsPresent = a.GrantsPresent || len(a.Grants) > 0
	a.FallbackModels = list(a.FallbackModels)
	return a
}

func normalizeTool(t Tool) Tool {
	t.OperationsDeclared = t.OperationsDeclared || len(t.Operations) > 0
	t.Operations = each(t.Operations, func(o Operation) Operation {
		o.Effects = set(o.Effects)
		return o
	})
	byName(t.Operations, func(o Operation) string { return o.Name })
	if t.Safety.SideEffects == nil && slices.ContainsFunc(t.Operations, Operation.destructive) {
		yes := true
		t.Safety.SideEffects = &yes
	}
	t.MCP, t.HTTP = normalizeMCP(t.MCP), normalizeHTTP(t.HTTP)
	return t
}

func (o Operation) destructive() bool {
	return slices.ContainsFunc(o.Effects, func(e string) bool { return EffectCovers(Destructive, e) })
}

func normalizeMCP(m *MCP) *MCP {
	if m == nil {
		return nil
	}
	c := *m
	c.Args, c.Headers = list(c.Args), headers(c.Headers)
	return &c
}

func normalizeHTTP(h *HTTP) *HTTP {
	if h == nil {
		return nil
	}
	c := *h
	c.Headers = headers(c.Headers)
	return &c
}

func headers(hs []Header) []Header {
	hs = each(hs, func(h Header) Header { return h })
	byName(hs, func(h Header) string { return h.Name })
	return hs
}

func normalizePolicy(p Policy) Policy {
	p.Approvals.RequiredFor = set(p.Approvals.RequiredFor)
	p.Approvals.Approvers = set(p.Approvals.Approvers)
	p.Effects.Permit = set(p.Effects.Permit)
	p.Effects.PermitWithApproval = set(p.Effects.PermitWithApproval)
	p.Effects.Declared = p.Effects.Declared || len(p.Effects.Permit)+len(p.Effects.PermitWithApproval) > 0
	p.AllowHosts = set(p.AllowHosts)
	p.EgressDeclared = p.EgressDeclared || len(p.AllowHosts) > 0
	p.Hitl.RedactKeys = set(p.Hitl.RedactKeys)
	p.Hitl.ToolSwitchMap = entries(p.Hitl.ToolSwitchMap, set)
	p.Hitl.InterruptOn = entries(p.Hitl.InterruptOn, normalizeReview)
	return p
}

func normalizeReview(r Review) Review {
	r.AllowedDecisions = set(r.AllowedDecisions)
	r.AllowedEditArgs, r.DeniedEditArgs = set(r.AllowedEditArgs), set(r.DeniedEditArgs)
	r.AllowedEditPaths, r.DeniedEditPaths = set(r.AllowedEditPaths), set(r.DeniedEditPaths)
	r.AllowedEditTools, r.RedactKeys = set(r.AllowedEditTools), set(r.RedactKeys)
	r.SwitchMap = entries(r.SwitchMap, set)
	return r
}

func normalizeWorkflow(w Workflow, d Defaults) Workflow {
	w.Policy = cmp.Or(w.Policy, d.Policy)
	w.Params = list(w.Params)
	w.Effects = set(w.Effects)
	w.EffectsBound = w.EffectsBound || len(w.Effects) > 0
	w.Triggers = list(w.Triggers)
	slices.SortStableFunc(w.Triggers, compareTriggers)
	w.Calls = list(w.Calls)
	slices.SortFunc(w.Calls, compareReferences)
	w.Calls = slices.Compact(w.Calls)
	w.Steps = normalizeSteps(w.Steps)
	return w
}

func compareTriggers(a, b Trigger) int {
	return cmp.Or(
		strings.Compare(a.Kind, b.Kind), strings.Compare(a.Event, b.Event), strings.Compare(a.Cron, b.Cron),
		strings.Compare(a.Timezone, b.Timezone), strings.Compare(a.Overlap, b.Overlap),
		strings.Compare(a.Dedupe, b.Dedupe), strings.Compare(a.Input, b.Input))
}

func compareReferences(a, b Reference) int {
	return cmp.Or(strings.Compare(a.Kind, b.Kind), strings.Compare(a.Name, b.Name), strings.Compare(a.Site, b.Site))
}

func normalizeEnvironment(e Environment) Environment {
	e.Agents = entries(e.Agents, func(o AgentOverride) AgentOverride { return o })
	e.Policies = entries(e.Policies, normalizePolicy)
	e.Tools = entries(e.Tools, func(o ToolOverride) ToolOverride {
		o.MCP, o.HTTP = normalizeMCP(o.MCP), normalizeHTTP(o.HTTP)
		return o
	})
	e.Approvers = entries(e.Approvers, func(s string) string { return s })
	e.Groups = entries(e.Groups, set)
	return e
}

// set sorts and removes repeats; an empty set is nil. The input is not changed.
func set(in []string) []string {
	out := list(in)
	slices.Sort(out)
	return slices.Compact(out)
}

// list copies; an empty list is nil, so that reading back what was written
// yields an equal graph.
func list[T any](in []T) []T {
	if len(in) == 0 {
		return nil
	}
	return slices.Clone(in)
}

func each[T any](in []T, f func(T) T) []T {
	out := list(in)
	for i := range out {
		out[i] = f(out[i])
	}
	return out
}

func entries[V any](in map[string]V, f func(V) V) map[string]V {
	if len(in) == 0 {
		return nil
	}
	out := make(map[string]V, len(in))
	for _, k := range ordered.Keys(in) {
		out[k] = f(in[k])
	}
	return out
}

func byName[T any](in []T, name func(T) string) {
	slices.SortStableFunc(in, func(a, b T) int { return strings.Compare(name(a), name(b)) })
}
