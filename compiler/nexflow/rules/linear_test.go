package rules_test

import (
	"testing"

	"terfyn/compiler/nexflow/rules"
	"terfyn/compiler/nexflow/settest"
	"terfyn/internal/bigproject"
)

// TestHostileSetsAreLinear counts what each shape allocates, and for one of twice
// the size.
func TestHostileSetsAreLinear(t *testing.T) {
	for name, set := range map[string]func(n int) settest.Files{
		"permissions about all":      func(n int) settest.Files { return wide(t, 10, n) },
		"many permissions about all": func(n int) settest.Files { return wide(t, n, 20) },
		"narrow permissions, denied": func(n int) settest.Files { return denied(t, n) },
		"powerless task":             func(n int) settest.Files { return powerless(t, n, 50, false) },
		"approvers of their own":     func(n int) settest.Files { return selfMade(t, n, n) },
		"risks that are denied":      func(n int) settest.Files { return shut(t, n) },
		"network":                    func(n int) settest.Files { return network(t, 3, n) },
	} {
		t.Run(name, func(t *testing.T) {
			bigproject.Linear(t, func(n int) func() {
				x := set(n).Index()
				return func() { rules.Check(x) }
			})
		})
	}
}

// TestHostileStepsAreLinear counts steps where no bound ends the comparison.
func TestHostileStepsAreLinear(t *testing.T) {
	t.Parallel()
	for name, set := range map[string]func(n int) settest.Files{
		"permissions about all": func(n int) settest.Files { return wide(t, 10, n) },
		"powerless task":        func(n int) settest.Files { return powerless(t, n, 50, false) },
		"risks that are denied": func(n int) settest.Files { return shut(t, n) },
	} {
		_, once := rules.CheckWithin(set(500).Index(), rules.MostSteps, rules.MostPairs)
		_, twice := rules.CheckWithin(set(1000).Index(), rules.MostSteps, rules.MostPairs)
		if once == 0 || twice > 2*once {
			t.Errorf("%s: %d steps, and %d for twice the size", name, once, twice)
		}
	}
}
