package sqlstore

import (
	"context"
	"fmt"

	"terfyn/store"
)

const runColumns = `run_id, first_exec_id, workflow, env, snapshot_digest, status, actor, tenant, thread,
	input, output, error_type, error_text, cost_usd, tokens_in, tokens_out, started_at, finished_at, parent_run`

func scanRun(row Row) (store.Run, error) {
	var r store.Run
	err := row.Scan(&r.RunID, &r.FirstExecID, &r.Workflow, &r.Environment, &r.Snapshot, &r.Status, &r.Actor, &r.Tenant, &r.Thread,
		&r.Input, &r.Output, &r.ErrorType, &r.ErrorText, &r.CostUSD, &r.TokensIn, &r.TokensOut,
		timeInto{&r.StartedAt}, timeInto{&r.FinishedAt}, &r.ParentRun)
	return r, err
}

func (o *ops) runArgs(r store.Run) []any {
	return []any{
		r.RunID, r.FirstExecID, r.Workflow, r.Environment, string(r.Snapshot), string(r.Status), r.Actor, r.Tenant, r.Thread,
		document(r.Input), document(r.Output), r.ErrorType, r.ErrorText, r.CostUSD, r.TokensIn, r.TokensOut,
		o.dialect.Time(r.StartedAt), o.dialect.Time(r.FinishedAt), r.ParentRun,
	}
}

// StartRun implements store.Runs.
func (o *ops) StartRun(ctx context.Context, r store.Run) (store.Run, error) {
	if r.RunID == "" {
		return store.Run{}, fmt.Errorf("start run: the run has no id")
	}
	if r.Status == "" {
		r.Status = store.RunRunning
	}
	r.StartedAt, r.FinishedAt = orNow(r.StartedAt), micros(r.FinishedAt)
	r.ErrorText, r.CostUSD = prose(r.ErrorText), costOf(r.CostUSD)
	n, err := o.session.exec(ctx, `INSERT INTO runs (`+runColumns+`) VALUES (`+marks(19)+`)
		ON CONFLICT (run_id) DO NOTHING`, o.runArgs(r)...)
	if err != nil {
		return store.Run{}, o.wrap(err, "start run %s", r.RunID)
	}
	if n == 1 {
		return r, nil
	}
	stored, err := o.Run(ctx, r.RunID)
	if err != nil {
		return store.Run{}, err
	}
	if stored.FirstExecID != r.FirstExecID {
		return store.Run{}, fmt.Errorf("start run %s: the id belongs to another execution: %w", r.RunID, store.ErrConflict)
	}
	return stored, nil
}

func costOf(s string) string {
	if s == "" {
		return "0"
	}
	return s
}

// SetRunStatus implements store.Runs.
func (o *ops) SetRunStatus(ctx context.Context, runID string, s store.RunStatus) error {
	if s != store.RunRunning && s != store.RunInterrupted {
		return fmt.Errorf("set run %s to %q: only running and interrupted can be set", runID, s)
	}
	n, err := o.session.exec(ctx, `UPDATE runs SET status = $2
		WHERE run_id = $1 AND status IN ('running','interrupted')`, runID, string(s))
	if err != nil {
		return o.wrap(err, "set run %s to %s", runID, s)
	}
	if n == 0 { // closed, or absent
		_, err = o.Run(ctx, runID)
	}
	return err
}

// FinishRun implements store.Runs.
func (o *ops) FinishRun(ctx context.Context, r store.Run) error {
	if !r.Status.Closed() {
		return fmt.Errorf("finish run %s: %q is not a final status", r.RunID, r.Status)
	}
	n, err := o.session.exec(ctx, `UPDATE runs SET status = $2, output = $3, error_type = $4, error_text = $5,
		cost_usd = $6, tokens_in = $7, tokens_out = $8, finished_at = $9
		WHERE run_id = $1 AND status IN ('running','interrupted')`,
		r.RunID, string(r.Status), document(r.Output), r.ErrorType, prose(r.ErrorText),
		costOf(r.CostUSD), r.TokensIn, r.TokensOut, o.dialect.Time(orNow(r.FinishedAt)))
	if err != nil {
		return o.wrap(err, "finish run %s", r.RunID)
	}
	if n == 1 {
		return nil
	}
	stored, err := o.Run(ctx, r.RunID)
	if err != nil {
		return err
	}
	if stored.Status != r.Status {
		return fmt.Errorf("finish run %s as %s: it is %s already: %w", r.RunID, r.Status, stored.Status, store.ErrConflict)
	}
	return nil
}

// Run implements store.Runs.
func (o *ops) Run(ctx context.Context, runID string) (store.Run, error) {
	var r store.Run
	err := o.session.read(ctx, func(c Conn) error {
		return one(ctx, c, `SELECT `+runColumns+` FROM runs WHERE run_id = $1`, []any{runID}, func(row Row) (err error) {
			r, err = scanRun(row)
			return err
		})
	})
	return r, o.wrap(err, "load run %s", runID)
}

// ListRuns implements store.Runs.
func (o *ops) ListRuns(ctx context.Context, f store.RunFilter) ([]store.Run, error) {
	var w where
	if f.Workflow != "" {
		w.add("workflow = $%d", f.Workflow)
	}
	if f.Environment != "" {
		w.add("env = $%d", f.Environment)
	}
	if f.Status != "" {
		w.add("status = $%d", f.Status)
	}
	if f.Before != (store.RunCursor{}) {
		w.add("(started_at, run_id) < ($%d, $%d)", o.dialect.Time(micros(f.Before.StartedAt)), f.Before.RunID)
	}
	query := `SELECT ` + runColumns + ` FROM runs` + w.String() +
		fmt.Sprintf(` ORDER BY started_at DESC, run_id DESC LIMIT %d`, limit(f.Limit, 50, 500))
	var out []store.Run
	err := o.session.read(ctx, func(c Conn) error {
		out = nil
		return c.Query(ctx, query, w.args, func(row Row) error {
			r, err := scanRun(row)
			out = append(out, r)
			return err
		})
	})
	return out, o.wrap(err, "list runs")
}
