package cli

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"terfyn/cmd/internal/buildinfo"
	"terfyn/cmd/internal/render"
	"terfyn/deploy"
	"terfyn/deploy/snapshot"
	"terfyn/internal/canon"
	"terfyn/planner"
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
	if file == "" {
		if plan, err = a.prepare(ctx, content, ""); err != nil {
			return err
		}
	}
	if !a.machine() {
		if err := a.showPlan(plan); err != nil {
			return err
		}
	}
	if plan.Empty() && file == "" {
		return a.showApplied(plan, deploy.Applied{})
	}
	if err := a.confirm(ctx, f.autoApprove); err != nil {
		return err
	}
	applied, err := a.commit(ctx, plan, content, f)
	if err != nil {
		return err
	}
	return a.showApplied(plan, applied)
}

// savedPlan reads a plan file and settles the environment it was made for.
func (a *app) savedPlan(file string) (planner.Plan, error) {
	if file == "" {
		return planner.Plan{}, nil
	}
	b, err := os.ReadFile(file)
	if err != nil {
		return planner.Plan{}, usagef("read the saved plan: %w", err)
	}
	plan, err := planner.DecodeFile(b)
	switch {
	case errors.Is(err, planner.ErrFileDigest), errors.Is(err, planner.ErrFileFormat):
		return planner.Plan{}, &coded{code: ExitConflict, cause: err}
	case err != nil:
		return planner.Plan{}, &coded{code: ExitInvalid, cause: err}
	case a.flags.env != "" && a.flags.env != plan.Environment:
		return planner.Plan{}, usagef("the plan in %s was made for environment %s, not for %s", file, plan.Environment, a.flags.env)
	}
	if plan.Environment != deploy.DefaultEnvironment {
		a.flags.env = plan.Environment
	}
	return plan, nil
}

// confirm asks the person at the terminal; without one it needs the flag.
func (a *app) confirm(ctx context.Context, auto bool) error {
	if auto || a.getenv("TERFYN_AUTO_APPROVE") == "1" {
		return nil
	}
	if !terminal(a.in) {
		return usagef("apply was not confirmed: there is no terminal to ask on; review the plan and use --auto-approve or TERFYN_AUTO_APPROVE=1; nothing was written")
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
	return failf(ExitFailure, "apply was not confirmed; nothing was written")
}

func (a *app) commit(ctx context.Context, plan planner.Plan, content snapshot.Content, f applyFlags) (out deploy.Applied, err error) {
	s, err := a.writeState(ctx)
	if err != nil {
		return deploy.Applied{}, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	return deploy.Apply(ctx, s, deploy.ApplyIn{
		Plan: plan, Content: content, CompilerVersion: buildinfo.Read().Version, Actor: a.userName(), Now: a.now().UTC(),
		RequireEvidence: f.requireEvidence,
	})
}

func (a *app) showApplied(plan planner.Plan, d deploy.Applied) error {
	if !d.Changed {
		b := plan.DeploymentBaseline
		d.Current = store.Current{Environment: plan.Environment, Snapshot: b.Snapshot, Version: b.Version}
	}
	return a.show(func(w io.Writer) {
		if !d.Changed {
			say(w, "Nothing to apply.")
			return
		}
		say(w, "")
		say(w, "%s", a.palette(w).Good("Apply complete."))
		say(w, "Snapshot %s is current in environment %s (version %d).", d.Current.Snapshot, d.Current.Environment, d.Current.Version)
	},
		canon.F("plan", plan.JSON()), canon.F("changed", canon.Bool(d.Changed)), str("environment", plan.Environment),
		str("applyId", d.Apply.ID), str("snapshot", string(d.Current.Snapshot)), canon.F("version", canon.Int(d.Current.Version)),
		str("appliedAt", render.Stamp(d.Apply.At)),
	)
}
