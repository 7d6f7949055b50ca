package check

import (
	"slices"

	"terfyn/compiler/source"
	"terfyn/compiler/syntax"
	"terfyn/internal/ordered"
)

func (c *checker) policy(p *syntax.PolicyDecl) {
	if p.Preset != nil && !slices.Contains(presets, p.Preset.Name) {
		c.add(unknownChoice(*p.Preset, "preset", presets))
	}
	c.execution(p.Execution)
	c.approvals(p.Approvals)
	if p.Effects != nil {
		c.effectNames(p.Effects.Permit)
		c.effectNames(p.Effects.PermitWithApproval)
	}
	if p.HITL != nil {
		c.hitl(p.HITL)
	}
}

func (c *checker) execution(e *syntax.Execution) {
	if e == nil {
		return
	}
	c.between("maxTotalCostUsd", e.MaxTotalCostUSD, "0", "")
	c.whole("maxWallClockSeconds", e.MaxWallClockSeconds)
	c.whole("maxIterations", e.MaxIterations)
}

func (c *checker) approvals(a *syntax.Approvals) {
	if a == nil {
		return
	}
	c.whole("minApprovals", a.MinApprovals)
	c.whole("timeoutSeconds", a.TimeoutSeconds)
	if a.RequiredFor == nil {
		return
	}
	seen := map[string]source.Span{}
	for _, r := range a.RequiredFor.Items {
		if first, twice := seen[r.String()]; twice {
			c.add(requiredTwice(r, first))
			continue
		}
		seen[r.String()] = r.Span()
		c.capability(r)
	}
}

// hitl checks that review options name tools and operations that exist.
func (c *checker) hitl(h *syntax.HITL) {
	if h.InterruptOn == nil {
		return
	}
	for _, r := range h.InterruptOn.Items {
		if _, ok := c.names.tools[r.Tool.Name]; !ok {
			c.missing(unknownTool(r.Tool, ordered.Keys(c.names.tools)))
			continue
		}
		if r.AllowedEditTools != nil {
			for _, op := range r.AllowedEditTools.Items {
				c.operation(r.Tool, textPlace(op), op.Value)
			}
		}
		if r.SwitchMap != nil {
			for _, entry := range r.SwitchMap.Items {
				c.operation(r.Tool, entry.From.Span(), entry.From.String())
				for _, to := range entry.To {
					c.operation(r.Tool, to.Span(), to.String())
				}
			}
		}
	}
}
