package sqlstore

import (
	"context"
	"errors"
	"fmt"

	"terfyn/store"
)

// dispatchable reports the states from which a call may be sent.
func dispatchable(s store.EffectState) bool {
	return s == store.EffectPrepared || s == store.EffectNotSent
}

// BeginDispatch implements store.Effects.
func (o *ops) BeginDispatch(ctx context.Context, d store.Dispatch) (store.Effect, bool, error) {
	e := d.Effect
	if e.OperationID == "" || e.RunID == "" {
		return store.Effect{}, false, fmt.Errorf("dispatch operation %q of run %q: an effect needs both ids", e.OperationID, e.RunID)
	}
	d.At = orNow(d.At)
	d.Effect = store.Effect{
		OperationID: e.OperationID, RunID: e.RunID, CallSite: e.CallSite, Tool: e.Tool, Operation: e.Operation, Revision: e.Revision,
		State: store.EffectDispatching, ApprovalID: d.ApprovalID, Attempts: 1,
		PreparedAt: orDefault(e.PreparedAt, d.At), SentAt: d.At,
	}
	if d.ApprovalID == "" { // without a permit one statement settles the common case
		n, err := o.session.exec(ctx, insertEffect, o.effectArgs(d.Effect)...)
		if err != nil {
			return store.Effect{}, false, o.wrap(err, "dispatch operation %s", e.OperationID)
		}
		if n == 1 {
			return d.Effect, true, nil
		}
	}
	var row store.Effect
	var granted bool
	err := o.session.write(ctx, func(c Conn) (err error) {
		row, granted, err = o.dispatch(ctx, c, d)
		return err
	})
	if err != nil {
		return store.Effect{}, false, o.wrap(err, "dispatch operation %s", e.OperationID)
	}
	return row, granted, nil
}

// dispatch locks the approval before the effect row, as every method does, so
// two of them cannot wait for each other.
func (o *ops) dispatch(ctx context.Context, c Conn, d store.Dispatch) (store.Effect, bool, error) {
	approval, approvalErr := store.Approval{}, error(nil)
	if d.ApprovalID != "" {
		approval, approvalErr = o.approvalRow(ctx, c, d.ApprovalID, o.dialect.ForUpdate())
		if approvalErr != nil && !errors.Is(approvalErr, store.ErrNotFound) {
			return store.Effect{}, false, approvalErr
		}
	}
	row, err := o.effectRow(ctx, c, d.Effect.OperationID, o.dialect.ForUpdate())
	absent := errors.Is(err, store.ErrNotFound)
	if err != nil && !absent {
		return store.Effect{}, false, err
	}
	if !absent && !dispatchable(row.State) {
		return row, false, nil
	}
	if approvalErr != nil {
		return store.Effect{}, false, fmt.Errorf("approval %s: %w", d.ApprovalID, approvalErr)
	}
	if err := o.checkPermit(ctx, c, d, approval); err != nil {
		return store.Effect{}, false, err
	}
	if absent {
		return o.firstDispatch(ctx, c, d)
	}
	return o.repeatDispatch(ctx, c, d, row)
}

// checkPermit refuses unless the approval of d permits exactly this revision and
// no other operation has taken it.
func (o *ops) checkPermit(ctx context.Context, c Conn, d store.Dispatch, a store.Approval) error {
	if d.ApprovalID == "" {
		return nil
	}
	if a.Status != store.ApprovalApproved {
		return fmt.Errorf("approval %s is %s, not approved: %w", a.ID, a.Status, store.ErrConflict)
	}
	if a.Granted == "" || a.Granted != d.Effect.Revision {
		return fmt.Errorf("approval %s permits revision %s, not %s: %w", a.ID, a.Granted, d.Effect.Revision, store.ErrConflict)
	}
	return c.Query(ctx, `SELECT operation_id FROM effects WHERE approval_id = $1 AND approval_id <> ''`, []any{a.ID}, func(r Row) error {
		var holder string
		if err := r.Scan(&holder); err != nil {
			return err
		}
		if holder != d.Effect.OperationID {
			return fmt.Errorf("the permit of approval %s was taken by operation %s: %w", a.ID, holder, store.ErrConflict)
		}
		return nil
	})
}

func (o *ops) firstDispatch(ctx context.Context, c Conn, d store.Dispatch) (store.Effect, bool, error) {
	n, err := c.Exec(ctx, insertEffect, o.effectArgs(d.Effect)...)
	if err != nil {
		return store.Effect{}, false, err
	}
	if n == 1 {
		return d.Effect, true, nil
	}
	// Another dispatcher inserted the row after it was looked for.
	row, err := o.effectRow(ctx, c, d.Effect.OperationID, o.dialect.ForUpdate())
	if errors.Is(err, store.ErrNotFound) {
		err = fmt.Errorf("the permit of approval %s is taken: %w", d.ApprovalID, store.ErrConflict)
	}
	if err != nil {
		return store.Effect{}, false, err
	}
	return row, false, nil
}

// repeatDispatch sends a call again that is known not to have had an effect.
func (o *ops) repeatDispatch(ctx context.Context, c Conn, d store.Dispatch, row store.Effect) (store.Effect, bool, error) {
	if d.ApprovalID != row.ApprovalID {
		if err := o.replacePermit(ctx, c, d, row); err != nil {
			return store.Effect{}, false, err
		}
	} else if d.Effect.Revision != row.Revision {
		return store.Effect{}, false, fmt.Errorf("it was prepared as revision %s, not %s: %w", row.Revision, d.Effect.Revision, store.ErrConflict)
	}
	_, err := c.Exec(ctx, `UPDATE effects SET state = $2, approval_id = $3, revision = $4, tool = $5, operation = $6,
		attempts = attempts + 1, sent_at = $7, settled_at = NULL, error_text = '', reconciled = $8 WHERE operation_id = $1`,
		row.OperationID, string(store.EffectDispatching), d.ApprovalID, string(d.Effect.Revision), d.Effect.Tool, d.Effect.Operation,
		o.dialect.Time(d.At), false)
	if err != nil {
		return store.Effect{}, false, err
	}
	row, err = o.effectRow(ctx, c, row.OperationID, "")
	return row, err == nil, err
}

// replacePermit allows another permit only when the one the row holds is dead:
// exchanging a live one would set it free for a second operation.
func (o *ops) replacePermit(ctx context.Context, c Conn, d store.Dispatch, row store.Effect) error {
	if row.ApprovalID == "" {
		return nil
	}
	if d.ApprovalID == "" {
		return fmt.Errorf("it needs the permit of approval %s: %w", row.ApprovalID, store.ErrConflict)
	}
	old, err := o.approvalRow(ctx, c, row.ApprovalID, "")
	if err != nil {
		return err
	}
	if old.Status == store.ApprovalApproved {
		return fmt.Errorf("it holds the permit of approval %s: %w", old.ID, store.ErrConflict)
	}
	return nil
}
