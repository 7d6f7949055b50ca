package store

import (
	"context"
	"time"

	"terfyn/internal/canon"
)

// ArtifactKind says how the bytes of an artifact are to be read.
type ArtifactKind string

// The artifact kinds. Names are stored.
const (
	KindResolvedGraph ArtifactKind = "resolved_graph"
	KindExecutionIR   ArtifactKind = "execution_ir"
	KindManifest      ArtifactKind = "capability_manifest"
	KindSchemaBundle  ArtifactKind = "schema_bundle"
	KindTranscript    ArtifactKind = "transcript"
	KindPayload       ArtifactKind = "payload"
)

// Artifact is an immutable document filed under the digest of its bytes.
type Artifact struct {
	Digest        canon.Digest
	Kind          ArtifactKind
	FormatVersion int
	Bytes         []byte
	CreatedAt     time.Time // set by the store when zero
}

// Snapshot is the content-addressed root of what a run executes under. Digest
// is computed by the deploy package over the identity fields; the store files it.
type Snapshot struct {
	Digest          canon.Digest
	FormatVersion   int
	CompilerVersion string
	Environment     string
	Graph           canon.Digest
	ExecutionIR     canon.Digest
	Manifest        canon.Digest
	Schemas         canon.Digest
	CreatedAt       time.Time
}

// Current is the mutable pointer of one environment.
type Current struct {
	Environment string
	Snapshot    canon.Digest
	Version     int64 // grows by one with every apply; 0 = nothing applied yet
	UpdatedAt   time.Time
}

// AppliedResource is one resource as last applied to an environment.
type AppliedResource struct {
	Environment string
	Kind        string
	Name        string
	SpecHash    canon.Digest
	Normalized  []byte // canonical JSON
	AppliedAt   time.Time
}

// Apply records one completed apply or rollback.
type Apply struct {
	ID             string
	Environment    string
	Project        string
	Actor          string
	PlanDigest     canon.Digest
	SnapshotBefore canon.Digest // empty for the first apply
	SnapshotAfter  canon.Digest
	At             time.Time
}

// Deployment is everything one apply writes, in one transaction.
type Deployment struct {
	Artifacts       []Artifact
	Snapshot        Snapshot
	ExpectedVersion int64 // Current.Version the plan was computed on
	Resources       []AppliedResource
	Deleted         []ResourceKey
	Apply           Apply
}

// ResourceKey names a resource within an environment.
type ResourceKey struct{ Kind, Name string }

// Deployments holds what has been applied.
type Deployments interface {
	// PutArtifact files a under its digest; filing equal bytes again is a no-op.
	// ErrCorrupt when a.Digest is not the digest of a.Bytes.
	PutArtifact(ctx context.Context, a Artifact) error
	// Artifact loads and re-verifies. ErrNotFound, ErrCorrupt.
	Artifact(ctx context.Context, d canon.Digest) (Artifact, error)
	// Snapshot loads one snapshot row. ErrNotFound.
	Snapshot(ctx context.Context, d canon.Digest) (Snapshot, error)
	// Current returns the pointer; a never applied environment gives ErrNotFound.
	Current(ctx context.Context, environment string) (Current, error)
	// Deploy commits d atomically. ErrConflict when the environment's version is
	// not d.ExpectedVersion any more; nothing is written then.
	Deploy(ctx context.Context, d Deployment) (Current, error)
	// AppliedResources lists by kind, then name.
	AppliedResources(ctx context.Context, environment string) ([]AppliedResource, error)
	// Applies lists newest first, at most limit, older than before (zero = from the newest).
	Applies(ctx context.Context, environment string, before time.Time, limit int) ([]Apply, error)
}
