package cli

import (
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"terfyn/cmd/internal/render"
	"terfyn/compiler/check"
	"terfyn/compiler/resource"
	"terfyn/internal/canon"
	"terfyn/planner/diff"
)

func newInspect(a *app) *cobra.Command {
	return &cobra.Command{
		Use:               "inspect KIND/NAME",
		Short:             "Show one resource as it applies: after defaults and the environment's overlay",
		Args:              arguments(1, 1, "a resource, such as agent/assistant"),
		ValidArgsFunction: a.completeResources,
		RunE: func(_ *cobra.Command, args []string) error {
			kind, name, err := target(args[0])
			if err != nil {
				return err
			}
			return a.inspect(kind, name)
		},
	}
}

func (a *app) inspect(kind, name string) error {
	project, err := a.checked(false)
	if err != nil {
		return err
	}
	c, err := a.overlaid(project)
	if err != nil {
		return err
	}
	// Environments come from the declared graph: an overlay leaves the others out.
	list := slices.DeleteFunc(resource.Resources(c.Graph), isEnvironment)
	for _, r := range resource.Resources(project.Graph) {
		if isEnvironment(r) {
			list = append(list, r)
		}
	}
	for _, r := range list {
		if strings.EqualFold(string(r.Kind), kind) && r.Name == name {
			return a.showResource(string(r.Kind), r.Name, r.Hash, r.Spec)
		}
	}
	return noResource(list, kind, name)
}

func isEnvironment(r resource.Resource) bool { return r.Kind == resource.KindEnvironment }

// noResource says what there is instead.
func noResource(list []resource.Resource, kind, name string) error {
	var kinds, all, names []string
	for _, r := range list {
		if !slices.Contains(kinds, string(r.Kind)) {
			kinds = append(kinds, string(r.Kind))
		}
		all = append(all, string(r.Kind)+"/"+r.Name)
		if strings.EqualFold(string(r.Kind), kind) {
			names = append(names, r.Name)
		}
	}
	near := ""
	if other := check.Near(kind+"/"+name, all); other != "" {
		near = "did you mean " + other + "? "
	}
	if len(names) == 0 {
		return usagef("the project has no resource %s/%s; %sit has no %s, but the kinds %s", kind, name, near, kind, strings.Join(kinds, ", "))
	}
	return usagef("the project has no resource %s/%s; %sits names of this kind are %s", kind, name, near, strings.Join(names, ", "))
}

// showResource prints the envelope of a resource; secrets written as literals are masked.
func (a *app) showResource(kind, name string, hash canon.Digest, spec canon.Value, more ...canon.Field) error {
	envelope := canon.Object(
		str("apiVersion", resource.APIVersion), str("kind", kind),
		canon.F("metadata", canon.Object(str("name", name))), canon.F("spec", diff.Mask(spec).Without("name")),
	)
	payload := append([]canon.Field{
		canon.F("resource", envelope), str("environment", a.environment()), str("specHash", string(hash)),
	}, more...)
	var failed error
	err := a.show(func(w io.Writer) { failed = render.YAML(w, envelope) }, payload...)
	if err == nil {
		err = failed
	}
	return err
}
