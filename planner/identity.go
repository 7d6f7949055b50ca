package planner

import (
	"encoding/json"
	"fmt"

	"terfyn/internal/canon"
	"terfyn/planner/authority"
	"terfyn/planner/risk"
)

// JSON is the plan as documents show it; digest is a member of it.
func (p Plan) JSON() canon.Value {
	return p.document(wholeBounds).With("digest", canon.String(string(p.Digest())))
}

// Digest identifies what was reviewed: operations, deltas, risks, baseline and
// configuration. It leaves out what may change without the plan changing:
// advice of the linter, the status of evidence, which is recorded between a plan
// and its apply, and the runs that are open at the moment.
func (p Plan) Digest() canon.Digest {
	p.Evidence, p.PolicyLint, p.Refusals, p.OpenRuns = "", []Lint{}, []Refusal{}, OpenRuns{}
	kept, reasons := []risk.Item{}, []string{}
	for _, item := range p.RiskItems {
		if item.Category != risk.EvidenceMissing {
			kept = append(kept, item)
			reasons = append(reasons, item.Reason)
		}
	}
	p.RiskItems, p.Risk = kept, reasons
	return p.document(foldedBounds).Digest()
}

// document is the plan with its effect bounds as bounds writes them.
func (p Plan) document(bounds func([]authority.Bound) canon.Value) canon.Value {
	effects := bounds(p.EffectBound)
	p.EffectBound = nil
	return valueOf(p).With("effectBound", effects)
}

// valueOf is a value of plain fields as JSON.
func valueOf(fields any) canon.Value {
	raw, err := json.Marshal(fields)
	if err != nil {
		panic(fmt.Sprintf("planner: plain fields cannot be encoded: %v", err))
	}
	v, err := canon.Parse(raw)
	if err != nil {
		panic(fmt.Sprintf("planner: encoded fields are not JSON: %v", err))
	}
	return v
}
