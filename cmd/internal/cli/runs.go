package cli

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"terfyn/cmd/internal/render"
	"terfyn/internal/canon"
	"terfyn/store"
)

var runStatuses = []string{
	string(store.RunRunning), string(store.RunInterrupted), string(store.RunSucceeded), string(store.RunFailed), string(store.RunCancelled),
}

// runsFlags narrow a list of runs.
type runsFlags struct {
	workflow, status, after string
	limit                   int
}

func newRuns(a *app) *cobra.Command {
	var f runsFlags
	c := &cobra.Command{
		Use: "runs", Short: "List runs, newest first", Args: arguments(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.reading(cmd.Context(), func(ctx context.Context, s store.Store) error { return a.runs(ctx, s, f) })
		},
	}
	c.Flags().StringVar(&f.workflow, "workflow", "", "only runs of this workflow")
	c.Flags().StringVar(&f.status, "status", "", "only runs that are "+strings.Join(runStatuses, ", "))
	bindPage(c, &f.limit, &f.after)
	return c
}

func (a *app) runs(ctx context.Context, s store.Store, f runsFlags) error {
	filter, err := a.runFilter(f)
	if err != nil {
		return err
	}
	list, err := s.ListRuns(ctx, filter)
	if err != nil {
		return err
	}
	current := currents{store: s}
	rows, cells := make([]canon.Value, len(list)), make([][]string, len(list))
	for i, r := range list {
		superseded, err := current.superseded(ctx, r)
		if err != nil {
			return err
		}
		rows[i] = render.RunRow(r, superseded)
		cells[i] = []string{
			r.RunID, r.Workflow, r.Environment, string(r.Status), r.ErrorType, r.Tenant, r.Thread, r.Actor, render.Time(r.StartedAt), mark(superseded, "superseded"),
		}
	}
	next := ""
	if len(list) == filter.Limit {
		last := list[len(list)-1]
		next = pageKey(last.StartedAt, last.RunID)
	}
	return a.show(func(w io.Writer) {
		if len(list) == 0 {
			say(w, "No runs")
			return
		}
		render.Table(w, []string{"RUN", "WORKFLOW", "ENVIRONMENT", "STATUS", "ERROR", "TENANT", "THREAD", "ACTOR", "STARTED", "SNAPSHOT"}, cells)
		more(w, next)
	}, canon.F("runs", canon.List(rows...)), str("nextPage", next))
}

func (a *app) runFilter(f runsFlags) (store.RunFilter, error) {
	if f.status != "" && !slices.Contains(runStatuses, f.status) {
		return store.RunFilter{}, usagef("--status %s is not a status; use %s", f.status, strings.Join(runStatuses, ", "))
	}
	if err := checkLimit(f.limit); err != nil {
		return store.RunFilter{}, err
	}
	at, id, err := pageStart(f.after)
	return store.RunFilter{
		Workflow: strings.TrimPrefix(f.workflow, "workflow/"), Environment: a.flags.env, Status: f.status,
		Before: store.RunCursor{StartedAt: at, RunID: id}, Limit: f.limit,
	}, err
}

func mark(on bool, word string) string {
	if on {
		return word
	}
	return "current"
}

// currents remembers what each environment runs now.
type currents struct {
	store interface {
		Current(ctx context.Context, environment string) (store.Current, error)
	}
	known map[string]canon.Digest
}

// superseded reports whether another snapshot than the run's is current now.
func (c *currents) superseded(ctx context.Context, r store.Run) (bool, error) {
	d, ok := c.known[r.Environment]
	if !ok {
		current, err := c.store.Current(ctx, r.Environment)
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			return false, err
		}
		if c.known == nil {
			c.known = map[string]canon.Digest{}
		}
		d = current.Snapshot
		c.known[r.Environment] = d
	}
	return r.Snapshot != "" && d != "" && d != r.Snapshot, nil
}
