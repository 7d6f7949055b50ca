package rules

import (
	"terfyn/compiler/nexflow/manifest"
	"terfyn/compiler/nexflow/refs"
)

// CheckWithin is Check with other bounds. It gives the steps that were counted too.
func CheckWithin(x *refs.Index, mostSteps, mostPairs int) (found []manifest.Record, steps int) {
	c := newChecker(x, mostSteps, mostPairs)
	found = c.check()
	for _, e := range c.efforts {
		steps += e.spent
	}
	return found, steps
}

// The bounds of Check.
const (
	MostSteps = mostSteps
	MostPairs = mostPairs
)
