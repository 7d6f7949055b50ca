package cli

import (
	"context"
	"errors"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"terfyn/cmd/internal/render"
	"terfyn/compiler/resource"
	"terfyn/deploy"
	"terfyn/deploy/snapshot"
	"terfyn/planner"
	"terfyn/store"
)

func newPlan(a *app) *cobra.Command {
	var out, from string
	var detailed bool
	c := &cobra.Command{
		Use:   "plan",
		Short: "Show what apply would change, and what that does to authority",
		Args:  arguments(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if out != "" && from != "" {
				return usagef("a plan made with --from-env cannot be applied, so -out does not go with it")
			}
			plan, err := a.plan(cmd.Context(), from)
			if err != nil {
				return err
			}
			if out != "" {
				if err := os.WriteFile(out, planner.EncodeFile(plan), 0o600); err != nil {
					return failf(ExitFailure, "save the plan: %w", err)
				}
			}
			if err := a.showPlan(plan); err != nil {
				return err
			}
			if out != "" {
				a.info("Saved the plan to %s; apply exactly this with: terfyn apply %s", out, out)
			}
			if detailed {
				return exit(changesCode(plan))
			}
			return nil
		},
	}
	c.Flags().StringVar(&out, "out", "", "save the plan to a file for apply (also written -out)")
	c.Flags().StringVar(&from, "from-env", "", "compare with what is applied to this environment")
	c.Flags().BoolVar(&detailed, "detailed-exitcode", false, "exit 10 when there are changes, 11 when authority widens")
	return c
}

func changesCode(p planner.Plan) Exit {
	switch {
	case p.Empty():
		return ExitOK
	case p.Widens():
		return ExitWidened
	}
	return ExitChanges
}

// plan computes the plan for the project; from is another environment to
// compare with, or "".
func (a *app) plan(ctx context.Context, from string) (planner.Plan, error) {
	r, err := a.checked(false)
	if err != nil {
		return planner.Plan{}, err
	}
	content, err := a.overlaid(r)
	if err != nil {
		return planner.Plan{}, err
	}
	plan, err := a.prepare(ctx, content, from)
	if err == nil && from != "" && plan.DeploymentBaseline.Version == 0 {
		err = declared(r.Graph, from)
	}
	return plan, err
}

// declared refuses the name of an environment under which nothing is applied,
// unless the project gives it a meaning.
func declared(g resource.Graph, env string) error {
	known := []string{deploy.DefaultEnvironment}
	for _, e := range g.Environments {
		known = append(known, e.Name)
	}
	if slices.Contains(known, env) {
		return nil
	}
	slices.Sort(known)
	return usagef("--from-env %s: nothing is applied to an environment of this name and the project does not declare it; it knows %s", env, strings.Join(slices.Compact(known), ", "))
}

// prepare reads the state without creating it; no state yet is an empty one.
func (a *app) prepare(ctx context.Context, content snapshot.Content, from string) (plan planner.Plan, err error) {
	for _, w := range deploy.Warnings(content.Graph) {
		a.warn(w.Class, w.Reason, "%s", w.Message)
	}
	s, err := a.readState(ctx)
	if errors.Is(err, store.ErrMissing) {
		return deploy.Prepare(ctx, nil, content, deploy.Options{FromEnvironment: from})
	}
	if err != nil {
		return planner.Plan{}, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	return deploy.Prepare(ctx, s, content, deploy.Options{FromEnvironment: from})
}

func (a *app) showPlan(p planner.Plan) error {
	return a.show(func(w io.Writer) { render.Plan(w, p, a.palette(w)) }, p.JSON().Fields()...)
}
