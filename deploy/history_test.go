package deploy_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"terfyn/deploy"
	"terfyn/store"
)

// tampered is a store whose apply rows are given back changed.
type tampered struct {
	store.Store
	edit func([]store.Apply) []store.Apply
}

func (t tampered) Applies(ctx context.Context, environment string, before time.Time, limit int) ([]store.Apply, error) {
	list, err := t.Store.Applies(ctx, environment, before, limit)
	return t.edit(list), err
}

func TestHistoryMismatches(t *testing.T) {
	t.Parallel()
	s := openStore(t)
	if got, err := deploy.HistoryMismatches(t.Context(), s, "local"); err != nil || len(got) != 0 {
		t.Errorf("nothing applied: %v %v", got, err)
	}
	for i, text := range []string{"One.", "Two."} {
		c := desk(text)
		in := input(prepare(t, s, c), c)
		in.Now = noon.Add(time.Duration(i) * time.Minute)
		if _, err := deploy.Apply(t.Context(), s, in); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.Append(t.Context(), store.Event{RunID: store.ApplyChain("local"), Type: "note", CallSite: "apply-y"}); err != nil {
		t.Fatal(err) // what is no apply is nobody's row
	}
	for name, test := range map[string]struct {
		edit func([]store.Apply) []store.Apply
		want string
	}{
		"as recorded": {func(l []store.Apply) []store.Apply { return l }, ""},
		"row gone":    {func(l []store.Apply) []store.Apply { return l[1:] }, "has an event and no row"},
		"other actor": {func(l []store.Apply) []store.Apply { l[0].Actor = "eve"; return l }, "says something else than its event"},
		"row too many": {func(l []store.Apply) []store.Apply {
			return append(l, store.Apply{ID: "apply-x", At: noon.Add(time.Hour)})
		}, "apply-x has a row and no event"},
		"before the chain": {func(l []store.Apply) []store.Apply {
			return append(l, store.Apply{ID: "apply-0", At: noon.Add(-time.Hour)})
		}, ""},
	} {
		got, err := deploy.HistoryMismatches(t.Context(), tampered{s, test.edit}, "local")
		if err != nil || (test.want == "") != (len(got) == 0) || !strings.Contains(strings.Join(got, "; "), test.want) {
			t.Errorf("%s: %v %v, want %q", name, got, err, test.want)
		}
	}
}
