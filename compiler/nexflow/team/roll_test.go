package team_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"terfyn/compiler/nexflow/manifest"
	"terfyn/compiler/nexflow/team"
	"terfyn/internal/canon"
)

// lists is random lists of the ids x0, x1, …; whoever has a small number is on many
// of them.
func lists(r *rand.Rand, count, ids int) []manifest.Node {
	out := make([]canon.Value, count)
	for i := range out {
		var list []string
		for id := range ids {
			if r.IntN(1+id*id) == 0 {
				list = append(list, fmt.Sprint("x", id), fmt.Sprint("x", id))
			}
		}
		out[i] = canon.Strings(list)
	}
	return (&manifest.Document{Root: canon.List(out...)}).Node().Items()
}

// naming is the numbers of the lists that name an id.
func naming(lists []manifest.Node, id string) []int {
	var out []int
	for i, list := range lists {
		if list.Lists(id) {
			out = append(out, i)
		}
	}
	return out
}

func TestRollKnowsWhoIsListed(t *testing.T) {
	t.Parallel()
	const ids = 40
	for _, count := range []int{0, 1, 63, 64, 65, 1000} {
		r := rand.New(rand.NewPCG(uint64(count), 3))
		all := lists(r, count, ids)
		roll := team.NewRoll(all)
		for id := range ids {
			one := fmt.Sprint("x", id)
			named := naming(all, one)
			if got := (roll.Class(one) == team.Unlisted); got != (named == nil) {
				t.Errorf("%d lists: %s is not listed: %v, though %d name it", count, one, got, len(named))
			}
			if steps := roll.Of(one).Size(); steps > (count+63)/64 {
				t.Errorf("%d lists: going through those of %s takes %d steps", count, one, steps)
			}
			for other := range ids {
				checkCommon(t, roll, all, one, fmt.Sprint("x", other))
			}
		}
	}
}

func checkCommon(t *testing.T, roll *team.Roll, all []manifest.Node, one, other string) {
	t.Helper()
	a, b := naming(all, one), naming(all, other)
	if same := roll.Class(one) == roll.Class(other); same != slices.Equal(a, b) {
		t.Errorf("%s and %s are one class: %v", one, other, same)
	}
	both := slices.DeleteFunc(slices.Clone(a), func(i int) bool { return !slices.Contains(b, i) })
	n, m := roll.Of(one), roll.Of(other)
	if diff := cmp.Diff(both, slices.AppendSeq([]int(nil), n.Common(m)), equalEmpty); diff != "" {
		t.Errorf("lists of %s and %s (-want +got):\n%s", one, other, diff)
	}
	first, ok := n.First(m)
	if ok != (len(both) > 0) || ok && first != both[0] {
		t.Errorf("first list of %s and %s is %d, %v", one, other, first, ok)
	}
	odd := team.NewBits(len(all))
	for i := 1; i < len(all); i += 2 {
		odd.Add(i)
	}
	among := slices.DeleteFunc(slices.Clone(both), func(i int) bool { return i%2 == 0 })
	if diff := cmp.Diff(among, slices.AppendSeq([]int(nil), n.CommonAmong(m, odd)), equalEmpty); diff != "" {
		t.Errorf("odd lists of %s and %s (-want +got):\n%s", one, other, diff)
	}
	if meets := slices.ContainsFunc(a, func(i int) bool { return i%2 == 1 }); n.Meets(odd) != meets {
		t.Errorf("%s is on an odd list: %v", one, !meets)
	}
	sum := team.NewBits(len(all))
	n.AddTo(sum)
	m.AddTo(sum)
	union := slices.Compact(slices.Sorted(slices.Values(slices.Concat(a, b))))
	if diff := cmp.Diff(union, slices.AppendSeq([]int(nil), sum.All()), equalEmpty); diff != "" {
		t.Errorf("all lists of %s and %s (-want +got):\n%s", one, other, diff)
	}
}

// equalEmpty takes nil and empty lists for the same.
var equalEmpty = cmp.Transformer("shown", func(list []int) string { return strings.Trim(fmt.Sprint(list), "[]") })

func TestBitsAreCut(t *testing.T) {
	t.Parallel()
	for from := range 200 {
		b := team.NewBits(200)
		for i := 0; i < 200; i += 3 {
			b.Add(i)
		}
		b.Remove(99)
		var want []int
		for i := 0; i < from; i += 3 {
			if i != 99 {
				want = append(want, i)
			}
		}
		cut := b.CutFrom(from)
		if diff := cmp.Diff(want, slices.AppendSeq([]int(nil), b.All()), equalEmpty); diff != "" || cut != 66-len(want) {
			t.Errorf("from %d: %d are cut (-want +got):\n%s", from, cut, diff)
		}
	}
}
