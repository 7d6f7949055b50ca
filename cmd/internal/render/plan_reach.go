package render

import (
	"fmt"

	"terfyn/planner/authority"
)

func (p planPrinter) capabilities(list []authority.CapabilityChange) {
	if len(list) == 0 {
		return
	}
	p.heading(headCapability)
	for _, change := range list {
		p.line("  Agent/%s", change.Agent)
		for _, name := range change.Added {
			p.line("    %s %s", p.c.Good("+"), name)
		}
		for _, name := range change.Removed {
			p.line("    %s %s", p.c.Bad("-"), name)
		}
	}
}

func (p planPrinter) effectChanges(list []authority.EffectChange) {
	if len(list) == 0 {
		return
	}
	p.heading(headEffects)
	for _, e := range list {
		p.line("  %s: %s %s (%s)", e.Root, e.Change, e.Label(), e.Reachability)
	}
}

func (p planPrinter) bounds(s shown) {
	p.heading(headBound)
	for _, b := range s.EffectBound {
		reached, low := apart(b)
		cannot := s.cannotReach(b.Root, low)
		if len(reached) == 0 && cannot == "" {
			p.line("  %s: no effects", b.Root)
			continue
		}
		p.line("  %s", b.Root)
		for _, e := range reached {
			p.line("    %s  %s (%s)%s", p.severity(e.Severity), e.Label(), e.Reachability, reason(e))
			if len(e.Witness) > 0 {
				p.line("          by %s", Witness(e.Witness))
			}
		}
		if cannot != "" {
			p.line("    %s  %s", p.severity(authority.LowSeverity), cannot)
		}
	}
	if note := s.leftOut(); note != "" {
		p.line("  %s", note)
	}
}

func (p planPrinter) severity(s string) string { return p.graded(s, fmt.Sprintf("%-6s", s)) }

// graded colours text by a severity.
func (p planPrinter) graded(severity, text string) string {
	switch severity {
	case "high":
		return p.c.Bad(text)
	case "medium":
		return p.c.Careful(text)
	}
	return text
}

func (p planPrinter) state(s authority.State) string {
	if s == authority.Widened {
		return p.c.Bad(string(s))
	}
	return string(s)
}
