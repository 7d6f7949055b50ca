package snapshot

import (
	"context"
	"fmt"
	"sync"

	"terfyn/compiler/ir"
	"terfyn/compiler/resource"
	"terfyn/compiler/types"
	"terfyn/internal/canon"
	"terfyn/internal/ordered"
	"terfyn/store"
)

// Source is where snapshots are read from; every store is one.
type Source interface {
	Artifact(ctx context.Context, d canon.Digest) (store.Artifact, error)
	Snapshot(ctx context.Context, d canon.Digest) (store.Snapshot, error)
}

// Loaded is a verified snapshot. It is shared between runs: nothing in it may
// be changed.
type Loaded struct {
	Digest canon.Digest
	Row    store.Snapshot
	Content
	Manifest Manifest

	programs map[string]int
	schemas  map[string]func() (*types.Schema, error)

	hashOnce sync.Once
	hashes   map[resourceName]canon.Digest
}

type resourceName struct {
	kind resource.Kind
	name string
}

// Hash is the hash of one resource of the graph as pinned, "" when it is not in it.
func (l *Loaded) Hash(kind resource.Kind, name string) canon.Digest {
	l.hashOnce.Do(func() {
		l.hashes = map[resourceName]canon.Digest{}
		for _, r := range resource.Resources(l.Graph) {
			l.hashes[resourceName{r.Kind, r.Name}] = r.Hash
		}
	})
	return l.hashes[resourceName{kind, name}]
}

// Load reads the snapshot d and verifies it: the digest of the row, the digest,
// kind and format version of each artifact. Errors are store.ErrNotFound,
// store.ErrCorrupt and *FormatError, wrapped.
func Load(ctx context.Context, s Source, d canon.Digest) (*Loaded, error) {
	l, err := load(ctx, s, d)
	if err != nil {
		return nil, fmt.Errorf("load snapshot %s: %w", d, err)
	}
	return l, nil
}

// LoadPrograms reads only the programs of the snapshot d, verified like the whole.
func LoadPrograms(ctx context.Context, s Source, d canon.Digest) ([]ir.Program, error) {
	row, err := verifiedRow(ctx, s, d)
	if err != nil {
		return nil, fmt.Errorf("load the programs of snapshot %s: %w", d, err)
	}
	programs, err := readPrograms(ctx, s, row)
	if err != nil {
		return nil, fmt.Errorf("load the programs of snapshot %s: %w", d, err)
	}
	return programs, nil
}

func verifiedRow(ctx context.Context, s Source, d canon.Digest) (store.Snapshot, error) {
	row, err := s.Snapshot(ctx, d)
	if err != nil {
		return row, err
	}
	if row.FormatVersion != FormatVersion {
		return row, &FormatError{What: "snapshot", Found: int64(row.FormatVersion), Supported: FormatVersion}
	}
	if got := identity(row); got != d {
		return row, fmt.Errorf("the row gives digest %s: %w", got, store.ErrCorrupt)
	}
	return row, nil
}

func readPrograms(ctx context.Context, s Source, row store.Snapshot) ([]ir.Program, error) {
	b, err := verified(ctx, s, row.ExecutionIR, store.KindExecutionIR, ir.FormatVersion)
	if err != nil {
		return nil, err
	}
	programs, err := ir.DecodeSet(b)
	if err != nil {
		return nil, fmt.Errorf("decode the execution programs: %w", err)
	}
	return programs, nil
}

func load(ctx context.Context, s Source, d canon.Digest) (*Loaded, error) {
	row, err := verifiedRow(ctx, s, d)
	if err != nil {
		return nil, err
	}
	l := &Loaded{Digest: d, Row: row, Content: Content{Environment: row.Environment}}
	if err := l.readArtifacts(ctx, s); err != nil {
		return nil, err
	}
	l.programs = make(map[string]int, len(l.Programs))
	for i, p := range l.Programs {
		l.programs[p.Workflow] = i
	}
	l.schemas = make(map[string]func() (*types.Schema, error), len(l.Schemas))
	for _, path := range ordered.Keys(l.Schemas) {
		doc := l.Schemas[path]
		l.schemas[path] = sync.OnceValues(func() (*types.Schema, error) { return types.Load(path, doc) })
	}
	return l, nil
}

func (l *Loaded) readArtifacts(ctx context.Context, s Source) error {
	graph, err := verified(ctx, s, l.Row.Graph, store.KindResolvedGraph, resource.GraphFormat)
	if err != nil {
		return err
	}
	if l.Graph, err = resource.Decode(graph); err != nil {
		return fmt.Errorf("decode the resolved graph: %w", err)
	}
	if l.Programs, err = readPrograms(ctx, s, l.Row); err != nil {
		return err
	}
	manifest, err := verified(ctx, s, l.Row.Manifest, store.KindManifest, ManifestFormat)
	if err != nil {
		return err
	}
	if l.Manifest, err = DecodeManifest(manifest); err != nil {
		return err
	}
	schemas, err := verified(ctx, s, l.Row.Schemas, store.KindSchemaBundle, SchemasFormat)
	if err != nil {
		return err
	}
	l.Schemas, err = decodeSchemas(schemas)
	return err
}

// verified loads one artifact. A store verifies digests itself; doing it again
// here keeps the promise for any Source.
func verified(ctx context.Context, s Source, d canon.Digest, kind store.ArtifactKind, format int) ([]byte, error) {
	a, err := s.Artifact(ctx, d)
	if err != nil {
		return nil, fmt.Errorf("artifact %s: %w", kind, err)
	}
	if got := canon.Sum(a.Bytes); got != d {
		return nil, fmt.Errorf("artifact %s: bytes filed under %s have digest %s: %w", kind, d, got, store.ErrCorrupt)
	}
	if a.Kind != kind {
		return nil, fmt.Errorf("artifact %s: filed as %s: %w", d, a.Kind, store.ErrCorrupt)
	}
	if a.FormatVersion != format {
		return nil, &FormatError{What: "artifact " + string(kind), Found: int64(a.FormatVersion), Supported: int64(format)}
	}
	return a.Bytes, nil
}

// Program returns the program of a workflow and whether there is one.
func (l *Loaded) Program(workflow string) (ir.Program, bool) {
	i, ok := l.programs[workflow]
	if !ok {
		return ir.Program{}, false
	}
	return l.Programs[i], true
}

// Schema returns the compiled schema captured under path. It is compiled once
// and shared. A path that was not captured gives nil and no error: what had no
// schema at apply stays permissive.
func (l *Loaded) Schema(path string) (*types.Schema, error) {
	load, ok := l.schemas[path]
	if !ok {
		return nil, nil
	}
	schema, err := load()
	if err != nil {
		return nil, fmt.Errorf("compile the captured schema %s: %w", path, err)
	}
	return schema, nil
}
