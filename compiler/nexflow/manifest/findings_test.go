package manifest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestFindingsKeepWhatMatters adds more than is held, in several orders, and
// compares the first records and the severities with those of all.
func TestFindingsKeepWhatMatters(t *testing.T) {
	t.Parallel()
	all := make([]Record, 0, 5*MaxHeld)
	for i := range cap(all) {
		all = append(all, Record{Severity: Info, Layer: SemanticLayer, File: "a.yaml", Path: fmt.Sprintf("/x/%06d", i)})
	}
	all[len(all)-1].Severity = Error
	all[len(all)-2].Severity = Warning
	dice := rand.New(rand.NewPCG(1, 2))
	for _, order := range []func([]Record){func([]Record) {}, slices.Reverse[[]Record], func(r []Record) {
		dice.Shuffle(len(r), func(i, j int) { r[i], r[j] = r[j], r[i] })
	}} {
		given := slices.Clone(all)
		order(given)
		var f Findings
		for _, r := range given {
			f.Add(r)
		}
		got := f.Records()
		if len(got) > 2*MaxHeld {
			t.Errorf("%d records are held", len(got))
		}
		Sort(got)
		if diff := cmp.Diff(all[:1000], got[:1000]); diff != "" {
			t.Errorf("the first records (-want +got):\n%s", diff)
		}
		for _, s := range []Severity{Error, Warning} {
			if !slices.ContainsFunc(got, func(r Record) bool { return r.Severity == s }) {
				t.Errorf("the %s was let go", s)
			}
		}
	}
}

// TestFewFindingsAreAllKept: nothing is let go below the bound.
func TestFewFindingsAreAllKept(t *testing.T) {
	t.Parallel()
	var f Findings
	for i := range MaxHeld {
		f.Add(Record{Severity: Error, Path: fmt.Sprint(i)})
	}
	if got := len(f.Records()); got != MaxHeld {
		t.Errorf("%d of %d records are held", got, MaxHeld)
	}
}
