package cli

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/spf13/cobra"

	"terfyn/cmd/internal/render"
	"terfyn/internal/canon"
	"terfyn/store"
)

func newState(a *app) *cobra.Command {
	list := &cobra.Command{
		Use: "list", Short: "List the applied resources of the environment", Args: arguments(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.readingApplied(cmd.Context(), a.stateList)
		},
	}
	show := &cobra.Command{
		Use: "show KIND/NAME", Short: "Show one resource as it was last applied", Args: arguments(1, 1, "a resource, such as agent/assistant"),
		RunE: func(cmd *cobra.Command, args []string) error {
			kind, name, err := target(args[0])
			if err != nil {
				return err
			}
			return a.readingApplied(cmd.Context(), func(ctx context.Context, s store.Store) error { return a.stateShow(ctx, s, kind, name) })
		},
	}
	return group("state", "Applied state", list, show)
}

// reading opens the state for reading around f.
func (a *app) reading(ctx context.Context, f func(context.Context, store.Store) error) (err error) {
	s, err := a.readState(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	return f(ctx, s)
}

func (a *app) stateList(ctx context.Context, s store.Store) error {
	rows, err := s.AppliedResources(ctx, a.environment())
	if err != nil {
		return err
	}
	current, err := s.Current(ctx, a.environment())
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return err
	}
	applies, err := s.Applies(ctx, a.environment(), time.Time{}, 1)
	if err != nil {
		return err
	}
	last := store.Apply{}
	if len(applies) > 0 {
		last = applies[0]
	}
	resources := make([]canon.Value, len(rows))
	for i, r := range rows {
		resources[i] = canon.Object(str("kind", r.Kind), str("name", r.Name), str("specHash", string(r.SpecHash)), str("appliedAt", render.Stamp(r.AppliedAt)))
	}
	return a.show(func(w io.Writer) { stateTable(w, rows, last) },
		str("environment", a.environment()), canon.F("resources", canon.List(resources...)),
		canon.F("appliedProject", canon.Object(
			str("projectName", last.Project), str("snapshot", string(current.Snapshot)), canon.F("version", canon.Int(current.Version)),
			str("appliedAt", render.Stamp(last.At)), str("actor", last.Actor), str("planDigest", string(last.PlanDigest)),
		)))
}

func stateTable(w io.Writer, rows []store.AppliedResource, last store.Apply) {
	if len(rows) == 0 {
		say(w, "No applied resources")
		return
	}
	say(w, "Applied project: %s", last.Project)
	cells := make([][]string, len(rows))
	for i, r := range rows {
		cells[i] = []string{r.Kind, r.Name, r.SpecHash.Short(), render.Time(r.AppliedAt)}
	}
	render.Table(w, []string{"KIND", "NAME", "SPEC_HASH", "APPLIED"}, cells)
}

func (a *app) stateShow(ctx context.Context, s store.Store, kind, name string) error {
	rows, err := s.AppliedResources(ctx, a.environment())
	if err != nil {
		return err
	}
	for _, r := range rows {
		if !isKind(r.Kind, kind) || r.Name != name {
			continue
		}
		spec, err := canon.Parse(r.Normalized)
		if err != nil {
			return failf(ExitFailure, "read the applied resource %s/%s: %w", r.Kind, r.Name, err)
		}
		return a.showResource(r.Kind, r.Name, r.SpecHash, spec, str("appliedAt", render.Stamp(r.AppliedAt)))
	}
	return usagef("%s/%s is not applied to environment %s; terfyn state list shows what is", kind, name, a.environment())
}
