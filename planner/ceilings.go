package planner

import (
	"math/big"
	"strconv"

	"terfyn/compiler/resource"
	"terfyn/internal/ordered"
)

// CeilingChange is a ceiling of a policy that moves. An empty side has none.
type CeilingChange struct {
	Policy string `json:"policy"`
	Field  string `json:"field"` // maxTotalCostUsd, maxWallClockSeconds, maxIterations
	Before string `json:"before"`
	After  string `json:"after"`
	Change string `json:"change"` // raised, lowered, added, removed
}

// ceilingChanges lists what moves in the policies of either side. A policy that
// comes or goes has its ceilings added or removed.
func ceilingChanges(before, after resource.Graph) []CeilingChange {
	names := map[string]bool{}
	for _, p := range before.Policies {
		names[p.Name] = true
	}
	for _, p := range after.Policies {
		names[p.Name] = true
	}
	old, now := byName(before.Policies, policyName), byName(after.Policies, policyName)
	out := []CeilingChange{}
	for _, name := range ordered.Keys(names) {
		was, is := old[name].Execution, now[name].Execution
		for _, f := range []struct{ field, before, after string }{
			{"maxTotalCostUsd", was.MaxTotalCostUSD, is.MaxTotalCostUSD},
			{"maxWallClockSeconds", orNone(was.MaxWallClockSeconds), orNone(is.MaxWallClockSeconds)},
			{"maxIterations", orNone(was.MaxIterations), orNone(is.MaxIterations)},
		} {
			if change := moved(f.before, f.after); change != "" {
				out = append(out, CeilingChange{Policy: name, Field: f.field, Before: f.before, After: f.after, Change: change})
			}
		}
	}
	return out
}

func policyName(p resource.Policy) string { return p.Name }

func orNone(n int64) string {
	if n == 0 {
		return ""
	}
	return strconv.FormatInt(n, 10)
}

// moved compares two exact decimals; "" when they are equal.
func moved(before, after string) string {
	was, had := new(big.Rat).SetString(before)
	is, has := new(big.Rat).SetString(after)
	switch {
	case !had && has:
		return "added"
	case had && !has:
		return "removed"
	case !had || was.Cmp(is) == 0:
		return ""
	case was.Cmp(is) < 0:
		return "raised"
	}
	return "lowered"
}
