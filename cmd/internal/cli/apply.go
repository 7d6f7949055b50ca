package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"terfyn/cmd/internal/buildinfo"
	"terfyn/cmd/internal/render"
	"terfyn/deploy"
	"terfyn/deploy/snapshot"
	"terfyn/internal/canon"
	"terfyn/planner"
	"terfyn/planner/risk"
	"terfyn/store"
)

type applyFlags struct{ autoApprove, requireEvidence bool }

func newApply(a *app) *cobra.Command {
	var f applyFlags
	c := &cobra.Command{
		Use:   "apply [PLANFILE]",
		Short: "Pin the project as the environment's deployment snapshot, after a look at the plan",
		Args:  arguments(0, 1, "one saved plan"),
		RunE: func(cmd *cobra.Command, args []string) error {
			file := ""
			if len(args) == 1 {
				file = args[0]
			}
			return a.apply(cmd.Context(), file, f)
		},
	}
	c.Flags().BoolVar(&f.autoApprove, "auto-approve", false, "apply without asking (also TERFYN_AUTO_APPROVE=1)")
	c.Flags().BoolVar(&f.requireEvidence, "require-evidence", false, "refuse without current acceptance evidence")
	return c
}

func (a *app) apply(ctx context.Context, file string, f applyFlags) error {
	saved, err := a.savedPlan(file)
	if err != nil {
		return err
	}
	content, err := a.content(false)
	if err != nil {
		return err
	}
	plan := saved
	if file != "" {
		a.warnOf(plan, content)
	} else if plan, err = a.prepare(ctx, content, ""); err != nil {
		return err
	}
	return a.review(ctx, change{plan: plan, content: content, compiler: buildinfo.Read().Version, saved: file != ""}, f)
}

// change is a plan that is about to be applied.
type change struct {
	plan     planner.Plan
	content  snapshot.Content
	compiler string // the release that made the content
	saved    bool   // the plan comes from a file, made on another state perhaps
	rollback bool
}

// review shows a plan, asks for consent and applies it.
func (a *app) review(ctx context.Context, c change, f applyFlags) error {
	if c.saved {
		if err := a.stillRight(ctx, c); err != nil {
			return err
		}
	}
	if !a.machine() {
		if err := a.showPlan(c.plan, nil); err != nil {
			return err
		}
	}
	if err := a.refused(c.plan, f); err != nil {
		return err
	}
	if c.plan.Empty() && !c.saved {
		return a.showApplied(c.plan, deploy.Applied{})
	}
	if err := a.confirm(ctx, c, f.autoApprove); err != nil {
		return err
	}
	applied, err := a.commit(ctx, c, f)
	if err != nil {
		return err
	}
	return a.showApplied(c.plan, applied)
}

// stillRight refuses a saved plan that was made for something else than there is
// now, before anybody reads it. It leaves no trace.
func (a *app) stillRight(ctx context.Context, c change) (err error) {
	in := deploy.ApplyIn{Plan: c.plan, Content: c.content}
	s, err := a.readState(ctx)
	if errors.Is(err, store.ErrMissing) {
		return deploy.Check(ctx, nil, in)
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	return deploy.Check(ctx, s, in)
}

// refused ends with what policy or --require-evidence forbids, before anybody is
// asked.
func (a *app) refused(plan planner.Plan, f applyFlags) error {
	err := deploy.Refused(plan, planner.EvidenceUnchecked, f.requireEvidence)
	var refused *deploy.RefusedError
	if errors.As(err, &refused) && slices.ContainsFunc(refused.Refusals, func(r planner.Refusal) bool { return r.Category == risk.EvidenceMissing }) {
		return fmt.Errorf("%w This version of terfyn records no evidence, so nothing that requires it can be applied; nothing was written", err)
	}
	return err
}

// savedPlan reads a plan file and settles the environment it was made for.
func (a *app) savedPlan(file string) (planner.Plan, error) {
	if file == "" {
		return planner.Plan{}, nil
	}
	b, err := readFile(file, maxPlanBytes)
	if err != nil {
		return planner.Plan{}, usagef("read the saved plan %s: %w", file, err)
	}
	plan, err := planner.DecodeFile(b)
	switch {
	case errors.Is(err, planner.ErrNotPlan):
		return planner.Plan{}, failf(ExitConflict, "%s is %w; make it again with terfyn plan -out %s", file, err, file)
	case err != nil:
		return planner.Plan{}, &coded{code: ExitConflict, cause: err}
	case a.flags.env != "" && a.flags.env != plan.Environment:
		return planner.Plan{}, failf(ExitConflict, "the plan in %s was made for environment %s, not for %s; nothing was written", file, plan.Environment, a.flags.env)
	}
	if plan.Environment != deploy.DefaultEnvironment {
		a.flags.env = plan.Environment
	}
	return plan, nil
}

// confirm asks the person at the terminal; without one it needs the flag.
func (a *app) confirm(ctx context.Context, c change, auto bool) error {
	if auto || a.getenv("TERFYN_AUTO_APPROVE") == "1" {
		return nil
	}
	what := "apply"
	if c.rollback {
		what = "rollback"
	}
	if !terminal(a.in) {
		return usagef("%s was not confirmed: there is no terminal to ask on; review the plan and use --auto-approve or TERFYN_AUTO_APPROVE=1; nothing was written", what)
	}
	_, _ = io.WriteString(a.err, "Apply this plan to environment "+a.environment()+"? Only 'yes' is taken: ")
	answer := make(chan string, 1)
	go func() {
		line, err := bufio.NewReader(a.in).ReadString('\n')
		if err != nil {
			line = ""
		}
		answer <- strings.TrimSpace(line)
	}()
	select {
	case line := <-answer:
		if line == "yes" {
			return nil
		}
	case <-ctx.Done():
	}
	return failf(ExitFailure, "%s was not confirmed; nothing was written", what)
}

func (a *app) commit(ctx context.Context, c change, f applyFlags) (out deploy.Applied, err error) {
	s, err := a.writeState(ctx)
	if err != nil {
		return deploy.Applied{}, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	return deploy.Apply(ctx, s, deploy.ApplyIn{
		Plan: c.plan, Content: c.content, CompilerVersion: c.compiler, Actor: a.userName(), Now: a.now().UTC(),
		Rollback: c.rollback, RequireEvidence: f.requireEvidence,
	})
}

func (a *app) showApplied(plan planner.Plan, d deploy.Applied) error {
	if !d.Changed {
		b := plan.DeploymentBaseline
		d.Current = store.Current{Environment: plan.Environment, Snapshot: b.Snapshot, Version: b.Version}
	}
	text := func(w io.Writer) {
		if !d.Changed {
			say(w, "Nothing to apply.")
			return
		}
		say(w, "")
		say(w, "%s", a.palette(w).Good("Apply complete."))
		say(w, "Snapshot %s is current in environment %s (version %d).", d.Current.Snapshot, d.Current.Environment, d.Current.Version)
	}
	if !a.machine() {
		return a.show(text)
	}
	return a.show(text,
		canon.F("plan", plan.JSON()), canon.F("changed", canon.Bool(d.Changed)), str("environment", plan.Environment),
		str("applyId", d.Apply.ID), str("snapshot", string(d.Current.Snapshot)), canon.F("version", canon.Int(d.Current.Version)),
		str("appliedAt", render.Stamp(d.Apply.At)),
	)
}
