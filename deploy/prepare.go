package deploy

import (
	"context"
	"errors"
	"fmt"

	"terfyn/compiler/resource"
	"terfyn/deploy/snapshot"
	"terfyn/internal/canon"
	"terfyn/planner"
	"terfyn/store"
)

// DefaultEnvironment is the name under which a project is applied without -e.
const DefaultEnvironment = "local"

// Reader is what planning reads from a store; every store is one, also one that
// was opened read-only.
type Reader interface {
	snapshot.Source
	Current(ctx context.Context, environment string) (store.Current, error)
	AppliedResources(ctx context.Context, environment string) ([]store.AppliedResource, error)
	ListRuns(ctx context.Context, f store.RunFilter) ([]store.Run, error)
}

// Options are the outcomes of checks made elsewhere, and the baseline's place.
type Options struct {
	// FromEnvironment compares with what is applied there; "" is the
	// environment of the content. Such a plan cannot be applied.
	FromEnvironment string
	// Evidence is the status for exactly this content, "" when nobody looked.
	Evidence   planner.Evidence
	PolicyLint []planner.Lint
}

// Prepare computes the plan from what is applied to what content declares. A
// nil Reader stands for a place where nothing was ever applied.
func Prepare(ctx context.Context, s Reader, content snapshot.Content, o Options) (planner.Plan, error) {
	from := o.FromEnvironment
	if from == "" {
		from = content.Environment
	}
	schemas, err := snapshot.ParseSchemas(content.Schemas)
	if err != nil {
		return planner.Plan{}, fmt.Errorf("plan environment %q: %w", content.Environment, err)
	}
	baseline, applied, err := readBaseline(ctx, s, from)
	if err != nil {
		return planner.Plan{}, fmt.Errorf("plan environment %q: %w", content.Environment, err)
	}
	in := planner.In{
		Environment: content.Environment, Desired: content.Graph, Programs: content.Programs, Schemas: schemas,
		Applied: applied, Baseline: baseline, Evidence: o.Evidence, PolicyLint: o.PolicyLint,
	}
	if s != nil {
		in.Previous, in.PreviousUnreadable = previous(ctx, s, in)
		if in.OpenRuns, err = openRuns(ctx, s, content.Environment, from); err != nil {
			return planner.Plan{}, fmt.Errorf("plan environment %q: %w", content.Environment, err)
		}
	}
	plan, err := planner.Compute(in)
	if err != nil {
		return planner.Plan{}, fmt.Errorf("plan environment %q: %w", content.Environment, err)
	}
	return plan, nil
}

// readBaseline reads the pointer first: when an apply comes in between, the
// version is the older one and applying the plan ends in a conflict.
func readBaseline(ctx context.Context, s Reader, environment string) (planner.Baseline, []planner.Applied, error) {
	baseline := planner.Baseline{Environment: environment}
	if s == nil {
		return baseline, nil, nil
	}
	current, err := s.Current(ctx, environment)
	if errors.Is(err, store.ErrNotFound) {
		return baseline, nil, nil
	}
	if err != nil {
		return baseline, nil, fmt.Errorf("read the current snapshot of environment %q: %w", environment, err)
	}
	baseline.Snapshot, baseline.Version = current.Snapshot, current.Version
	rows, err := s.AppliedResources(ctx, environment)
	if err != nil {
		return baseline, nil, fmt.Errorf("read the applied resources of environment %q: %w", environment, err)
	}
	applied := make([]planner.Applied, len(rows))
	for i, r := range rows {
		spec, err := canon.Parse(r.Normalized)
		if err != nil {
			return baseline, nil, fmt.Errorf("read the applied resource %s/%s: %w", r.Kind, r.Name, err)
		}
		applied[i] = planner.Applied{Kind: r.Kind, Name: r.Name, Hash: r.SpecHash, Spec: spec}
	}
	return baseline, applied, nil
}

// Pinned returns content as it is stored and compared: normalised, with the
// digest of its program in each workflow.
func Pinned(content snapshot.Content) snapshot.Content {
	content.Graph = resource.Normalize(planner.Pin(content.Graph, content.Programs))
	return content
}

// ConfigDigest identifies the configuration of content; it equals the
// resolvedConfigDigest of every plan made for it, whatever the baseline.
func ConfigDigest(content snapshot.Content) (canon.Digest, error) {
	schemas, err := snapshot.ParseSchemas(content.Schemas)
	if err != nil {
		return "", fmt.Errorf("identify the configuration of environment %q: %w", content.Environment, err)
	}
	return planner.ConfigDigest(content.Environment, planner.Resources(Pinned(content).Graph, schemas)), nil
}

// CurrentSnapshot returns what an environment runs. An environment that was
// never applied is an error that says so, wrapping store.ErrNotFound.
func CurrentSnapshot(ctx context.Context, s Reader, environment string) (store.Current, error) {
	current, err := s.Current(ctx, environment)
	if errors.Is(err, store.ErrNotFound) {
		return store.Current{}, fmt.Errorf("nothing is applied to environment %q yet; run terfyn apply first%w", environment, silent{err})
	}
	if err != nil {
		return store.Current{}, fmt.Errorf("look up the current snapshot of environment %q: %w", environment, err)
	}
	return current, nil
}
