package sqlstore

import (
	"context"
	"fmt"
	"time"

	"terfyn/store"
)

// Current implements store.Deployments.
func (o *ops) Current(ctx context.Context, environment string) (store.Current, error) {
	cur := store.Current{Environment: environment}
	err := o.session.read(ctx, func(c Conn) error {
		return one(ctx, c, `SELECT snapshot_digest, version, updated_at FROM deployment_env_current
			WHERE environment = $1`, []any{environment}, func(r Row) error {
			return r.Scan(&cur.Snapshot, &cur.Version, timeInto{&cur.UpdatedAt})
		})
	})
	if err != nil {
		return store.Current{}, o.wrap(err, "load the current snapshot of environment %s", environment)
	}
	return cur, nil
}

// Deploy implements store.Deployments.
func (o *ops) Deploy(ctx context.Context, d store.Deployment) (store.Current, error) {
	if err := checkDeployment(d); err != nil {
		return store.Current{}, err
	}
	cur := store.Current{
		Environment: d.Apply.Environment, Snapshot: d.Snapshot.Digest,
		Version: d.ExpectedVersion + 1, UpdatedAt: orNow(d.Apply.At),
	}
	d.Apply.At = cur.UpdatedAt
	err := o.session.write(ctx, func(c Conn) error {
		// The pointer goes first: it is the lock, and a loser stops before it writes.
		if err := o.movePointer(ctx, c, cur); err != nil {
			return err
		}
		for _, a := range d.Artifacts {
			if _, err := c.Exec(ctx, insertArtifact, o.artifactArgs(a)...); err != nil {
				return err
			}
		}
		if _, err := c.Exec(ctx, insertSnapshot, o.snapshotArgs(d.Snapshot)...); err != nil {
			return err
		}
		if err := o.putResources(ctx, c, d); err != nil {
			return err
		}
		return o.recordApply(ctx, c, d.Apply)
	})
	if err != nil {
		return store.Current{}, o.wrap(err, "apply to environment %s", d.Apply.Environment)
	}
	return cur, nil
}

func checkDeployment(d store.Deployment) error {
	env := d.Apply.Environment
	if env == "" || d.Apply.ID == "" || d.Snapshot.Digest == "" {
		return fmt.Errorf("apply to environment %q: the apply needs an id, an environment and a snapshot", env)
	}
	if d.Snapshot.Environment != env {
		return fmt.Errorf("apply to environment %s: the snapshot is for %q", env, d.Snapshot.Environment)
	}
	for _, a := range d.Artifacts {
		if err := checkArtifact(a); err != nil {
			return err
		}
	}
	for _, r := range d.Resources {
		if r.Environment != env && r.Environment != "" {
			return fmt.Errorf("apply to environment %s: %s/%s is for %q", env, r.Kind, r.Name, r.Environment)
		}
	}
	return nil
}

// movePointer sets the environment's pointer when it stands where the plan saw it.
func (o *ops) movePointer(ctx context.Context, c Conn, cur store.Current) error {
	args := []any{cur.Environment, string(cur.Snapshot), cur.Version, o.dialect.Time(cur.UpdatedAt)}
	query := `INSERT INTO deployment_env_current (environment, snapshot_digest, version, updated_at)
		VALUES ($1,$2,$3,$4) ON CONFLICT (environment) DO NOTHING`
	if cur.Version != 1 {
		query = `UPDATE deployment_env_current SET snapshot_digest = $2, version = $3, updated_at = $4
			WHERE environment = $1 AND version = $3 - 1`
	}
	n, err := c.Exec(ctx, query, args...)
	if err == nil && n == 0 {
		err = fmt.Errorf("it is not at version %d any more: %w", cur.Version-1, store.ErrConflict)
	}
	return err
}

func (o *ops) putResources(ctx context.Context, c Conn, d store.Deployment) error {
	for _, r := range d.Resources {
		_, err := c.Exec(ctx, `INSERT INTO applied_resources (env, kind, name, spec_hash, normalized_spec, applied_at)
			VALUES ($1,$2,$3,$4,$5,$6) ON CONFLICT (env, kind, name) DO UPDATE SET
			spec_hash = excluded.spec_hash, normalized_spec = excluded.normalized_spec, applied_at = excluded.applied_at`,
			d.Apply.Environment, r.Kind, r.Name, string(r.SpecHash), document(r.Normalized), o.dialect.Time(orDefault(r.AppliedAt, d.Apply.At)))
		if err != nil {
			return err
		}
	}
	for _, k := range d.Deleted {
		_, err := c.Exec(ctx, `DELETE FROM applied_resources WHERE env = $1 AND kind = $2 AND name = $3`,
			d.Apply.Environment, k.Kind, k.Name)
		if err != nil {
			return err
		}
	}
	return nil
}

func orDefault(t, def time.Time) time.Time {
	if t.IsZero() {
		return def
	}
	return micros(t)
}

func (o *ops) recordApply(ctx context.Context, c Conn, a store.Apply) error {
	n, err := c.Exec(ctx, `INSERT INTO applies (id, env, project, actor, plan_digest, snapshot_before, snapshot_after, at)
		VALUES ($1,$2,$3,$4,$5,$6,$7,$8) ON CONFLICT (id) DO NOTHING`,
		a.ID, a.Environment, a.Project, a.Actor, string(a.PlanDigest), string(a.SnapshotBefore), string(a.SnapshotAfter), o.dialect.Time(a.At))
	if err == nil && n == 0 {
		err = fmt.Errorf("the id %s is taken: %w", a.ID, store.ErrConflict)
	}
	return err
}

// AppliedResources implements store.Deployments.
func (o *ops) AppliedResources(ctx context.Context, environment string) ([]store.AppliedResource, error) {
	var out []store.AppliedResource
	err := o.session.read(ctx, func(c Conn) error {
		out = nil
		return c.Query(ctx, `SELECT env, kind, name, spec_hash, normalized_spec, applied_at FROM applied_resources
			WHERE env = $1 ORDER BY kind, name`, []any{environment}, func(row Row) error {
			var r store.AppliedResource
			err := row.Scan(&r.Environment, &r.Kind, &r.Name, &r.SpecHash, &r.Normalized, timeInto{&r.AppliedAt})
			out = append(out, r)
			return err
		})
	})
	return out, o.wrap(err, "list the resources applied to %s", environment)
}

// Applies implements store.Deployments.
func (o *ops) Applies(ctx context.Context, environment string, before time.Time, max int) ([]store.Apply, error) {
	var w where
	w.add("env = $%d", environment)
	if !before.IsZero() {
		w.add("at < $%d", o.dialect.Time(micros(before)))
	}
	var out []store.Apply
	err := o.session.read(ctx, func(c Conn) error {
		out = nil
		query := `SELECT id, env, project, actor, plan_digest, snapshot_before, snapshot_after, at FROM applies` +
			w.String() + fmt.Sprintf(` ORDER BY at DESC, id DESC LIMIT %d`, limit(max, 50, 500))
		return c.Query(ctx, query, w.args, func(r Row) error {
			var a store.Apply
			err := r.Scan(&a.ID, &a.Environment, &a.Project, &a.Actor, &a.PlanDigest, &a.SnapshotBefore, &a.SnapshotAfter, timeInto{&a.At})
			out = append(out, a)
			return err
		})
	})
	return out, o.wrap(err, "list the applies of %s", environment)
}
