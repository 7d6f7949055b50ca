package cli

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"terfyn/cmd/internal/render"
	"terfyn/compiler/resource"
	"terfyn/deploy"
	"terfyn/deploy/snapshot"
	"terfyn/internal/canon"
	"terfyn/planner"
	"terfyn/store"
)

// markdown is the output for pull requests.
const markdown = "markdown"

type planFlags struct {
	out, from         string
	detailed, refresh bool
}

func newPlan(a *app) *cobra.Command {
	var f planFlags
	c := &cobra.Command{
		Use:         "plan",
		Short:       "Show what apply would change, and what that does to authority",
		Annotations: map[string]string{outputsOf: markdown},
		Args:        arguments(0, 0, ""),
		RunE:        func(cmd *cobra.Command, _ []string) error { return a.runPlan(cmd.Context(), f) },
	}
	c.Flags().StringVar(&f.out, "out", "", "save the plan to a file for apply (also written -out)")
	c.Flags().StringVar(&f.from, "from-env", "", "compare with what is applied to this environment")
	c.Flags().BoolVar(&f.detailed, "detailed-exitcode", false, "exit 10 when there are changes, 11 when authority widens")
	c.Flags().BoolVar(&f.refresh, "refresh", false, "also ask the Temporal server what is there; the only form that opens connections beyond the state")
	return c
}

func (a *app) runPlan(ctx context.Context, f planFlags) error {
	if f.out != "" && f.from != "" {
		return usagef("a plan made with --from-env cannot be applied, so -out does not go with it")
	}
	if f.out != "" {
		if err := placeForPlan(f.out); err != nil {
			return err
		}
	}
	plan, err := a.plan(ctx, f.from)
	if err != nil {
		return err
	}
	var live *render.Live
	if f.refresh {
		if live, err = a.liveDrift(ctx); err != nil {
			return err
		}
	}
	if f.out != "" {
		if err := savePlan(f.out, plan); err != nil {
			return err
		}
	}
	if err := a.showPlan(plan, live); err != nil {
		return err
	}
	if f.out != "" {
		a.info("Saved the plan to %s; apply exactly this with: terfyn apply %s", f.out, f.out)
	}
	if f.detailed {
		return exit(changesCode(plan))
	}
	return nil
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
func (a *app) prepare(ctx context.Context, content snapshot.Content, from string) (planner.Plan, error) {
	plan, err := a.compare(ctx, content, deploy.Options{FromEnvironment: from, PolicyLint: plannedAdvice(content.Graph, content.Environment)})
	if err == nil {
		a.warnOf(plan, content)
	}
	return plan, err
}

func (a *app) compare(ctx context.Context, content snapshot.Content, o deploy.Options) (plan planner.Plan, err error) {
	s, err := a.readState(ctx)
	if errors.Is(err, store.ErrMissing) {
		return deploy.Prepare(ctx, nil, content, o)
	}
	if err != nil {
		return planner.Plan{}, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	return deploy.Prepare(ctx, s, content, o)
}

// warnOf tells what a plan and its content are no reason to stop for.
func (a *app) warnOf(p planner.Plan, content snapshot.Content) {
	if n := p.Summary.Delete; n > 0 && declaresNothing(content.Graph) {
		a.warn("nothing_declared", "deletes_everything", "nothing is declared; this plan deletes everything that is applied to environment %s: %s", p.Environment, count(n, "resource", "resources"))
	}
	for _, w := range deploy.Warnings(content.Graph) {
		a.warn(w.Class, w.Reason, "%s", w.Message)
	}
	for _, d := range p.Definitions {
		if d.Unversioned {
			a.warn("definition_unversioned", "content_changed",
				"Agent/%s changed and has no new version (it was %s); give it one and say in changeSummary what is new", d.Agent, d.Before)
		}
	}
}

// declaresNothing reports whether a graph is that of an empty project.
func declaresNothing(g resource.Graph) bool {
	return !slices.ContainsFunc(resource.Resources(g), func(r resource.Resource) bool {
		return r.Kind != resource.KindProject && r.Kind != resource.KindEnvironment
	})
}

// showPlan shows a plan and, where somebody asked for it, what is live.
func (a *app) showPlan(p planner.Plan, live *render.Live) error {
	var payload []canon.Field
	if a.document() {
		payload = p.JSON().Fields()
	}
	if live != nil {
		payload = append(payload, canon.F("liveDrift", live.Value()))
	}
	if a.flags.output == markdown {
		render.PlanMarkdown(a.out, p)
		live.Markdown(a.out)
		return nil
	}
	return a.show(func(w io.Writer) {
		render.Plan(w, p, a.palette(w))
		live.Text(w)
	}, payload...)
}
