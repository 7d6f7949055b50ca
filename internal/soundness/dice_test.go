package soundness

import (
	"hash/fnv"
	"math/rand/v2"

	"terfyn/internal/canon"
)

// dice is a seeded source of choices.
type dice struct{ *rand.Rand }

// throw gives the dice of one purpose under a seed. The same seed and purpose always
// throw the same, whatever other goroutines do meanwhile.
func throw(seed uint64, purpose string) dice {
	h := fnv.New64a()
	_, _ = h.Write([]byte(purpose)) // never fails
	return dice{rand.New(rand.NewPCG(seed, h.Sum64()))}
}

// chance is true in percent of 100 cases.
func (d dice) chance(percent int) bool { return d.IntN(100) < percent }

func pick[T any](d dice, from []T) T { return from[d.IntN(len(from))] }

// some picks each element with a chance of percent, in order.
func some[T any](d dice, from []T, percent int) []T {
	var out []T
	for _, v := range from {
		if d.chance(percent) {
			out = append(out, v)
		}
	}
	return out
}

// record is a document of the shape that generated programs read: every field is
// there and has the kind that conditions and loops expect.
func record(d dice, depth int) canon.Value {
	fields := []canon.Field{
		canon.F("ok", canon.Bool(d.chance(50))), canon.F("n", canon.Int(int64(d.IntN(5)))),
		canon.F("s", canon.String(pick(d, []string{"x", "y", "z"}))),
	}
	if depth > 0 {
		items := make([]canon.Value, d.IntN(4))
		for i := range items {
			items[i] = record(d, 0)
		}
		fields = append(fields, canon.F("items", canon.List(items...)), canon.F("sub", record(d, depth-1)))
	}
	return canon.Object(fields...)
}
