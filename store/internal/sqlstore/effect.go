package sqlstore

import (
	"context"
	"fmt"
	"strings"

	"terfyn/store"
)

const effectColumns = `operation_id, run_id, call_site, tool, operation, revision, state, reconciled, provider_id,
	approval_id, result_ref, error_text, attempts, prepared_at, sent_at, settled_at`

func scanEffect(row Row) (store.Effect, error) {
	var e store.Effect
	err := row.Scan(&e.OperationID, &e.RunID, &e.CallSite, &e.Tool, &e.Operation, &e.Revision, &e.State, &e.Reconciled, &e.ProviderID,
		&e.ApprovalID, &e.ResultRef, &e.ErrorText, &e.Attempts, timeInto{&e.PreparedAt}, timeInto{&e.SentAt}, timeInto{&e.SettledAt})
	return e, err
}

const insertEffect = `INSERT INTO effects (` + effectColumns + `)
	VALUES ($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12,$13,$14,$15,$16) ON CONFLICT DO NOTHING`

func (o *ops) effectArgs(e store.Effect) []any {
	return []any{
		e.OperationID, e.RunID, e.CallSite, e.Tool, e.Operation, string(e.Revision), string(e.State), e.Reconciled, e.ProviderID,
		e.ApprovalID, string(e.ResultRef), prose(e.ErrorText), e.Attempts,
		o.dialect.Time(e.PreparedAt), o.dialect.Time(e.SentAt), o.dialect.Time(e.SettledAt),
	}
}

// Settle implements store.Effects.
func (o *ops) Settle(ctx context.Context, e store.Effect, from ...store.EffectState) error {
	if e.State == "" || len(from) == 0 {
		return fmt.Errorf("settle operation %s: the new state and the ones before it must be named", e.OperationID)
	}
	args := []any{
		e.OperationID, string(e.State), e.Reconciled, e.ProviderID, string(e.ResultRef), prose(e.ErrorText),
		o.dialect.Time(orNow(e.SettledAt)),
	}
	places := make([]string, len(from))
	for i, s := range from {
		args = append(args, string(s))
		places[i] = fmt.Sprintf("$%d", len(args))
	}
	n, err := o.session.exec(ctx, `UPDATE effects SET state = $2, reconciled = $3,
		provider_id = COALESCE(NULLIF($4,''), provider_id), result_ref = COALESCE(NULLIF($5,''), result_ref),
		error_text = $6, settled_at = $7
		WHERE operation_id = $1 AND state IN (`+strings.Join(places, ",")+`)`, args...)
	if err != nil {
		return o.wrap(err, "settle operation %s", e.OperationID)
	}
	if n == 1 {
		return nil
	}
	row, err := o.Effect(ctx, e.OperationID)
	if err != nil {
		return err
	}
	return fmt.Errorf("settle operation %s as %s: it is %s: %w", e.OperationID, e.State, row.State, store.ErrConflict)
}

// Effect implements store.Effects.
func (o *ops) Effect(ctx context.Context, operationID string) (store.Effect, error) {
	var e store.Effect
	err := o.session.read(ctx, func(c Conn) (err error) {
		e, err = o.effectRow(ctx, c, operationID, "")
		return err
	})
	return e, o.wrap(err, "load operation %s", operationID)
}

func (o *ops) effectRow(ctx context.Context, c Conn, id, lock string) (e store.Effect, err error) {
	err = one(ctx, c, `SELECT `+effectColumns+` FROM effects WHERE operation_id = $1`+lock, []any{id}, func(row Row) error {
		e, err = scanEffect(row)
		return err
	})
	return e, err
}

// EffectsOf implements store.Effects.
func (o *ops) EffectsOf(ctx context.Context, runID string) ([]store.Effect, error) {
	var out []store.Effect
	err := o.session.read(ctx, func(c Conn) error {
		out = nil
		return c.Query(ctx, `SELECT `+effectColumns+` FROM effects WHERE run_id = $1 ORDER BY prepared_at, operation_id`,
			[]any{runID}, func(row Row) error {
				e, err := scanEffect(row)
				out = append(out, e)
				return err
			})
	})
	return out, o.wrap(err, "list the effects of run %s", runID)
}
