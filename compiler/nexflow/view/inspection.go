package view

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"terfyn/compiler/nexflow/manifest"
	"terfyn/compiler/nexflow/refs"
)

// The greatest sizes of an inspection.
const (
	MaxResources  = 1000
	MaxReferences = 2000
)

// ErrLimit is given instead of a list with gaps.
var ErrLimit = errors.New("the set declares more than an inspection shows")

// selectedFields is the coverage of references in inspections and graphs.
const selectedFields = "selected-fields"

// Inspection is what a set declares, as written: nothing is resolved.
type Inspection struct {
	Mode               string      `json:"mode"`
	ReferencesResolved bool        `json:"referencesResolved"`
	ReferenceCoverage  string      `json:"referenceCoverage"`
	Project            Project     `json:"project"`
	Summary            []KindCount `json:"summary"`
	Resources          []Resource  `json:"resources"`
	References         []Reference `json:"references"`
}

// Project is where the set's project is declared.
type Project struct {
	ID   string `json:"id"`
	File string `json:"file"`
	Path string `json:"path"`
}

// KindCount is how many documents of a kind there are and what they declare.
type KindCount struct {
	Kind          manifest.Kind `json:"kind"`
	DocumentCount int           `json:"documentCount"`
	ResourceCount int           `json:"resourceCount"`
}

// Scope is the workflow that an id is unique in.
type Scope struct {
	Kind refs.Space `json:"kind"`
	ID   string     `json:"id"`
}

// Resource is a declaration with an identity. Scope is nil where the id is unique
// in the whole set.
type Resource struct {
	File  string     `json:"file"`
	Path  string     `json:"path"`
	Kind  refs.Space `json:"kind"`
	ID    string     `json:"id"`
	Scope *Scope     `json:"scope"`
}

// Reference is a value that refers to something; Kind and ID are those of the
// target as written, and may name nothing.
type Reference Resource

// resourceSpaces are the namespaces whose declarations are resources.
var resourceSpaces = []refs.Space{
	refs.Project, refs.ApprovalGate, refs.Actor, refs.Agent, refs.AgentDefinition, refs.Capability, refs.Permission,
	refs.Task, refs.Artifact, refs.Workflow, refs.WorkflowStage, refs.WorkflowStep, refs.Handoff, refs.ContextSource,
	refs.MemoryScope, refs.Provider, refs.ModelProfile, refs.PromptSet, refs.RetrievalProfile, refs.Event, refs.Extension,
}

// Inspect lists the resources and the selected references of a set. The error is
// ErrLimit.
func Inspect(x *refs.Index) (Inspection, error) {
	i := Inspection{
		Mode: "declared-only", ReferenceCoverage: selectedFields,
		Summary: []KindCount{}, Resources: []Resource{}, References: []Reference{},
	}
	if p := x.Set().Project(); p.Exists() {
		i.Project = Project{ID: manifest.Shown(p.Get("id").Text()), File: p.File(), Path: p.Path()}
	}
	declares, err := i.collect(x)
	if err != nil {
		return Inspection{}, err
	}
	for _, info := range manifest.Kinds() {
		if n := len(x.Set().Of(info.Kind)); n > 0 {
			i.Summary = append(i.Summary, KindCount{Kind: info.Kind, DocumentCount: n, ResourceCount: declares[info.Kind]})
		}
	}
	slices.SortFunc(i.Summary, func(a, b KindCount) int { return cmp.Compare(a.Kind, b.Kind) })
	slices.SortStableFunc(i.Resources, compareResources)
	slices.SortStableFunc(i.References, func(a, b Reference) int { return compareResources(Resource(a), Resource(b)) })
	return i, nil
}

// collect fills the lists and counts the resources of every kind of document.
func (i *Inspection) collect(x *refs.Index) (map[manifest.Kind]int, error) {
	declares := map[manifest.Kind]int{}
	for _, space := range resourceSpaces {
		for _, d := range x.All(space) {
			if len(i.Resources) == MaxResources {
				return nil, ErrLimit
			}
			declares[d.Node.Document().Kind]++
			i.Resources = append(i.Resources, resource(d.Node, space, d.ID, d.Scope))
		}
	}
	for r := range x.References {
		if !r.Row.Selected {
			continue
		}
		if len(i.References) == MaxReferences {
			return nil, ErrLimit
		}
		i.References = append(i.References, Reference(resource(r.Node, r.To, r.ID, r.Scope)))
	}
	return declares, nil
}

func resource(n manifest.Node, kind refs.Space, id, scope string) Resource {
	r := Resource{File: n.File(), Path: n.Path(), Kind: kind, ID: manifest.Shown(id)}
	if scope != "" {
		r.Scope = &Scope{Kind: refs.Workflow, ID: manifest.Shown(scope)}
	}
	return r
}

func compareResources(a, b Resource) int {
	return cmp.Or(
		strings.Compare(a.File, b.File), strings.Compare(a.Path, b.Path),
		strings.Compare(string(a.Kind), string(b.Kind)), strings.Compare(a.ID, b.ID),
	)
}
