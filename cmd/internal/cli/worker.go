package cli

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"terfyn/cmd/internal/wire"
)

type workerFlags struct {
	deployment, build, prices string
	drain                     time.Duration
	parent                    int
}

func newWorker(a *app) *cobra.Command {
	var f workerFlags
	c := &cobra.Command{
		Use: "worker", Short: "Execute runs from the task queue until stopped", Args: arguments(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if (f.deployment == "") != (f.build == "") {
				return usagef("--deployment-name and --build-id go together")
			}
			return a.work(cmd.Context(), f)
		},
	}
	c.Flags().StringVar(&f.deployment, "deployment-name", "", "worker deployment, for Temporal's worker versioning")
	c.Flags().StringVar(&f.build, "build-id", "", "build of this worker within the deployment")
	c.Flags().StringVar(&f.prices, "prices", "", "JSON file with model prices, laid over the built-in ones")
	c.Flags().DurationVar(&f.drain, "drain-timeout", 30*time.Second, "how long work in progress may take after a stop was asked")
	c.Flags().IntVar(&f.parent, "parent-pid", 0, "started by terfyn dev: stop when this process, the parent, is gone")
	return c
}

func (a *app) work(ctx context.Context, f workerFlags) (err error) {
	ctx, cancel := followParent(ctx, f.parent)
	defer cancel()
	s, err := a.writeState(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	logger := a.logger()
	t := a.target()
	t.Logger, t.Local = logger, f.parent != 0
	c, err := wire.Dial(ctx, t, s)
	if err != nil {
		return err
	}
	defer c.Close()
	root, err := filepath.Abs(a.flags.project)
	if err != nil {
		return failf(ExitFailure, "find the project folder: %w", err)
	}
	w, err := wire.StartWorker(ctx, c, s, wire.WorkerSettings{
		ProjectRoot: root, PricesFile: f.prices, Deployment: f.deployment, Build: f.build, DrainTimeout: f.drain, Logger: logger,
	})
	if err != nil {
		return err
	}
	if !w.SearchAttributes {
		a.warn("search_attributes_missing", "not_registered", "namespace %s lacks terfyn's search attributes, so runs cannot be listed by them in Temporal; add them with `terfyn setup` and start the worker again", c.Namespace)
	}
	a.info("Worker polls task queue %s of namespace %s at %s; state: %s", c.TaskQueue, c.Namespace, c.Address, s.Describe())
	select {
	case <-ctx.Done():
		a.info("Worker is draining")
	case err = <-w.Failed:
		err = failf(ExitFailure, "the worker on task queue %s of namespace %s stopped: %w", c.TaskQueue, c.Namespace, err)
	}
	w.Stop()
	return err
}

// logger shows warnings and errors of the SDK, everything with -v.
func (a *app) logger() *slog.Logger {
	level := slog.LevelWarn
	if a.flags.verbose {
		level = slog.LevelInfo
	}
	return slog.New(slog.NewTextHandler(a.err, &slog.HandlerOptions{Level: level}))
}

// parentPoll is how often the parent is looked for.
const parentPoll = 300 * time.Millisecond

// followParent returns a context that also ends when the parent is gone.
func followParent(ctx context.Context, pid int) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	if pid == 0 {
		return ctx, cancel
	}
	go func() {
		t := time.NewTicker(parentPoll)
		defer t.Stop()
		for os.Getppid() == pid {
			select {
			case <-ctx.Done():
				return
			case <-t.C:
			}
		}
		cancel()
	}()
	return ctx, cancel
}
