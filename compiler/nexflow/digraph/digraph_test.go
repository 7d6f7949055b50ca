package digraph_test

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"terfyn/compiler/nexflow/digraph"
)

func build(nodes []string, arcs ...[2]string) *digraph.Graph {
	g := digraph.New()
	for _, n := range nodes {
		g.Node(n)
	}
	for _, a := range arcs {
		g.Arc(a[0], a[1])
	}
	return g
}

func TestCycles(t *testing.T) {
	t.Parallel()
	nodes := []string{"d", "b", "a", "c"}
	for _, row := range []struct {
		name string
		arcs [][2]string
		want [][]string
	}{
		{name: "no arcs"},
		{name: "no circle", arcs: [][2]string{{"a", "b"}, {"b", "c"}, {"a", "c"}}},
		{"one node", [][2]string{{"a", "a"}}, [][]string{{"a"}}},
		{"all", [][2]string{{"a", "b"}, {"b", "c"}, {"c", "d"}, {"d", "a"}}, [][]string{{"a", "b", "c", "d"}}},
		{"two, by their first members", [][2]string{{"d", "c"}, {"c", "d"}, {"b", "b"}}, [][]string{{"b"}, {"c", "d"}}},
		{"two circles with a common node are one component", [][2]string{{"a", "b"}, {"b", "a"}, {"b", "c"}, {"c", "b"}}, [][]string{{"a", "b", "c"}}},
		{name: "arcs that lead out of the graph", arcs: [][2]string{{"a", "x"}, {"x", "a"}, {"x", "x"}}},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(row.want, build(nodes, row.arcs...).Cycles()); diff != "" {
				t.Errorf("cycles (-want +got):\n%s", diff)
			}
		})
	}
}

func TestDirectPredecessors(t *testing.T) {
	t.Parallel()
	g := build([]string{"a", "b", "c", "a"}, [2]string{"c", "a"}, [2]string{"b", "a"}, [2]string{"c", "a"})
	if diff := cmp.Diff([]string{"c", "b"}, g.Direct("a")); diff != "" {
		t.Errorf("predecessors (-want +got):\n%s", diff)
	}
	if got := g.Direct("x"); got != nil {
		t.Errorf("predecessors of no node are %q", got)
	}
}

// TestAgainstAllPairs compares with a table of all pairs, over many small graphs.
func TestAgainstAllPairs(t *testing.T) {
	t.Parallel()
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 1))
		n := 1 + r.IntN(60)
		var ids []string
		reach := make([][]bool, n)
		for i := range n {
			ids = append(ids, strconv.Itoa(1000+i))
			reach[i] = make([]bool, n)
		}
		r.Shuffle(n, func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
		g := build(ids)
		for range r.IntN(2 * n) {
			a, b := r.IntN(n), r.IntN(n)
			g.Arc(ids[a], ids[b])
			reach[a][b] = true
		}
		for k := range n {
			for i := range n {
				for j := range n {
					reach[i][j] = reach[i][j] || reach[i][k] && reach[k][j]
				}
			}
		}
		if diff := cmp.Diff(cyclesByTable(ids, reach), g.Cycles()); diff != "" {
			t.Fatalf("seed %d: cycles (-want +got):\n%s", seed, diff)
		}
		checkAsks(t, g, ids, reach, r)
	}
}

func cyclesByTable(ids []string, reach [][]bool) [][]string {
	var out [][]string
	seen := map[int]bool{}
	for i := range ids {
		if seen[i] || !reach[i][i] {
			continue
		}
		var members []string
		for j := range ids {
			if reach[i][j] && reach[j][i] {
				seen[j] = true
				members = append(members, ids[j])
			}
		}
		slices.Sort(members)
		out = append(out, members)
	}
	slices.SortFunc(out, slices.Compare[[]string])
	return out
}

func checkAsks(t *testing.T, g *digraph.Graph, ids []string, reach [][]bool, r *rand.Rand) {
	t.Helper()
	pick := func(most int) (out []int) {
		for range r.IntN(most + 1) {
			out = append(out, r.IntN(len(ids)))
		}
		return out
	}
	name := func(nodes []int) (out []string) {
		for _, n := range nodes {
			out = append(out, ids[n])
		}
		return out
	}
	var asks []digraph.Ask
	var want [][]string
	for range r.IntN(150) {
		from, to := pick(3), pick(5)
		asks = append(asks, digraph.Ask{From: name(from), To: name(to)})
		var missing []string
		for _, b := range to {
			if !slices.ContainsFunc(from, func(a int) bool { return a == b || reach[a][b] }) {
				missing = append(missing, ids[b])
			}
		}
		want = append(want, missing)
	}
	if diff := cmp.Diff(want, g.Unreached(asks)); len(asks) > 0 && diff != "" {
		t.Fatalf("unreached (-want +got):\n%s", diff)
	}
}

// A chain of very many nodes must neither exhaust the stack nor take quadratic
// time; the questions span the whole chain.
func TestLongChain(t *testing.T) {
	t.Parallel()
	const n = 30_000
	g := digraph.New()
	for i := range n {
		g.Node(strconv.Itoa(i))
	}
	var asks []digraph.Ask
	for i := range n - 1 {
		g.Arc(strconv.Itoa(i), strconv.Itoa(i+1))
		asks = append(asks, digraph.Ask{From: []string{strconv.Itoa(i)}, To: []string{strconv.Itoa(i + 1)}})
	}
	asks = append(asks, digraph.Ask{From: []string{"0"}, To: []string{strconv.Itoa(n - 1)}}, digraph.Ask{From: []string{"5"}, To: []string{"4"}})
	if c := g.Cycles(); c != nil {
		t.Errorf("a chain has %d circles", len(c))
	}
	got := g.Unreached(asks)
	for i, missing := range got[:n] {
		if missing != nil {
			t.Fatalf("question %d is not answered by the chain", i)
		}
	}
	if diff := cmp.Diff([]string{"4"}, got[n]); diff != "" {
		t.Errorf("backwards (-want +got):\n%s", diff)
	}
	g.Arc(strconv.Itoa(n-1), "0")
	if c := g.Cycles(); len(c) != 1 || len(c[0]) != n {
		t.Errorf("a ring is %d components", len(c))
	}
}
