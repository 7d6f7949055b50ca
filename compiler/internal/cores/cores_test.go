package cores

import (
	"fmt"
	"testing"
)

func TestEachCallsOnce(t *testing.T) {
	t.Parallel()
	for _, n := range []int{0, 1, 2, 1000} {
		got := make([]int, n)
		Each(n, func(i int) { got[i]++ })
		for i, calls := range got {
			if calls != 1 {
				t.Fatalf("of %d: %d was called %d times", n, i, calls)
			}
		}
	}
}

func TestPanicReachesTheCaller(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1, 50} {
		got := func() (p any) {
			defer func() { p = recover() }()
			Each(n, func(i int) { panic(fmt.Sprint("bug in ", i)) })
			return nil
		}()
		if s, ok := got.(string); !ok || len(s) < len("bug in 0") {
			t.Errorf("of %d: got %v", n, got)
		}
	}
}
