package sqlstore

import (
	"context"
	"fmt"
	"time"

	"terfyn/store"
)

const approvalColumns = `approval_id, run_id, call_site, kind, tool, operation, description, payload, revision, snapshot_digest,
	policy_digest, rule, allowed, edit_paths, approvers, min_approvals, submitter, status, granted, opened_at, expires_at, closed_at`

func scanApproval(row Row) (store.Approval, error) {
	var a store.Approval
	err := row.Scan(&a.ID, &a.RunID, &a.CallSite, &a.Kind, &a.Tool, &a.Operation, &a.Description, &a.Payload, &a.Revision, &a.Snapshot,
		&a.PolicyDigest, &a.Rule, listInto{&a.Allowed}, listInto{&a.EditPaths}, listInto{&a.Approvers}, &a.MinApprovals,
		&a.Submitter, &a.Status, &a.Granted, timeInto{&a.OpenedAt}, timeInto{&a.ExpiresAt}, timeInto{&a.ClosedAt})
	return a, err
}

// OpenApproval implements store.Approvals.
func (o *ops) OpenApproval(ctx context.Context, a store.Approval) (store.Approval, error) {
	if a.ID == "" || a.RunID == "" || a.Revision == "" {
		return store.Approval{}, fmt.Errorf("open approval %q: it needs an id, a run and a revision", a.ID)
	}
	if a.Status != "" && a.Status != store.ApprovalOpen {
		return store.Approval{}, fmt.Errorf("open approval %s: it cannot start as %s", a.ID, a.Status)
	}
	_, err := o.session.exec(ctx, `INSERT INTO approvals (`+approvalColumns+`) VALUES (`+marks(22)+`)
		ON CONFLICT (approval_id) DO NOTHING`,
		a.ID, a.RunID, a.CallSite, a.Kind, a.Tool, a.Operation, prose(a.Description), document(a.Payload), string(a.Revision), string(a.Snapshot),
		string(a.PolicyDigest), a.Rule, list(a.Allowed), list(a.EditPaths), list(a.Approvers), a.MinApprovals, a.Submitter,
		string(store.ApprovalOpen), "", o.dialect.Time(orNow(a.OpenedAt)), o.dialect.Time(micros(a.ExpiresAt)), nil)
	if err != nil {
		return store.Approval{}, o.wrap(err, "open approval %s", a.ID)
	}
	return o.Approval(ctx, a.ID)
}

// Approval implements store.Approvals.
func (o *ops) Approval(ctx context.Context, id string) (store.Approval, error) {
	var a store.Approval
	err := o.session.read(ctx, func(c Conn) (err error) {
		a, err = o.approvalRow(ctx, c, id, "")
		return err
	})
	return a, o.wrap(err, "load approval %s", id)
}

func (o *ops) approvalRow(ctx context.Context, c Conn, id, lock string) (a store.Approval, err error) {
	err = one(ctx, c, `SELECT `+approvalColumns+` FROM approvals WHERE approval_id = $1`+lock, []any{id}, func(row Row) error {
		a, err = scanApproval(row)
		return err
	})
	return a, err
}

// ListApprovals implements store.Approvals.
func (o *ops) ListApprovals(ctx context.Context, f store.ApprovalFilter) ([]store.Approval, error) {
	var w where
	if f.RunID != "" {
		w.add("run_id = $%d", f.RunID)
	}
	if f.Status != "" {
		w.add("status = $%d", string(f.Status))
	}
	if f.Before != (store.ApprovalCursor{}) {
		w.add("(opened_at, approval_id) < ($%d, $%d)", o.dialect.Time(micros(f.Before.OpenedAt)), f.Before.ID)
	}
	query := `SELECT ` + approvalColumns + ` FROM approvals` + w.String() +
		fmt.Sprintf(` ORDER BY opened_at DESC, approval_id DESC LIMIT %d`, limit(f.Limit, 50, 500))
	var out []store.Approval
	err := o.session.read(ctx, func(c Conn) error {
		out = nil
		return c.Query(ctx, query, w.args, func(row Row) error {
			a, err := scanApproval(row)
			out = append(out, a)
			return err
		})
	})
	return out, o.wrap(err, "list approvals")
}

// CloseApproval implements store.Approvals.
func (o *ops) CloseApproval(ctx context.Context, id string, status store.ApprovalStatus, at time.Time) error {
	switch status {
	case store.ApprovalExpired, store.ApprovalSuperseded, store.ApprovalRevoked:
	default:
		return fmt.Errorf("close approval %s: %q is not a way to close one", id, status)
	}
	err := o.session.write(ctx, func(c Conn) error {
		a, err := o.approvalRow(ctx, c, id, o.dialect.ForUpdate())
		if err != nil {
			return err
		}
		switch a.Status {
		case status:
			return nil
		case store.ApprovalOpen, store.ApprovalApproved:
		default:
			return fmt.Errorf("it is %s: %w", a.Status, store.ErrConflict)
		}
		if status == store.ApprovalRevoked {
			if err := o.permitUnused(ctx, c, id); err != nil {
				return err
			}
		}
		_, err = c.Exec(ctx, `UPDATE approvals SET status = $2, closed_at = $3 WHERE approval_id = $1`,
			id, string(status), o.dialect.Time(orNow(at)))
		return err
	})
	return o.wrap(err, "close approval %s as %s", id, status)
}

// permitUnused refuses when the call that the approval permits was sent: a
// revocation that comes too late must not read as one that worked.
func (o *ops) permitUnused(ctx context.Context, c Conn, id string) error {
	return c.Query(ctx, `SELECT operation_id, state FROM effects WHERE approval_id = $1 AND approval_id <> ''`, []any{id}, func(r Row) error {
		var operation string
		var state store.EffectState
		if err := r.Scan(&operation, &state); err != nil {
			return err
		}
		if dispatchable(state) {
			return nil
		}
		return fmt.Errorf("its permit was used by operation %s, which is %s: %w", operation, state, store.ErrConflict)
	})
}
