package deploy

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"terfyn/deploy/snapshot"
	"terfyn/internal/canon"
	"terfyn/internal/ordered"
	"terfyn/planner"
	"terfyn/store"
)

// Where drift is found.
const (
	DriftSnapshot = "snapshot" // the current snapshot cannot be used
	DriftState    = "state"    // stored rows are not those of the snapshot
	DriftProject  = "project"  // the project declares something else than is applied
)

// Finding is one difference between what is applied and what there is.
type Finding struct {
	Source  string `json:"source"`
	Target  string `json:"target"`  // Kind/name, or the digest of a snapshot
	Reason  string `json:"reason"`  // stable word
	Message string `json:"message"` // one sentence
}

// StoredDrift compares the rows of an environment with the snapshot it runs; the
// list is sorted and never nil. An environment to which nothing was applied is an
// error wrapping store.ErrNotFound.
func StoredDrift(ctx context.Context, s Reader, environment string) ([]Finding, error) {
	current, err := CurrentSnapshot(ctx, s, environment)
	if err != nil {
		return nil, err
	}
	l, err := snapshot.Load(ctx, s, current.Snapshot)
	switch {
	case snapshot.Unusable(err):
		return []Finding{{DriftSnapshot, string(current.Snapshot), "unusable", fmt.Sprintf("The current snapshot cannot be used: %v.", err)}}, nil
	case err != nil:
		return nil, fmt.Errorf("compare the state of environment %q: %w", environment, err)
	}
	schemas, err := snapshot.ParseSchemas(l.Schemas)
	if err != nil {
		return nil, fmt.Errorf("compare the state of environment %q: %w", environment, err)
	}
	rows, err := s.AppliedResources(ctx, environment)
	if err != nil {
		return nil, fmt.Errorf("read the applied resources of environment %q: %w", environment, err)
	}
	return compareRows(planner.Resources(l.Graph, schemas), rows), nil
}

func compareRows(want []planner.Applied, rows []store.AppliedResource) []Finding {
	have := map[string]store.AppliedResource{}
	for _, r := range rows {
		have[r.Kind+"/"+r.Name] = r
	}
	out := []Finding{}
	found := func(target, reason, format string) {
		out = append(out, Finding{DriftState, target, reason, fmt.Sprintf(format, target)})
	}
	for _, r := range want {
		target := r.Kind + "/" + r.Name
		row, stored := have[target]
		delete(have, target)
		switch {
		case !stored:
			found(target, "missing", "%s is in the snapshot and has no row.")
		case row.SpecHash != r.Hash || !sameSpec(row.Normalized, r.Spec):
			found(target, "altered", "The row of %s is not what the snapshot holds.")
		}
	}
	for _, target := range ordered.Keys(have) {
		found(target, "unknown", "%s has a row and is not in the snapshot.")
	}
	sortFindings(out)
	return out
}

func sameSpec(stored []byte, want canon.Value) bool {
	v, err := canon.Parse(stored)
	return err == nil && canon.Equal(v, want)
}

// ProjectDrift words a plan as drift: what is declared and what is applied differ.
func ProjectDrift(p planner.Plan) []Finding {
	words := map[planner.Action][2]string{
		planner.Create: {"not_applied", "%s is declared and not applied."},
		planner.Update: {"changed", "%s is declared in another way than it is applied."},
		planner.Delete: {"not_declared", "%s is applied and not declared any more."},
	}
	out := []Finding{}
	for _, o := range p.Operations {
		w := words[o.Action]
		out = append(out, Finding{DriftProject, o.Target(), w[0], fmt.Sprintf(w[1], o.Target())})
	}
	sortFindings(out)
	return out
}

func sortFindings(list []Finding) {
	slices.SortStableFunc(list, func(a, b Finding) int {
		return cmp.Or(strings.Compare(a.Source, b.Source), strings.Compare(a.Target, b.Target))
	})
}
