package cli

import (
	"context"
	"errors"
	"fmt"

	"terfyn/deploy"
	"terfyn/internal/canon"
	"terfyn/store"
	"terfyn/store/audit"
)

// auditedApplies is the outcome of checking the applies of one environment; a zero
// line means that there is no chain to check.
type auditedApplies struct {
	intact bool
	value  canon.Value
	line   string
}

// auditApplies checks the chain that applies and rollbacks leave, and that their
// rows agree with it.
func (a *app) auditApplies(ctx context.Context, s store.Store) (auditedApplies, error) {
	out := auditedApplies{intact: true, value: canon.Null()}
	r, err := audit.Verify(ctx, s, store.ApplyChain(a.environment()))
	if errors.Is(err, store.ErrNotFound) {
		return out, nil
	}
	if err != nil {
		return out, err
	}
	problems, err := deploy.HistoryMismatches(ctx, s, a.environment())
	if err != nil {
		return out, fmt.Errorf("compare the applies of environment %s with their chain: %w", a.environment(), err)
	}
	if r.Problem != nil {
		problems = append([]string{string(r.Problem.Kind) + ": " + r.Problem.Text}, problems...)
	}
	out.intact = len(problems) == 0
	out.value = canon.Object(
		str("environment", a.environment()), canon.F("events", canon.Int(r.Count)), str("head", string(r.Head)),
		canon.F("intact", canon.Bool(out.intact)), canon.F("problems", canon.Strings(problems)),
	)
	result := "intact"
	if !out.intact {
		result = problems[0]
	}
	out.line = fmt.Sprintf("Applies to environment %s: %s, chain head %s, %s", a.environment(), count(int(r.Count), "event", "events"), r.Head.Short(), result)
	return out, nil
}
