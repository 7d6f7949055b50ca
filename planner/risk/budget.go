package risk

import (
	"cmp"
	"math/big"

	"terfyn/compiler/resource"
)

// budget reports ceilings that rose or fell away. An absent cost or time
// ceiling is no ceiling; an absent turn ceiling is the built-in one.
func (a *assessment) budget(target string, before, after resource.Execution) {
	if was, is := amount(before.MaxTotalCostUSD), amount(after.MaxTotalCostUSD); was.Sign() > 0 {
		switch {
		case is.Sign() == 0:
			a.add(BudgetRelaxation, High, target, "Cost ceiling of %s USD removed (%s).", before.MaxTotalCostUSD, target)
		case is.Cmp(was) > 0:
			a.add(BudgetRelaxation, High, target, "Cost ceiling increased from %s to %s USD (%s).", before.MaxTotalCostUSD, after.MaxTotalCostUSD, target)
		}
	}
	if was, is := before.MaxWallClockSeconds, after.MaxWallClockSeconds; was > 0 {
		switch {
		case is == 0:
			a.add(BudgetRelaxation, Medium, target, "Time ceiling of %d seconds removed (%s).", was, target)
		case is > was:
			a.add(BudgetRelaxation, Medium, target, "Time ceiling increased from %d to %d seconds (%s).", was, is, target)
		}
	}
	was, is := cmp.Or(before.MaxIterations, resource.CeilingMaxIterations), cmp.Or(after.MaxIterations, resource.CeilingMaxIterations)
	if is > was {
		a.add(BudgetRelaxation, Medium, target, "Ceiling of agent turns increased from %d to %d (%s).", was, is, target)
	}
}

// amount reads an exact decimal; what is no number counts as absent.
func amount(text string) *big.Rat {
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		return new(big.Rat)
	}
	return r
}
