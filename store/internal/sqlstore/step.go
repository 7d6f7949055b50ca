package sqlstore

import (
	"context"
	"fmt"

	"terfyn/store"
)

const stepColumns = `run_id, call_site, attempt, kind, name, status, started_at, finished_at, cost_usd, tokens_in, tokens_out,
	substituted, error_type, error_text, input, output, definition, output_ref`

const putStep = ` ON CONFLICT (run_id, call_site, attempt) DO UPDATE SET kind = excluded.kind, name = excluded.name,
	status = excluded.status, started_at = excluded.started_at, finished_at = excluded.finished_at,
	cost_usd = excluded.cost_usd, tokens_in = excluded.tokens_in, tokens_out = excluded.tokens_out,
	substituted = excluded.substituted, error_type = excluded.error_type, error_text = excluded.error_text,
	input = excluded.input, output = excluded.output, definition = excluded.definition, output_ref = excluded.output_ref`

// PutStep implements store.Runs.
func (o *ops) PutStep(ctx context.Context, s store.Step) error {
	if s.RunID == "" || s.CallSite == "" {
		return fmt.Errorf("put step %q of run %q: a step needs a run and a call site", s.CallSite, s.RunID)
	}
	put := o.putStep(s)
	_, err := o.session.exec(ctx, put.Query, put.Args...)
	return o.wrap(err, "put step %s of run %s", s.CallSite, s.RunID)
}

func (o *ops) putStep(s store.Step) Statement {
	return Statement{Query: `INSERT INTO run_steps (` + stepColumns + `) VALUES (` + marks(18) + `)` + putStep, Args: []any{
		s.RunID, s.CallSite, s.Attempt, s.Kind, s.Name, string(s.Status),
		o.dialect.Time(orNow(s.StartedAt)), o.dialect.Time(micros(s.FinishedAt)), costOf(s.CostUSD), s.TokensIn, s.TokensOut,
		s.Substituted, s.ErrorType, prose(s.ErrorText), document(s.Input), document(s.Output), string(s.Definition), string(s.OutputRef),
	}}
}

// Record implements store.Tx.
func (o *ops) Record(ctx context.Context, steps []store.Step, events []store.Event) error {
	puts := make([]Statement, len(steps))
	for i, s := range steps {
		if s.RunID == "" || s.CallSite == "" {
			return fmt.Errorf("record step %q of run %q: a step needs a run and a call site", s.CallSite, s.RunID)
		}
		puts[i] = o.putStep(s)
		if err := checkText(puts[i].Args); err != nil {
			return fmt.Errorf("record step %s of run %s: %w", s.CallSite, s.RunID, err)
		}
	}
	prepared, err := prepare(events)
	if err != nil || len(steps)+len(events) == 0 {
		return err
	}
	_, err = o.session.append(ctx, prepared, puts...)
	return o.wrap(err, "record %d steps and %d trace events", len(steps), len(events))
}

// Steps implements store.Runs.
func (o *ops) Steps(ctx context.Context, runID string, max int) ([]store.Step, error) {
	query := `SELECT ` + stepColumns + ` FROM run_steps WHERE run_id = $1` +
		fmt.Sprintf(` ORDER BY started_at, call_site, attempt LIMIT %d`, limit(max, 1000, 10000))
	var out []store.Step
	err := o.session.read(ctx, func(c Conn) error {
		out = nil
		return c.Query(ctx, query, []any{runID}, func(row Row) error {
			var s store.Step
			err := row.Scan(&s.RunID, &s.CallSite, &s.Attempt, &s.Kind, &s.Name, &s.Status,
				timeInto{&s.StartedAt}, timeInto{&s.FinishedAt}, &s.CostUSD, &s.TokensIn, &s.TokensOut,
				&s.Substituted, &s.ErrorType, &s.ErrorText, &s.Input, &s.Output, &s.Definition, &s.OutputRef)
			out = append(out, s)
			return err
		})
	})
	return out, o.wrap(err, "list the steps of run %s", runID)
}

// CloseSteps implements store.Runs.
func (o *ops) CloseSteps(ctx context.Context, runID string, end store.Step) error {
	_, err := o.session.exec(ctx, `UPDATE run_steps SET status = $2, error_type = $3, error_text = $4, finished_at = $5
		WHERE run_id = $1 AND status IN ('running', 'waiting')`,
		runID, string(end.Status), end.ErrorType, prose(end.ErrorText), o.dialect.Time(micros(end.FinishedAt)))
	return o.wrap(err, "close the steps of run %s", runID)
}
