package policy

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
	"time"

	"terfyn/compiler/resource"
)

// Budget is what a run may spend; zero fields are unbounded.
type Budget struct {
	MaxCostUSD string // exact decimal
	MaxActive  time.Duration
}

// BudgetFor is the workflow's budget: its policy's, and its own timeoutSeconds where
// that is shorter.
func BudgetFor(g *resource.Graph, workflow string) Budget {
	var b Budget
	policies, _ := governing(g, Call{Workflow: workflow})
	for _, p := range policies {
		if c := p.Execution.MaxTotalCostUSD; c != "" && c != "0" {
			b.MaxCostUSD = c
		}
		b.MaxActive = time.Duration(p.Execution.MaxWallClockSeconds) * time.Second
	}
	if w, _ := g.Workflow(workflow); w.TimeoutSeconds > 0 {
		if own := time.Duration(w.TimeoutSeconds) * time.Second; b.MaxActive == 0 || own < b.MaxActive {
			b.MaxActive = own
		}
	}
	return b
}

// AddCost adds two exact decimals; "" counts as 0.
func AddCost(a, b string) (string, error) {
	ra, err := decimal(a)
	if err != nil {
		return "", err
	}
	rb, err := decimal(b)
	if err != nil {
		return "", err
	}
	return spell(ra.Add(ra, rb)), nil
}

// OverCost reports whether spent exceeds the budget.
func (b Budget) OverCost(spent string) (bool, error) {
	if b.MaxCostUSD == "" {
		return false, nil
	}
	limit, err := decimal(b.MaxCostUSD)
	if err != nil {
		return false, err
	}
	s, err := decimal(spent)
	if err != nil {
		return false, err
	}
	return s.Cmp(limit) > 0, nil
}

func decimal(s string) (*big.Rat, error) {
	if s == "" {
		s = "0"
	}
	r, ok := new(big.Rat).SetString(s)
	if !ok || strings.Contains(s, "/") {
		return nil, fmt.Errorf("%q is not a decimal amount", s)
	}
	return r, nil
}

// spell writes a sum of decimals exactly, without trailing zeros. Costs have at
// most 18 fraction digits, far below a millionth of a cent.
func spell(r *big.Rat) string {
	s := r.FloatString(18)
	return strings.TrimRight(strings.TrimRight(s, "0"), ".")
}

// TurnLimit is the number of model turns an agent step may take before the
// closing one: the agent's request, else 8, under the governing ceiling, else 32
// (language.md 4.1).
func TurnLimit(g *resource.Graph, workflow, agent string) int {
	a, _ := g.Agent(agent)
	turns := a.Constraints.MaxIterations
	if turns == 0 {
		turns = resource.DefaultMaxIterations
	}
	ceiling := int64(resource.CeilingMaxIterations)
	policies, _ := governing(g, Call{Workflow: workflow})
	for _, p := range policies {
		if p.Execution.MaxIterations > 0 {
			ceiling = p.Execution.MaxIterations
		}
	}
	return int(min(turns, ceiling))
}

// RequiresStructure reports whether the workflow's policy demands structured output
// of its agents.
func RequiresStructure(g *resource.Graph, workflow string) bool {
	policies, _ := governing(g, Call{Workflow: workflow})
	return slices.ContainsFunc(policies, func(p resource.Policy) bool { return isTrue(p.Execution.RequireStructuredOutput) })
}

// PausesInLoop reports whether a gated call inside an agent loop suspends the
// run instead of being denied: every governing policy must say so.
func PausesInLoop(g *resource.Graph, c Call) bool {
	policies, missing := governing(g, c)
	return len(policies) > 0 && len(missing) == 0 && all(policies, func(p resource.Policy) bool { return p.Approvals.InLoop == "pause" })
}

// Expiry is the governing approval timeout (the shortest set) and what follows. No
// policy approves for people it names or counts: where deciders are declared,
// silence rejects.
func Expiry(g *resource.Graph, c Call) (after time.Duration, then string) {
	policies, _ := governing(g, c)
	for _, p := range policies {
		if p.Approvals.TimeoutSeconds == 0 {
			continue
		}
		d := time.Duration(p.Approvals.TimeoutSeconds) * time.Second
		if after == 0 || d < after {
			after, then = d, p.Approvals.OnTimeout
		}
	}
	if then == OnTimeoutApprove && !DecidersFor(g, "", c).Anybody() {
		then = ""
	}
	return after, then
}
