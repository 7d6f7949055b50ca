package deploy

import (
	"context"
	"fmt"

	"terfyn/deploy/snapshot"
	"terfyn/internal/canon"
)

// Earlier is the content of an earlier snapshot, ready to be planned and
// applied like any other.
type Earlier struct {
	Content         snapshot.Content
	CompilerVersion string // of the release that made it, so that its digest comes out again
}

// LoadEarlier reads and verifies the snapshot to return to. A snapshot of
// another environment is refused: its overlay is not this one's.
func LoadEarlier(ctx context.Context, s snapshot.Source, environment string, to canon.Digest) (Earlier, error) {
	l, err := snapshot.Load(ctx, s, to)
	if err != nil {
		return Earlier{}, fmt.Errorf("roll back environment %q: %w", environment, err)
	}
	if l.Environment != environment {
		return Earlier{}, fmt.Errorf("roll back environment %q: snapshot %s belongs to environment %q", environment, to, l.Environment)
	}
	rebuilt, _, err := snapshot.Build(l.Content, l.Row.CompilerVersion)
	if err != nil {
		return Earlier{}, fmt.Errorf("roll back environment %q: %w", environment, err)
	}
	if rebuilt.Digest != to {
		return Earlier{}, fmt.Errorf("roll back environment %q: this release would store snapshot %s as %s; use the release that wrote it", environment, to, rebuilt.Digest)
	}
	return Earlier{Content: l.Content, CompilerVersion: l.Row.CompilerVersion}, nil
}
