package validate

import (
	"slices"
	"strings"

	"terfyn/compiler/diag"
	"terfyn/compiler/resource"
	"terfyn/compiler/source"
	"terfyn/internal/ordered"
)

// Locator finds the source of a field. kind and name are those of a resource
// (the project itself is kind Project); field is a dotted path in it, such as
// "model", "grants.tool.git.push", "operations.issue.read.schema",
// "approvals.requiredFor.tool.git.push", or "" for the resource. A zero span
// means the place is not known; the enclosing field is then asked for.
type Locator func(kind resource.Kind, name, field string) source.Span

// Graph checks g. schemas holds the bytes of the schema documents by
// project-relative path; at may be nil. g is taken as it was built, before
// normalization, so that repeats are still visible. The list is sorted.
// compiled lists paths of schemas that are known to compile.
func Graph(g resource.Graph, schemas map[string][]byte, at Locator, compiled ...string) diag.List {
	v := &validator{raw: g, g: resource.Normalize(g), bytes: schemas, at: at, compiled: map[string]bool{}, unreachable: map[string]bool{}}
	for _, path := range compiled {
		v.compiled[path] = true
	}
	v.duplicates()
	v.project()
	for _, p := range v.g.Providers {
		v.provider(p)
	}
	for _, t := range v.g.Tools {
		v.tool(t)
	}
	for _, p := range sortedByName(v.raw.Policies, func(p resource.Policy) string { return p.Name }) {
		v.policy(p)
	}
	for _, a := range v.g.Agents {
		v.agent(a)
	}
	for _, w := range v.g.Workflows {
		v.workflow(w)
	}
	v.nesting()
	for _, e := range sortedByName(v.raw.Environments, func(e resource.Environment) string { return e.Name }) {
		v.environment(e)
	}
	v.diags.Sort()
	return v.diags
}

type validator struct {
	raw      resource.Graph
	g        resource.Graph // normalized
	bytes    map[string][]byte
	compiled map[string]bool // schema documents already tried
	// unreachable marks tools whose transport is already complained about.
	unreachable map[string]bool
	at          Locator
	diags       diag.List
}

// place names a field of a resource.
type place struct {
	kind  resource.Kind
	name  string
	field string
}

// in gives the place of a field below p. Empty segments are skipped.
func (p place) in(segments ...string) place {
	for _, s := range segments {
		if p.field != "" && s != "" {
			p.field += "."
		}
		p.field += s
	}
	return p
}

// String words a place for messages.
func (p place) String() string {
	kind := strings.ToLower(string(p.kind))
	if p.kind == resource.KindModelProvider {
		kind = "provider"
	}
	if p.kind == resource.KindProject {
		kind = "the project"
	} else {
		kind += " " + p.name
	}
	return kind
}

// span asks for the smallest known place around p.
func (v *validator) span(p place) source.Span {
	if v.at == nil {
		return source.Span{}
	}
	for field := p.field; ; {
		if s := v.at(p.kind, p.name, field); !s.IsZero() || field == "" {
			return s
		}
		field = field[:max(0, strings.LastIndexByte(field, '.'))]
	}
}

func (v *validator) errorf(code diag.Code, p place, format string, args ...any) {
	v.diags.Add(diag.Errorf(code, v.span(p), format, args...))
}

func (v *validator) warnf(code diag.Code, p place, format string, args ...any) {
	v.diags.Add(diag.Warnf(code, v.span(p), format, args...))
}

// duplicates checks that names are unique per kind and that no agent and
// workflow share one, since a call could not tell them apart.
func (v *validator) duplicates() {
	counts := map[place]int{}
	names := func(kind resource.Kind, all []string) {
		for _, n := range all {
			p := place{kind: kind, name: n}
			if counts[p]++; counts[p] == 2 {
				v.duplicate(p)
			}
		}
	}
	names(resource.KindAgent, nameAll(v.raw.Agents, func(a resource.Agent) string { return a.Name }))
	names(resource.KindTool, nameAll(v.raw.Tools, func(t resource.Tool) string { return t.Name }))
	names(resource.KindPolicy, nameAll(v.raw.Policies, func(p resource.Policy) string { return p.Name }))
	names(resource.KindWorkflow, nameAll(v.raw.Workflows, func(w resource.Workflow) string { return w.Name }))
	names(resource.KindEnvironment, nameAll(v.raw.Environments, func(e resource.Environment) string { return e.Name }))
	names(resource.KindModelProvider, nameAll(v.raw.Providers, func(p resource.Provider) string { return p.Name }))
	for _, w := range v.g.Workflows {
		if counts[place{kind: resource.KindAgent, name: w.Name}] > 0 {
			v.nameClash(w.Name)
		}
	}
}

// sortedByName orders resources whose sets keep their repeats.
func sortedByName[T any](all []T, name func(T) string) []T {
	out := slices.Clone(all)
	slices.SortStableFunc(out, func(a, b T) int { return strings.Compare(name(a), name(b)) })
	return out
}

func nameAll[T any](all []T, name func(T) string) []string {
	out := make([]string, len(all))
	for i, r := range all {
		out[i] = name(r)
	}
	return out
}

func (v *validator) project() {
	p := place{kind: resource.KindProject, name: v.g.Project}
	v.policyReference(p.in("defaults.policy"), v.g.Defaults.Policy)
	v.model(p.in("defaults.model"), v.g.Defaults.Model)
	v.choice(p.in("defaults.runtime"), "runtime", v.g.Defaults.Runtime, "local", "claude-code", "gemini")
	v.limits(p.in("limits"), v.g.Limits)
}

func (v *validator) limits(p place, l resource.Limits) {
	sizes := map[string]int64{
		"maxToolInputBytes": l.MaxToolInputBytes, "maxToolOutputBytes": l.MaxToolOutputBytes, "maxCheckpointBytes": l.MaxCheckpointBytes,
		"maxStateBytes": l.MaxStateBytes, "maxWorkflowNesting": l.MaxWorkflowNesting, "maxLoopIterations": l.MaxLoopIterations,
	}
	for _, field := range ordered.Keys(sizes) {
		v.atLeast(p.in(field), field, sizes[field], 0)
	}
	words := map[string]resource.Exceed{"toolInputExceedPolicy": l.ToolInputExceedPolicy, "toolOutputExceedPolicy": l.ToolOutputExceedPolicy}
	for _, field := range ordered.Keys(words) {
		v.choice(p.in(field), field, string(words[field]), "truncate", "fail")
	}
	if l.CheckpointExceedPolicy == resource.Truncate {
		v.checkpointTruncate(p.in("checkpointExceedPolicy"))
		return
	}
	v.choice(p.in("checkpointExceedPolicy"), "checkpointExceedPolicy", string(l.CheckpointExceedPolicy), "fail")
}
