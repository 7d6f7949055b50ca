package cli

import (
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"terfyn/cmd/internal/render"
	"terfyn/compiler/diag"
	"terfyn/compiler/effects"
	"terfyn/compiler/resource"
	"terfyn/internal/canon"
	"terfyn/planner/derived"
	"terfyn/planner/diff"
)

func newInspect(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "inspect [KIND/NAME]",
		Short: "Show one resource as it applies, and what follows from it; without one, list them",
		Long: `Show one resource as it applies, after defaults and the environment's overlay, and
what follows from it: the tool names a model sees, the policy with its preset, what
stops for a person, the effects that can be reached. Without KIND/NAME it lists all
resources. Kinds are Agent, Environment, ModelProvider (or provider), Policy, Project,
Tool and Workflow, in upper or lower case.`,
		Args:              arguments(0, 1, "a resource, such as agent/assistant"),
		ValidArgsFunction: a.completeResources,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return a.inspectAll()
			}
			kind, name, err := target(args[0])
			if err != nil {
				return err
			}
			return a.inspect(kind, name)
		},
	}
}

// inspected is the project with its resources as they apply.
type inspected struct {
	in, declared derived.In // overlaid, and as it is declared
	list         []resource.Resource
}

func (a *app) inspected() (inspected, error) {
	project, err := a.checked(false)
	if err != nil {
		return inspected{}, err
	}
	c, err := a.overlaid(project)
	if err != nil {
		return inspected{}, err
	}
	out := inspected{
		in:       derived.In{Graph: c.Graph, Programs: c.Programs, Bounds: effects.Compute(c.Graph)},
		declared: derived.In{Graph: project.Graph, Programs: project.Programs, Bounds: project.Bounds},
	}
	// Environments come from the declared graph: an overlay leaves the others out.
	out.list = slices.DeleteFunc(resource.Resources(c.Graph), isEnvironment)
	for _, r := range resource.Resources(project.Graph) {
		if isEnvironment(r) {
			out.list = append(out.list, r)
		}
	}
	return out, nil
}

func (a *app) inspectAll() error {
	all, err := a.inspected()
	if err != nil {
		return err
	}
	rows, shown := [][]string{}, make([]canon.Value, len(all.list))
	for i, r := range all.list {
		rows = append(rows, []string{string(r.Kind), r.Name, r.Hash.Short()})
		shown[i] = canon.Object(str("kind", string(r.Kind)), str("name", r.Name), str("specHash", string(r.Hash)))
	}
	return a.show(func(w io.Writer) { render.Table(w, []string{"KIND", "NAME", "HASH"}, rows) },
		str("environment", a.environment()), canon.F("resources", canon.List(shown...)))
}

func (a *app) inspect(kind, name string) error {
	all, err := a.inspected()
	if err != nil {
		return err
	}
	for _, r := range all.list {
		if !isKind(string(r.Kind), kind) || r.Name != name {
			continue
		}
		in := all.in
		if isEnvironment(r) {
			in = all.declared
		}
		more, err := derived.Of(in, r.Kind, r.Name)
		if err != nil {
			return err
		}
		return a.showResource(string(r.Kind), r.Name, r.Hash, r.Spec, canon.F("derived", diff.Mask(more)))
	}
	if p, ok := all.in.Graph.ResolvePolicy(name); ok && isKind(string(resource.KindPolicy), kind) {
		return a.inspectPreset(all.in, p)
	}
	return noResource(all.list, kind, name)
}

// inspectPreset shows a built-in policy, which no project declares.
func (a *app) inspectPreset(in derived.In, p resource.Policy) error {
	g := resource.Graph{Policies: []resource.Policy{p}}
	more, err := derived.Of(in, resource.KindPolicy, p.Name)
	if err != nil {
		return err
	}
	for _, r := range resource.Resources(g) {
		if r.Kind == resource.KindPolicy {
			return a.showResource(string(r.Kind), r.Name, r.Hash, r.Spec, canon.F("derived", more))
		}
	}
	return nil
}

func isEnvironment(r resource.Resource) bool { return r.Kind == resource.KindEnvironment }

// isKind compares the kind of a resource with a written one: without case, and a
// provider is written as in the language, too.
func isKind(kind, written string) bool {
	return strings.EqualFold(kind, written) || (kind == string(resource.KindModelProvider) && strings.EqualFold(written, "provider"))
}

// meant is the start of a message that offers the near one of candidates.
func meant(name string, candidates []string) string {
	if near := diag.Near(name, candidates); near != "" {
		return "did you mean " + near + "? "
	}
	return ""
}

// meantResource offers the resource that was likely meant, of those that all lists as
// KIND/NAME: a near name of the same kind, or the same name of another one.
func meantResource(kind, name string, all []string) string {
	var names []string
	shown, other := kind, ""
	for _, r := range all {
		k, n, _ := strings.Cut(r, "/")
		switch {
		case isKind(k, kind):
			shown, names = k, append(names, n)
		case n == name && other == "":
			other = r
		}
	}
	if near := diag.Near(name, names); near != "" {
		other = shown + "/" + near
	}
	if other == "" {
		return ""
	}
	return "did you mean " + other + "? "
}

// noResource says what there is instead.
func noResource(list []resource.Resource, kind, name string) error {
	var kinds, all, names []string
	for _, r := range list {
		if !slices.Contains(kinds, string(r.Kind)) {
			kinds = append(kinds, string(r.Kind))
		}
		all = append(all, string(r.Kind)+"/"+r.Name)
		if isKind(string(r.Kind), kind) {
			names = append(names, r.Name)
		}
	}
	near := meantResource(kind, name, all)
	if len(names) == 0 {
		return usagef("the project has no resource %s/%s; %sit has no %s, but the kinds %s", kind, name, near, kind, strings.Join(kinds, ", "))
	}
	return usagef("the project has no resource %s/%s; %sits names of this kind are %s", kind, name, near, strings.Join(names, ", "))
}

// showResource prints the envelope of a resource; secrets written as literals are
// masked. more stands beside it in documents, and what is called derived also for
// people.
func (a *app) showResource(kind, name string, hash canon.Digest, spec canon.Value, more ...canon.Field) error {
	envelope := canon.Object(
		str("apiVersion", resource.APIVersion), str("kind", kind),
		canon.F("metadata", canon.Object(str("name", name))), canon.F("spec", diff.Mask(spec).Without("name")),
	)
	payload := append([]canon.Field{
		canon.F("resource", envelope), str("environment", a.environment()), str("specHash", string(hash)),
	}, more...)
	var failed error
	err := a.show(func(w io.Writer) {
		failed = render.YAML(w, envelope)
		for _, f := range more {
			if f.Name == "derived" && failed == nil {
				say(w, "\n%s", a.palette(w).Strong("# What follows from it"))
				failed = render.YAML(w, render.ShortWitness(f.Value))
			}
		}
	}, payload...)
	if err == nil {
		err = failed
	}
	return err
}
