package resource

import (
	"fmt"
	"testing"
)

// TestFindHalves counts comparisons: in a sorted list they grow by one or two when
// the list doubles.
func TestFindHalves(t *testing.T) {
	t.Parallel()
	compared := func(n int) (most int) {
		agents := make([]Agent, n)
		for i := range agents {
			agents[i].Name = fmt.Sprintf("A%06d", i)
		}
		for i := range agents {
			count := 0
			got, ok := find(agents, agents[i].Name, func(a *Agent) string {
				count++
				return a.Name
			})
			if !ok || got.Name != agents[i].Name {
				t.Fatalf("%d of %d: found %q, %t", i, n, got.Name, ok)
			}
			most = max(most, count)
		}
		return most
	}
	if once, twice := compared(1000), compared(2000); once > 20 || twice > once+2 {
		t.Errorf("%d comparisons in 1000 agents, %d in 2000", once, twice)
	}
}

func TestFindInUnsortedLists(t *testing.T) {
	t.Parallel()
	names := []string{"d", "b", "e", "a", "c"}
	g := Graph{}
	for _, n := range names {
		g.Tools = append(g.Tools, Tool{Name: n})
	}
	for _, n := range names {
		if got, ok := g.Tool(n); !ok || got.Name != n {
			t.Errorf("%s: found %q, %t", n, got.Name, ok)
		}
	}
	if _, ok := g.Tool("cc"); ok {
		t.Error("found a tool that is not there")
	}
}
