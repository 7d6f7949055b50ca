package cli

import (
	"context"
	"errors"

	"terfyn/compiler/resource"
	"terfyn/deploy"
	"terfyn/store"
)

// readingApplied is reading for what is applied to the environment. Without a state
// things are not as expected; an environment to which nothing is applied has to be
// one that the project declares.
func (a *app) readingApplied(ctx context.Context, f func(context.Context, store.Store) error) error {
	err := a.reading(ctx, func(ctx context.Context, s store.Store) error {
		_, err := s.Current(ctx, a.environment())
		if errors.Is(err, store.ErrNotFound) {
			err = a.knownEnvironment()
		}
		if err != nil {
			return err
		}
		return f(ctx, s)
	})
	if !errors.Is(err, store.ErrMissing) {
		return err
	}
	if unknown := a.knownEnvironment(); unknown != nil {
		return unknown
	}
	return &coded{code: ExitConflict, cause: err}
}

// knownEnvironment refuses the name of an environment that the project does not
// declare. Where there is no valid project to ask, every name may be right.
func (a *app) knownEnvironment() error {
	if a.environment() == deploy.DefaultEnvironment || !a.hasSources() {
		return nil
	}
	r, ds, err := a.compile(true)
	if err != nil || ds.HasErrors() {
		return err
	}
	if _, err := overlay(r.Graph, a.environment()); errors.Is(err, resource.ErrUnknownEnvironment) {
		return &coded{code: ExitInvalid, cause: err}
	}
	return nil
}
