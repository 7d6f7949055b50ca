package session

import (
	"go.temporal.io/sdk/workflow"

	"terfyn/internal/ordered"
	"terfyn/workflows/contract"
	"terfyn/workflows/internal/call"
)

// Full reports whether the history is long enough to continue as new.
func (s *Session) Full(ctx workflow.Context) bool {
	info := workflow.GetInfo(ctx)
	if s.rollover > 0 && info.GetCurrentHistoryLength() >= s.rollover {
		return true
	}
	return info.GetContinueAsNewSuggested()
}

// Rollover notes in the store what this execution hands to the next one.
func (s *Session) Rollover(ctx workflow.Context, c *contract.Carried) error {
	_, err := call.Local(ctx, contract.RecordEvents, contract.RecordEventsIn{Ref: s.Ref(), Carried: c, At: workflow.Now(ctx)})
	return err
}

// Carry adds the session's state to c; waiting events go with Rollover.
func (s *Session) Carry(c *contract.Carried) {
	c.CostUSD, c.TokensIn, c.TokensOut = s.costUSD, s.tokensIn, s.tokensOut
	c.Started, c.Waited, c.Shown = s.started, s.waited, s.shown
	c.Ordinals = Counters(s.ordinals)
}

func (s *Session) restore(c *contract.Carried) {
	s.costUSD, s.tokensIn, s.tokensOut = c.CostUSD, c.TokensIn, c.TokensOut
	s.started, s.waited, s.shown = c.Started, c.Waited, c.Shown
	for _, o := range c.Ordinals {
		s.ordinals[o.Name] = o.N
	}
}

// Counters lists a map of counts by name.
func Counters(m map[string]int) []contract.Counter {
	out := make([]contract.Counter, 0, len(m))
	for _, name := range ordered.Keys(m) {
		out = append(out, contract.Counter{Name: name, N: m[name]})
	}
	return out
}
