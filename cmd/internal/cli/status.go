package cli

import (
	"context"
	"errors"
	"io"

	"github.com/spf13/cobra"

	"terfyn/cmd/internal/follow"
	"terfyn/cmd/internal/render"
	"terfyn/internal/canon"
	"terfyn/policy"
	"terfyn/store"
)

func newStatus(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "status ID", Short: "Show one run: status, steps, what it waits for", Args: arguments(1, 1, "a run id"),
		ValidArgsFunction: a.completeRuns,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.reading(cmd.Context(), func(ctx context.Context, s store.Store) error { return a.status(ctx, s, args[0]) })
		},
	}
}

func (a *app) status(ctx context.Context, s store.Store, id string) error {
	run, err := findRun(ctx, s, id)
	if err != nil {
		return err
	}
	steps, err := s.Steps(ctx, id, 0)
	if err != nil {
		return err
	}
	open, err := follow.Waiting(ctx, s, id)
	if err != nil {
		return err
	}
	superseded, err := (&currents{store: s}).superseded(ctx, run)
	if err != nil {
		return err
	}
	o := closedOutcome(run)
	o.Waiting = open
	rows, cells := make([]canon.Value, len(steps)), make([][]string, len(steps))
	substituted, escalated := false, false
	for i, st := range steps {
		rows[i] = render.StepRow(st)
		cells[i] = []string{st.CallSite, st.Kind, st.Name, string(st.Status), canon.Int(int64(st.Attempt)).JSON(), st.CostUSD, st.ErrorType}
		substituted = substituted || st.Substituted
	}
	for _, ap := range open {
		escalated = escalated || ap.Kind == string(policy.KindEscalation)
	}
	payload := append(render.RunFields(id, o),
		canon.F("steps", canon.List(rows...)), canon.F("substituted", canon.Bool(substituted)),
		canon.F("escalated", canon.Bool(escalated)), canon.F("superseded", canon.Bool(superseded)))
	return a.show(func(w io.Writer) {
		render.Run(w, id, o, a.palette(w))
		if superseded {
			say(w, "Snapshot: %s (superseded: another one is current now)", run.Snapshot)
		} else {
			say(w, "Snapshot: %s", run.Snapshot)
		}
		if len(cells) > 0 {
			render.Table(w, []string{"STEP", "KIND", "NAME", "STATUS", "ATTEMPT", "USD", "ERROR"}, cells)
		}
	}, payload...)
}

// findRun reads a run's row; an unknown one is an error that says where to look.
func findRun(ctx context.Context, s store.Runs, id string) (store.Run, error) {
	r, err := s.Run(ctx, id)
	if errors.Is(err, store.ErrNotFound) {
		return r, failf(ExitFailure, "there is no run %s in this state; terfyn runs lists them (a run that no worker has taken up yet is not recorded)", id)
	}
	return r, err
}
