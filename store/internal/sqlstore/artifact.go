package sqlstore

import (
	"context"
	"fmt"

	"terfyn/internal/canon"
	"terfyn/store"
)

const insertArtifact = `INSERT INTO deployment_artifacts (digest, kind, format_version, bytes, created_at)
VALUES ($1,$2,$3,$4,$5) ON CONFLICT (digest) DO NOTHING`

// PutArtifact implements store.Deployments.
func (o *ops) PutArtifact(ctx context.Context, a store.Artifact) error {
	if err := checkArtifact(a); err != nil {
		return err
	}
	_, err := o.session.exec(ctx, insertArtifact, o.artifactArgs(a)...)
	return o.wrap(err, "file artifact %s", a.Digest)
}

func checkArtifact(a store.Artifact) error {
	if sum := canon.Sum(a.Bytes); sum != a.Digest {
		return fmt.Errorf("file artifact %s: the bytes have the digest %s: %w", a.Digest, sum, store.ErrCorrupt)
	}
	return nil
}

func (o *ops) artifactArgs(a store.Artifact) []any {
	if a.Bytes == nil {
		a.Bytes = []byte{} // the column is never NULL
	}
	return []any{string(a.Digest), string(a.Kind), a.FormatVersion, a.Bytes, o.dialect.Time(orNow(a.CreatedAt))}
}

// Artifact implements store.Deployments.
func (o *ops) Artifact(ctx context.Context, d canon.Digest) (store.Artifact, error) {
	var a store.Artifact
	err := o.session.read(ctx, func(c Conn) error {
		return one(ctx, c, `SELECT digest, kind, format_version, bytes, created_at
			FROM deployment_artifacts WHERE digest = $1`, []any{string(d)}, func(r Row) error {
			return r.Scan(&a.Digest, &a.Kind, &a.FormatVersion, &a.Bytes, timeInto{&a.CreatedAt})
		})
	})
	if err != nil {
		return store.Artifact{}, o.wrap(err, "load artifact %s", d)
	}
	if sum := canon.Sum(a.Bytes); sum != d {
		return store.Artifact{}, fmt.Errorf("load artifact %s: the stored bytes have the digest %s: %w", d, sum, store.ErrCorrupt)
	}
	return a, nil
}

const insertSnapshot = `INSERT INTO deployment_snapshots (digest, format_version, compiler_version, environment,
	graph_digest, ir_digest, manifest_digest, schemas_digest, created_at)
VALUES ($1,$2,$3,$4,$5,$6,$7,$8,$9) ON CONFLICT (digest) DO NOTHING`

func (o *ops) snapshotArgs(s store.Snapshot) []any {
	return []any{
		string(s.Digest), s.FormatVersion, s.CompilerVersion, s.Environment,
		string(s.Graph), string(s.ExecutionIR), string(s.Manifest), string(s.Schemas), o.dialect.Time(orNow(s.CreatedAt)),
	}
}

// Snapshot implements store.Deployments.
func (o *ops) Snapshot(ctx context.Context, d canon.Digest) (store.Snapshot, error) {
	var s store.Snapshot
	err := o.session.read(ctx, func(c Conn) error {
		return one(ctx, c, `SELECT digest, format_version, compiler_version, environment,
			graph_digest, ir_digest, manifest_digest, schemas_digest, created_at
			FROM deployment_snapshots WHERE digest = $1`, []any{string(d)}, func(r Row) error {
			return r.Scan(&s.Digest, &s.FormatVersion, &s.CompilerVersion, &s.Environment,
				&s.Graph, &s.ExecutionIR, &s.Manifest, &s.Schemas, timeInto{&s.CreatedAt})
		})
	})
	if err != nil {
		return store.Snapshot{}, o.wrap(err, "load snapshot %s", d)
	}
	return s, nil
}
