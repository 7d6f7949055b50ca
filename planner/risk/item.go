// Package risk owns what a reviewer has to look at in a plan: named categories
// of loosened rules and widened reach, each with a severity, a sentence and,
// where there is one, the path that shows it. It compares two graphs; it leaves
// out which fields differ (planner/diff) and what may be done about it.
package risk

import (
	"cmp"
	"slices"
	"strings"

	"terfyn/compiler/effects"
)

// Severity grades an item.
type Severity string

// The severities.
const (
	High   Severity = "high"
	Medium Severity = "medium"
	Low    Severity = "low"
)

// Category names what kind of loosening an item is. Names are stable.
type Category string

// The categories.
const (
	ApprovalRemoval       Category = "approval_removal"
	ApprovalTimeout       Category = "approval_timeout"
	ApproverRelaxation    Category = "approver_relaxation"
	SignatureRelaxation   Category = "signature_relaxation"
	PolicyRelaxation      Category = "policy_relaxation"
	BudgetRelaxation      Category = "budget_relaxation"
	EffectPermitWidening  Category = "effect_permit_widening"
	EgressWidening        Category = "egress_widening"
	AuthorityWidening     Category = "authority_widening"
	CapabilityDelta       Category = "capability_delta"
	EffectDelta           Category = "effect_delta"
	ToolSurfaceChange     Category = "tool_surface_change"
	ToolTransportChange   Category = "tool_transport_change"
	IdempotencyWeakened   Category = "idempotency_weakened"
	ModelChange           Category = "model_change"
	RuntimeTargetChange   Category = "runtime_target_change"
	TriggerAdded          Category = "trigger_added"
	DefinitionUnversioned Category = "definition_unversioned"
	EvidenceMissing       Category = "evidence_missing"
)

// Categories lists every category, sorted.
func Categories() []Category {
	return []Category{
		ApprovalRemoval, ApprovalTimeout, ApproverRelaxation, AuthorityWidening, BudgetRelaxation, CapabilityDelta,
		DefinitionUnversioned, EffectDelta, EffectPermitWidening, EgressWidening, EvidenceMissing, IdempotencyWeakened,
		ModelChange, PolicyRelaxation, RuntimeTargetChange, SignatureRelaxation, ToolSurfaceChange, ToolTransportChange,
		TriggerAdded,
	}
}

// Item is one thing to look at.
type Item struct {
	Category Category      `json:"category"`
	Severity Severity      `json:"severity"`
	Reason   string        `json:"reason"` // one sentence
	Target   string        `json:"target"` // Kind/name
	Witness  []effects.Hop `json:"witness,omitempty"`
}

func rank(s Severity) int {
	switch s {
	case High:
		return 0
	case Medium:
		return 1
	}
	return 2
}

// Sort puts the gravest first, then by category, target and reason.
func Sort(items []Item) {
	slices.SortStableFunc(items, func(a, b Item) int {
		return cmp.Or(
			rank(a.Severity)-rank(b.Severity),
			strings.Compare(string(a.Category), string(b.Category)),
			strings.Compare(a.Target, b.Target),
			strings.Compare(a.Reason, b.Reason),
		)
	})
}
