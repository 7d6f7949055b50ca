package cli

import (
	"context"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"terfyn/cmd/internal/render"
	"terfyn/compiler/resource"
	"terfyn/deploy/snapshot"
	"terfyn/internal/canon"
	"terfyn/planner"
)

func newDiff(a *app) *cobra.Command {
	return &cobra.Command{
		Use:               "diff [KIND/NAME]",
		Short:             "Show in full how what is declared differs from what is applied",
		Annotations:       map[string]string{outputsOf: markdown},
		Args:              arguments(0, 1, "one resource, such as agent/assistant"),
		ValidArgsFunction: a.completeResources,
		RunE: func(cmd *cobra.Command, args []string) error {
			kind, name := "", ""
			if len(args) == 1 {
				var err error
				if kind, name, err = target(args[0]); err != nil {
					return err
				}
			}
			return a.diff(cmd.Context(), kind, name)
		},
	}
}

func (a *app) diff(ctx context.Context, kind, name string) error {
	content, err := a.content(false)
	if err != nil {
		return err
	}
	plan, err := a.prepare(ctx, content, "")
	if err != nil {
		return err
	}
	ops, programs := plan.Operations, plan.Programs
	if kind != "" {
		ops, programs = only(kind, name, ops, programs)
		if len(ops) == 0 {
			if err := hasResource(content, kind, name); err != nil {
				return err
			}
		}
	}
	if a.flags.output == markdown {
		render.DifferencesMarkdown(a.out, ops, programs)
		return nil
	}
	doc := planner.Plan{Operations: ops, Programs: programs, DeploymentBaseline: plan.DeploymentBaseline}.JSON()
	return a.show(func(w io.Writer) { render.Differences(w, ops, programs, a.palette(w)) },
		str("project", plan.Project), str("environment", plan.Environment), canon.F("deploymentBaseline", doc.At("deploymentBaseline")),
		canon.F("operations", doc.At("operations")), canon.F("programs", doc.At("programs")))
}

// only keeps what belongs to one resource.
func only(kind, name string, ops []planner.Operation, programs []planner.ProgramChange) ([]planner.Operation, []planner.ProgramChange) {
	ops = slices.DeleteFunc(slices.Clone(ops), func(o planner.Operation) bool { return !isKind(o.Kind, kind) || o.Name != name })
	programs = slices.DeleteFunc(slices.Clone(programs), func(p planner.ProgramChange) bool {
		return !isKind(string(resource.KindWorkflow), kind) || p.Workflow != name
	})
	return ops, programs
}

// hasResource refuses a name that the project does not have; a captured schema is a
// resource here too.
func hasResource(content snapshot.Content, kind, name string) error {
	if _, captured := content.Schemas[name]; captured && isKind(planner.KindSchema, kind) {
		return nil
	}
	list := resource.Resources(content.Graph)
	for _, r := range list {
		if isKind(string(r.Kind), kind) && r.Name == name {
			return nil
		}
	}
	return noResource(list, kind, name)
}
