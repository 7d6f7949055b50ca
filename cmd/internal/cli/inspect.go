package cli

import (
	"io"
	"strings"

	"github.com/spf13/cobra"

	"terfyn/cmd/internal/render"
	"terfyn/compiler/resource"
	"terfyn/internal/canon"
	"terfyn/planner/diff"
)

func newInspect(a *app) *cobra.Command {
	return &cobra.Command{
		Use:               "inspect KIND/NAME",
		Short:             "Show one resource as it applies: after defaults and the environment's overlay",
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: a.completeResources,
		RunE: func(_ *cobra.Command, args []string) error {
			kind, name, err := target(args[0])
			if err != nil {
				return err
			}
			c, err := a.content(false)
			if err != nil {
				return err
			}
			for _, r := range resource.Resources(c.Graph) {
				if strings.EqualFold(string(r.Kind), kind) && r.Name == name {
					return a.showResource(string(r.Kind), r.Name, r.Hash, r.Spec)
				}
			}
			return usagef("the project has no resource %s; terfyn plan lists them", args[0])
		},
	}
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
