package lint

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"terfyn/compiler/diag"
	"terfyn/compiler/effects"
	"terfyn/compiler/resource"
	"terfyn/compiler/source"
	"terfyn/policy"
)

// Severity grades a finding by what it can cost.
type Severity string

// The severities.
const (
	High   Severity = "high"   // more happens without a person than the policy seems to allow
	Medium Severity = "medium" // a rule does less than it seems to do
	Low    Severity = "low"    // a rule without use
)

// Finding is one piece of advice.
type Finding struct {
	Code     diag.Code
	Severity Severity
	Policy   string
	At       source.Span // zero where the place is not known
	Message  string      // what was found and what to do
}

// Diagnostic is the finding as a warning with its place.
func (f Finding) Diagnostic() diag.Diagnostic { return diag.Warnf(f.Code, f.At, "%s", f.Message) }

// In is a project as it applies to one environment.
type In struct {
	Graph  resource.Graph // normalized, overlay applied
	Bounds effects.Bounds // of Graph
	// Environment is where the project applies; its groups say who may decide.
	Environment string
	// Locate gives the place of a field as for compiler/validate; nil knows none.
	Locate func(kind resource.Kind, name, field string) source.Span
}

// Policies lists the advice about every declared policy, by policy, place and code.
func Policies(in In) []Finding {
	l := &linter{In: in, declared: declaredEffects(in.Graph), governed: map[string][]reach{}, named: map[string][]string{}, reaching: map[string]string{}}
	l.index()
	for _, p := range in.Graph.Policies {
		l.policy(p)
	}
	slices.SortStableFunc(l.findings, func(a, b Finding) int {
		return cmp.Or(strings.Compare(a.Policy, b.Policy), order(a.At, b.At), strings.Compare(string(a.Code), string(b.Code)), strings.Compare(a.Message, b.Message))
	})
	return l.findings
}

// HasHigh reports whether a finding has the severity high.
func HasHigh(fs []Finding) bool {
	return slices.ContainsFunc(fs, func(f Finding) bool { return f.Severity == High })
}

func order(a, b source.Span) int {
	switch {
	case a.Before(b):
		return -1
	case b.Before(a):
		return 1
	}
	return 0
}

type linter struct {
	In
	declared []string            // effects of all operations
	governed map[string][]reach  // workflows by the policy that governs them
	named    map[string][]string // agents by the policy they name
	reaching map[string]string   // the first workflow that reaches a capability
	findings []Finding
}

// index looks once at what all policies are asked about.
func (l *linter) index() {
	for _, w := range l.Graph.Workflows {
		b, _ := l.Bounds.Workflow(w.Name)
		if g, safe, ok := l.Graph.GoverningPolicy(w); ok && !safe {
			l.governed[g.Name] = append(l.governed[g.Name], reach{w, b})
		}
		for _, o := range b.Operations {
			if l.reaching[o.Capability] == "" {
				l.reaching[o.Capability] = w.Name
			}
		}
	}
	for _, a := range l.Graph.Agents {
		l.named[a.Policy] = append(l.named[a.Policy], a.Name)
	}
}

func declaredEffects(g resource.Graph) []string {
	var out []string
	for _, t := range g.Tools {
		for _, o := range t.Operations {
			out = append(out, o.Effects...)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// subject is a policy with what runs under it.
type subject struct {
	declared resource.Policy // as written
	rules    resource.Policy // resolved over its preset
	governed []reach         // workflows it governs
	agents   []string        // agents that name it
}

// reach is a governed workflow and its bound.
type reach struct {
	resource.Workflow
	bound effects.Bound
}

func (l *linter) policy(p resource.Policy) {
	rules, ok := l.Graph.ResolvePolicy(p.Name)
	if !ok {
		return // an unknown preset is reported by validation
	}
	s := subject{declared: p, rules: rules, governed: l.governed[p.Name], agents: l.named[p.Name]}
	l.unused(s)
	l.permissive(s)
	l.preset(s)
	l.permits(s)
	l.requiredFor(s)
	l.deciders(s)
	l.approvers(s)
	l.waiting(s)
	l.hosts(s)
	l.budget(s)
	l.reviews(s)
	l.clauses(s)
}

// add places a finding at the smallest known place around a field of the policy.
func (l *linter) add(code diag.Code, severity Severity, p resource.Policy, field, format string, args ...any) {
	l.addAt(code, severity, p, l.place(resource.KindPolicy, p.Name, field), format, args...)
}

func (l *linter) addAt(code diag.Code, severity Severity, p resource.Policy, at source.Span, format string, args ...any) {
	l.findings = append(l.findings, Finding{code, severity, p.Name, at, fmt.Sprintf(format, args...)})
}

func (l *linter) place(kind resource.Kind, name, field string) source.Span {
	if l.Locate == nil {
		return source.Span{}
	}
	for {
		if at := l.Locate(kind, name, field); !at.IsZero() || field == "" {
			return at
		}
		field = field[:max(0, strings.LastIndexByte(field, '.'))]
	}
}

// judge asks policy about an operation of a workflow's bound. The caller is the
// agent the witness ends at, as far as there is one; arguments are not known.
func (l *linter) judge(w reach, o effects.Operation) (policy.Call, policy.Answer) {
	tool, operation, _ := resource.SplitCapability(o.Capability)
	c := policy.Call{Workflow: w.Name, Tool: tool, Operation: operation}
	if n := len(o.Witness); n >= 2 && o.Witness[n-2].Kind == effects.HopAgent {
		c.Agent = o.Witness[n-2].Name
	}
	return c, policy.Evaluate(&l.Graph, c)
}
