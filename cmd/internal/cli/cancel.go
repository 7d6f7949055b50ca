package cli

import (
	"context"
	"errors"
	"io"

	"github.com/spf13/cobra"

	"terfyn/cmd/internal/wire"
	"terfyn/internal/canon"
	"terfyn/store"
)

func newCancel(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "cancel ID", Short: "Ask a run to stop", Args: arguments(1, 1, "a run id"),
		ValidArgsFunction: a.completeRuns,
		RunE:              func(cmd *cobra.Command, args []string) error { return a.cancel(cmd.Context(), args[0]) },
	}
}

func (a *app) cancel(ctx context.Context, id string) (err error) {
	s, err := a.existingState(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	run, err := s.Run(ctx, id)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return err
	}
	if run.Status.Closed() {
		return failf(ExitFailure, "run %s is closed already (%s); there is nothing to cancel", id, run.Status)
	}
	c, err := a.connect(ctx, s)
	if err != nil {
		return err
	}
	defer c.Close()
	err = c.Cancel(ctx, id)
	if errors.Is(err, wire.ErrRunGone) {
		return failf(ExitFailure, "there is no run %s; terfyn runs lists them", id)
	}
	if err != nil {
		return err
	}
	a.warnWithoutWorker(ctx, c)
	return a.show(func(w io.Writer) {
		say(w, "Asked run %s to stop. See how it ends with: terfyn attach %s", id, id)
	}, str("runId", id), canon.F("requested", canon.Bool(true)))
}
