package resource

import (
	"cmp"
	"slices"
	"strings"

	"terfyn/internal/canon"
)

// Kind names a kind of resource.
type Kind string

// The kinds, as exports and plans show them.
const (
	KindAgent         Kind = "Agent"
	KindEnvironment   Kind = "Environment"
	KindModelProvider Kind = "ModelProvider"
	KindPolicy        Kind = "Policy"
	KindProject       Kind = "Project"
	KindTool          Kind = "Tool"
	KindWorkflow      Kind = "Workflow"
)

// Resource is one resource as plan and state compare it.
type Resource struct {
	Kind Kind
	Name string
	// Spec is the whole resource, its name included. A workflow's holds its
	// projection and the digest of its program, so either changes its hash.
	Spec canon.Value
	// Hash is over kind, name and spec.
	Hash canon.Digest
}

// Resources lists the resources of the normalized graph by kind, then name. The
// project itself is one; it carries defaults and limits.
func Resources(g Graph) []Resource {
	g = Normalize(g)
	out := []Resource{newResource(KindProject, g.Project, value(Graph{Project: g.Project, Defaults: g.Defaults, Limits: g.Limits}))}
	for _, a := range g.Agents {
		out = append(out, newResource(KindAgent, a.Name, value(a)))
	}
	for _, t := range g.Tools {
		out = append(out, newResource(KindTool, t.Name, value(t)))
	}
	for _, p := range g.Policies {
		out = append(out, newResource(KindPolicy, p.Name, value(p)))
	}
	for _, w := range g.Workflows {
		out = append(out, newResource(KindWorkflow, w.Name, value(w)))
	}
	for _, e := range g.Environments {
		out = append(out, newResource(KindEnvironment, e.Name, value(e)))
	}
	for _, p := range g.Providers {
		out = append(out, newResource(KindModelProvider, p.Name, value(p)))
	}
	slices.SortStableFunc(out, func(a, b Resource) int {
		return cmp.Or(strings.Compare(string(a.Kind), string(b.Kind)), strings.Compare(a.Name, b.Name))
	})
	return out
}

func newResource(kind Kind, name string, spec canon.Value) Resource {
	identity := canon.Object(canon.F("kind", canon.String(string(kind))), canon.F("name", canon.String(name)), canon.F("spec", spec))
	return Resource{Kind: kind, Name: name, Spec: spec, Hash: identity.Digest()}
}
