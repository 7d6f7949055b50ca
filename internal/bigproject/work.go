package bigproject

import (
	"runtime"
	"testing"
)

// Growth is what twice the declarations may cost at most, as a factor. Exactly
// linear work costs 2; growing slices and maps adds a little, a quadratic step
// comes to 4.
const Growth = 2.2

// small is the number of declarations that is compared with twice of it.
const small = 400

// Linear compares counted work, never time: what run allocates, in objects and in
// bytes, for a project and for one of twice the declarations. prepare makes what
// run needs; it is not counted. The test that calls Linear must not be parallel,
// since whatever runs beside it would be counted too.
func Linear(t *testing.T, prepare func(declarations int) (run func())) {
	t.Helper()
	objects, bytes := factors(prepare)
	if objects > Growth || bytes > Growth {
		t.Errorf("twice the declarations cost %.2f times the objects and %.2f times the bytes; at most %.1f is linear", objects, bytes, Growth)
	}
	if objects < 1 || bytes < 1 {
		t.Errorf("twice the declarations cost less (%.2f, %.2f): nothing was counted", objects, bytes)
	}
}

func factors(prepare func(int) func()) (objects, bytes float64) {
	once, twice := spend(prepare(small)), spend(prepare(2*small))
	return float64(twice.objects) / float64(once.objects), float64(twice.bytes) / float64(once.bytes)
}

type spent struct{ objects, bytes uint64 }

// spend counts one run after another one has filled caches and pools.
func spend(run func()) spent {
	run()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	run()
	runtime.ReadMemStats(&after)
	return spent{after.Mallocs - before.Mallocs, after.TotalAlloc - before.TotalAlloc}
}
