package deploy_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"terfyn/deploy"
	"terfyn/internal/canon"
	"terfyn/store"
)

var errDisk = errors.New("disk on fire")

// broken is a store that fails in one place, or gives back one strange row.
type broken struct {
	store.Store
	current, resources, deploy error
	row                        *store.AppliedResource
}

func (b broken) Current(ctx context.Context, environment string) (store.Current, error) {
	if b.current != nil {
		return store.Current{}, b.current
	}
	return b.Store.Current(ctx, environment)
}

func (b broken) AppliedResources(ctx context.Context, environment string) ([]store.AppliedResource, error) {
	if b.resources != nil {
		return nil, b.resources
	}
	rows, err := b.Store.AppliedResources(ctx, environment)
	if b.row != nil {
		rows = append(rows, *b.row)
	}
	return rows, err
}

func (b broken) InTx(ctx context.Context, f func(tx store.Tx) error) error {
	if b.deploy != nil {
		return b.deploy
	}
	return b.Store.InTx(ctx, f)
}

// A baseline that cannot be read is never taken for an empty one.
func TestUnreadableBaselineIsAnError(t *testing.T) {
	t.Parallel()
	s, c := openStore(t), desk("Write.")
	apply(t, s, desk("Base."))
	plan := prepare(t, s, c)
	before := stateOf(t, s, "local")
	for _, test := range []struct {
		name, text string
		store      broken
		is         error
	}{
		{"pointer", "current snapshot", broken{current: errDisk}, errDisk},
		{"rows", "applied resources", broken{resources: errDisk}, errDisk},
		{"row that is no JSON", "Agent/odd", broken{row: &store.AppliedResource{Kind: "Agent", Name: "odd", Normalized: []byte(`{`)}}, nil},
		{"kind of a newer release", "Robot/odd", broken{row: &store.AppliedResource{Kind: "Robot", Name: "odd", SpecHash: canon.Sum(nil), Normalized: []byte(`{}`)}}, nil},
		{"commit", "apply to environment", broken{deploy: errDisk}, errDisk},
	} {
		test.store.Store = s
		_, err := deploy.Apply(t.Context(), test.store, input(plan, c))
		if err == nil || !strings.Contains(err.Error(), test.text) || test.is != nil && !errors.Is(err, test.is) || errors.Is(err, store.ErrConflict) {
			t.Errorf("%s: %v", test.name, err)
		}
	}
	if after := stateOf(t, s, "local"); after.Current != before.Current || len(after.Applies) != len(before.Applies) {
		t.Errorf("%+v", after)
	}
	if _, err := deploy.CurrentSnapshot(t.Context(), broken{Store: s, current: errDisk}, "local"); !errors.Is(err, errDisk) || errors.Is(err, store.ErrNotFound) {
		t.Errorf("%v", err)
	}
}

// Content that is no whole project is refused before the store is touched.
func TestIncompleteContentIsRefused(t *testing.T) {
	t.Parallel()
	s, c := openStore(t), desk("Write.")
	c.Programs = nil
	if _, err := deploy.Apply(t.Context(), s, input(prepare(t, s, c), c)); err == nil || !strings.Contains(err.Error(), `workflow "answer" has no program`) {
		t.Errorf("%v", err)
	}
	if st := stateOf(t, s, "local"); st.Current.Version != 0 {
		t.Errorf("%+v", st)
	}
}
