package bigproject

import (
	"bytes"
	"testing"
)

// TestMix holds what benchmarks rely on: twice the declarations are twice of
// everything, and about 500 bytes each.
func TestMix(t *testing.T) {
	t.Parallel()
	count := func(n int) (declarations, size int) {
		for _, f := range Files(n) {
			for _, word := range []string{"\nagent ", "\nworkflow ", "\ntool ", "\npolicy "} {
				declarations += bytes.Count(f.Data, []byte(word))
			}
			size += len(f.Data)
		}
		return declarations, size
	}
	for _, n := range []int{10, 1_000, 2_000} {
		got, size := count(n)
		if got != n {
			t.Errorf("%d declarations instead of %d", got, n)
		}
		if each := size / n; n > 10 && (each < 400 || each > 700) {
			t.Errorf("%d bytes for each of %d declarations", each, n)
		}
	}
}

// TestFactors shows that the count tells a quadratic step from a linear one, both
// in many objects and in few that grow.
func TestFactors(t *testing.T) {
	var keep [][]byte
	work := func(objects, size func(n int) int) func(int) func() {
		return func(n int) func() {
			return func() {
				keep = keep[:0]
				for range objects(n) {
					keep = append(keep, make([]byte, size(n)))
				}
			}
		}
	}
	linear := func(n int) int { return n }
	fixed := func(int) int { return 64 }
	square := func(n int) int { return n * n / 8 }
	if objects, bytes := factors(work(linear, fixed)); objects > Growth || bytes > Growth {
		t.Errorf("linear work counts as %.2f and %.2f", objects, bytes)
	}
	if objects, _ := factors(work(square, fixed)); objects < 3.5 {
		t.Errorf("quadratic objects count as %.2f", objects)
	}
	if _, bytes := factors(work(linear, linear)); bytes < 3.5 {
		t.Errorf("quadratic bytes count as %.2f", bytes)
	}
}

func TestSpendCounts(t *testing.T) {
	var keep [][]byte
	got := spend(func() { keep = append(keep[:0], make([]byte, 1<<20), make([]byte, 1<<20)) })
	if got.objects < 2 || got.bytes < 2<<20 || len(keep) != 2 {
		t.Errorf("counted %+v for two objects of a megabyte", got)
	}
}
