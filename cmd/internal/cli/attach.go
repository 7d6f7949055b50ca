package cli

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"terfyn/cmd/internal/follow"
	"terfyn/internal/canon"
	"terfyn/policy"
	"terfyn/store"
	"terfyn/workflows/contract"
)

func newAttach(a *app) *cobra.Command {
	f := runFlags{timeout: decideTimeout}
	c := &cobra.Command{
		Use: "attach ID", Short: "Follow a run until it closes or waits for a person", Args: arguments(1, 1, "a run id"),
		ValidArgsFunction: a.completeRuns,
		RunE: func(cmd *cobra.Command, args []string) error {
			f.resume = args[0]
			return a.resume(cmd.Context(), "", f)
		},
	}
	bindInteractive(c, &f.interactive)
	return c
}

// resume takes a decision when one was given, and follows the run.
func (a *app) resume(ctx context.Context, workflow string, f runFlags) (err error) {
	s, err := a.existingState(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	run, err := s.Run(ctx, f.resume)
	known := err == nil
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return err
	}
	if known {
		if err := a.checkResumed(run, workflow); err != nil {
			return err
		}
		if run.Status.Closed() && f.decision == "" {
			return a.showOutcome(run.RunID, closedOutcome(run))
		}
	}
	c, err := a.connect(ctx, s)
	if err != nil {
		return err
	}
	defer c.Close()
	if !known {
		if there, err := c.Known(ctx, f.resume); err != nil || !there {
			return errors.Join(err, failf(ExitFailure, "there is no run %s; terfyn runs lists them", f.resume))
		}
	}
	a.warnWithoutWorker(ctx, c)
	if f.decision != "" {
		if err := a.resumeDecision(ctx, c, s, f); err != nil {
			return err
		}
	}
	return a.follow(ctx, c, s, followed{id: f.resume, answers: a.answers(f.interactive)})
}

// checkResumed refuses names that are not the run's own.
func (a *app) checkResumed(r store.Run, workflow string) error {
	if workflow != "" && workflow != r.Workflow {
		return usagef("run %s executes workflow %s, not %s", r.RunID, r.Workflow, workflow)
	}
	if a.flags.env != "" && a.flags.env != r.Environment {
		return usagef("run %s belongs to environment %s; a run keeps its own environment, leave -e out", r.RunID, r.Environment)
	}
	return nil
}

func closedOutcome(r store.Run) follow.Outcome {
	o := follow.Outcome{Run: r, Fault: follow.FaultOf(r)}
	if v, err := canon.Parse(r.Output); err == nil {
		o.Output = v
	}
	return o
}

// resumeDecision decides on the one request the run waits for.
func (a *app) resumeDecision(ctx context.Context, c decider, s store.Store, f runFlags) error {
	d := contract.Decision{Decision: f.decision}
	switch f.decision {
	case policy.Approve, policy.Reject:
		if f.decideEdit != "" {
			return usagef("--decision-edit-json goes with --decision edit")
		}
	case policy.Edit:
		edit, err := editDocument(nil, f.decideEdit)
		if err != nil {
			return err
		}
		d.Edit = edit
	default:
		return usagef("--decision %s cannot be taken here; use approve, reject or edit", f.decision)
	}
	open, err := follow.Waiting(ctx, s, f.resume)
	if err != nil {
		return err
	}
	switch len(open) {
	case 0:
		return failf(ExitFailure, "run %s waits for no decision; decisions are never kept for later requests", f.resume)
	case 1:
		d.ApprovalID, d.Revision = open[0].ID, open[0].Revision
	default:
		ids := ""
		for _, o := range open {
			ids += " " + o.ID
		}
		return usagef("run %s waits for %d decisions; decide each by its id with terfyn approve, reject or edit:%s", f.resume, len(open), ids)
	}
	_, err = a.decide(ctx, c, s, f.resume, d, f.timeout)
	return err
}
