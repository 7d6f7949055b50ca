package lower

import (
	"slices"

	"terfyn/compiler/check"
	"terfyn/compiler/diag"
	"terfyn/compiler/source"
	"terfyn/compiler/syntax"
)

// refusal is one construct that is not lowered. find calls report for every
// place where the construct stands.
type refusal struct {
	construct string
	find      func(p *check.Project, report func(source.Span))
}

// refusals is the whole list: a construct becomes supported by removing its row.
var refusals = []refusal{
	{"parallel { }", statements(func(s *syntax.ParallelStmt) bool { return true })},
	{"for", statements(func(s *syntax.ForStmt) bool { return !s.Parallel })},
	{"parallel for", statements(func(s *syntax.ForStmt) bool { return s.Parallel })},
	{"retry until", statements(func(s *syntax.RetryStmt) bool { return true })},
	{"a call of a workflow", workflowCalls},
	{"a tool of type mcp", tools(func(t *syntax.ToolDecl) syntax.Node { return typeIs(t, "mcp") })},
	{"a tool of type temporal", tools(func(t *syntax.ToolDecl) syntax.Node { return typeIs(t, "temporal") })},
	{"exclusive", tools(func(t *syntax.ToolDecl) syntax.Node { return present(t.Exclusive) })},
	{"a grant of an agent or workflow", delegations},
	{"mayEscalate", agents(func(a *syntax.AgentDecl) syntax.Node { return present(a.MayEscalate) })},
	{"workingTree", agents(func(a *syntax.AgentDecl) syntax.Node { return present(a.WorkingTree) })},
	{"fallbackModels", agents(func(a *syntax.AgentDecl) syntax.Node { return present(a.FallbackModels) })},
	{"workingTree", workflows(func(w *syntax.WorkflowDecl) syntax.Node { return present(w.WorkingTree) })},
	{"trigger", triggers},
	{"approvals.signed", approvals(func(a *syntax.Approvals) syntax.Node { return present(a.Signed) })},
	{"egress", policies(func(p *syntax.PolicyDecl) syntax.Node { return present(p.Egress) })},
	{"requireEvidence", policies(func(p *syntax.PolicyDecl) syntax.Node { return present(p.RequireEvidence) })},
	{"hitl.toolSwitchMap", hitl(func(h *syntax.HITL) syntax.Node { return present(h.ToolSwitchMap) })},
	{"switchMap", reviews(func(r *syntax.Review) syntax.Node { return present(r.SwitchMap) })},
	{"allowedEditTools", reviews(func(r *syntax.Review) syntax.Node { return present(r.AllowedEditTools) })},
	{"the decision switch", reviews(func(r *syntax.Review) syntax.Node { return word(r.AllowedDecisions, "switch") })},
	{"outputSchema", operations(func(o *syntax.Operation) syntax.Node { return present(o.OutputSchema) })},
	{"delivered", operations(func(o *syntax.Operation) syntax.Node { return present(o.Delivered) })},
	{"an override of approvals other than requiredFor", environments(otherApprovals)},
	{"defaults.runtime", runtimes},
	{"overrides of tools", environments(func(e *syntax.EnvironmentDecl) syntax.Node { return toolOverrides(e) })},
	{"runtime of an environment", environments(func(e *syntax.EnvironmentDecl) syntax.Node { return present(e.Runtime) })},
	{"a model of this provider", unsupportedModels},
}

// speakers are the built-in providers whose models can be called.
var speakers = []string{"gemini", "grok", "kimi", "mock", "openai"}

// declaredSpeakers are the types a declared provider of callable models has.
var declaredSpeakers = []string{"openai"}

// Unsupported reports every construct of the project that this build does not
// lower. The list is sorted.
func Unsupported(p *check.Project) diag.List {
	var out diag.List
	for _, r := range refusals {
		r.find(p, func(at source.Span) {
			out.Add(diag.Errorf(diag.NotSupported, at, "%s is not supported yet; remove it to use this version of terfyn", r.construct))
		})
	}
	out.Sort()
	return out
}

func unsupportedModels(p *check.Project, report func(source.Span)) {
	declared := map[string]string{}
	for _, d := range p.Providers {
		if d.Type != nil {
			declared[d.Name.Name] = d.Type.Name
		}
	}
	look := func(m *syntax.ModelRef) {
		if m == nil {
			return
		}
		kind, alias := declared[m.Provider.Name]
		if alias && !slices.Contains(declaredSpeakers, kind) || !alias && !slices.Contains(speakers, m.Provider.Name) {
			report(m.Span())
		}
	}
	if p.Defaults != nil {
		look(p.Defaults.Model)
	}
	for _, a := range p.Agents {
		look(a.Model)
	}
	for _, e := range p.Environments {
		if e.Overrides != nil && e.Overrides.Agents != nil {
			for _, a := range e.Overrides.Agents.Items {
				look(a.Model)
			}
		}
	}
}

func workflowCalls(p *check.Project, report func(source.Span)) {
	for call, meaning := range p.Calls {
		if meaning.Kind == check.WorkflowCallee {
			report(call.Span()) // the list is sorted afterwards
		}
	}
}

func delegations(p *check.Project, report func(source.Span)) {
	for _, a := range p.Agents {
		if a.Grants == nil {
			continue
		}
		for _, g := range a.Grants.Items {
			if g.Kind != syntax.ToolCapability {
				report(g.Span())
			}
		}
	}
}

func triggers(p *check.Project, report func(source.Span)) {
	for _, w := range p.Workflows {
		for _, t := range w.Triggers {
			report(t.At)
		}
	}
}
