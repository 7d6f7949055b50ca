package sqlstore

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"terfyn/store"
)

const decisionColumns = `approval_id, n, decision, revision, granted, actor, verified, signature, reason, edit, at`

// Decide implements store.Approvals.
func (o *ops) Decide(ctx context.Context, d store.Decision, status store.ApprovalStatus) (store.Decision, error) {
	switch status {
	case "", store.ApprovalApproved, store.ApprovalRejected, store.ApprovalExpired, store.ApprovalSuperseded:
	default:
		return store.Decision{}, fmt.Errorf("decide approval %s: a decision cannot make it %q", d.ApprovalID, status)
	}
	d.At, d.Reason = orNow(d.At), prose(d.Reason)
	var out store.Decision
	err := o.session.write(ctx, func(c Conn) (err error) {
		out, err = o.decide(ctx, c, d, status)
		return err
	})
	if err != nil && !errors.Is(err, store.ErrConflict) {
		out = store.Decision{}
	}
	return out, o.wrap(err, "decide approval %s", d.ApprovalID)
}

func (o *ops) decide(ctx context.Context, c Conn, d store.Decision, status store.ApprovalStatus) (store.Decision, error) {
	a, err := o.approvalRow(ctx, c, d.ApprovalID, o.dialect.ForUpdate())
	if err != nil {
		return store.Decision{}, err
	}
	before, err := decisions(ctx, c, d.ApprovalID)
	if err != nil {
		return store.Decision{}, err
	}
	for _, b := range before {
		if b.Actor == d.Actor && b.Decision == d.Decision && b.Revision == d.Revision && b.Granted == d.Granted {
			return b, nil
		}
	}
	if a.Status != store.ApprovalOpen {
		var winner store.Decision
		if len(before) > 0 {
			winner = before[len(before)-1]
		}
		return winner, fmt.Errorf("it is %s already: %w", a.Status, store.ErrConflict)
	}
	if d.Revision != a.Revision {
		return store.Decision{}, fmt.Errorf("the decision is for revision %s, the request for %s: %w", d.Revision, a.Revision, store.ErrConflict)
	}
	d.N = len(before) + 1
	_, err = c.Exec(ctx, `INSERT INTO decisions (`+decisionColumns+`) VALUES (`+marks(11)+`)`,
		d.ApprovalID, d.N, d.Decision, string(d.Revision), string(d.Granted), d.Actor, d.Verified, d.Signature,
		d.Reason, document(d.Edit), o.dialect.Time(d.At))
	if err != nil || status == "" {
		return d, err
	}
	granted := ""
	if status == store.ApprovalApproved {
		granted = string(cmp.Or(d.Granted, d.Revision))
	}
	_, err = c.Exec(ctx, `UPDATE approvals SET status = $2, granted = $3, closed_at = $4 WHERE approval_id = $1`,
		d.ApprovalID, string(status), granted, o.dialect.Time(d.At))
	return d, err
}

// Decisions implements store.Approvals.
func (o *ops) Decisions(ctx context.Context, approvalID string) ([]store.Decision, error) {
	var out []store.Decision
	err := o.session.read(ctx, func(c Conn) (err error) {
		out, err = decisions(ctx, c, approvalID)
		return err
	})
	return out, o.wrap(err, "list the decisions on approval %s", approvalID)
}

func decisions(ctx context.Context, c Conn, approvalID string) ([]store.Decision, error) {
	var out []store.Decision
	err := c.Query(ctx, `SELECT `+decisionColumns+` FROM decisions WHERE approval_id = $1 ORDER BY n`, []any{approvalID}, func(r Row) error {
		var d store.Decision
		err := r.Scan(&d.ApprovalID, &d.N, &d.Decision, &d.Revision, &d.Granted, &d.Actor, &d.Verified, &d.Signature,
			&d.Reason, &d.Edit, timeInto{&d.At})
		out = append(out, d)
		return err
	})
	return out, err
}
