package planner

import (
	"terfyn/internal/canon"
	"terfyn/planner/authority"
	"terfyn/planner/diff"
	"terfyn/planner/loops"
	"terfyn/planner/risk"
)

// Action is what happens to a resource.
type Action string

// The actions.
const (
	Create Action = "create"
	Update Action = "update"
	Delete Action = "delete"
)

// KindSchema is the kind of a captured schema document in plans and applied
// state; its name is its project-relative path.
const KindSchema = "Schema"

// Plan is the reviewed difference between what is declared and what is applied.
// Lists are never nil and have one order.
type Plan struct {
	Project     string      `json:"project"`
	Environment string      `json:"environment"`
	Operations  []Operation `json:"operations"` // creates, updates, deletes; each by kind and name
	Summary     Summary     `json:"summary"`

	EffectBound     []authority.Bound            `json:"effectBound"`
	CapabilityDelta []authority.CapabilityChange `json:"capabilityDelta"`
	EffectDelta     []authority.EffectChange     `json:"effectDelta"`
	Authority       authority.States             `json:"authority"`

	// Risk holds the reasons of RiskItems, in their order.
	Risk      []string    `json:"risk"`
	RiskItems []risk.Item `json:"riskItems"`

	// Loops, LoopCalls and Turns bound how often things happen under the desired
	// configuration, changed or not.
	Loops     []loops.Loop `json:"loops"`
	LoopCalls []loops.Call `json:"loopCalls"`
	Turns     []Turns      `json:"turns"`

	Approvals   []Approval         `json:"approvals"`
	Triggers    []TriggerChange    `json:"triggers"`
	Definitions []DefinitionChange `json:"definitions"`
	Ceilings    []CeilingChange    `json:"ceilings"`
	Programs    []ProgramChange    `json:"programs"` // of updated workflows
	OpenRuns    OpenRuns           `json:"openRuns"`

	Evidence   Evidence  `json:"evidence"`
	PolicyLint []Lint    `json:"policyLint"`
	Refusals   []Refusal `json:"refusals"`

	DeploymentBaseline   Baseline     `json:"deploymentBaseline"`
	ResolvedConfigDigest canon.Digest `json:"resolvedConfigDigest"`
}

// Operation is one resource to change. Secrets in Diff are masked.
type Operation struct {
	Action Action        `json:"action"`
	Kind   string        `json:"kind"`
	Name   string        `json:"name"`
	Diff   []diff.Change `json:"diff"`
}

// Target is Kind/name.
func (o Operation) Target() string { return o.Kind + "/" + o.Name }

// Summary counts the operations.
type Summary struct {
	Create int `json:"create"`
	Update int `json:"update"`
	Delete int `json:"delete"`
}

// Baseline is the applied state a plan was computed on. The zero version means
// that nothing was applied yet.
type Baseline struct {
	Environment string       `json:"environment"`
	Snapshot    canon.Digest `json:"snapshot,omitempty"`
	Version     int64        `json:"version"`
}

// Approval is an operation that will stop for a person, and which rule says so.
type Approval struct {
	Capability string `json:"capability"`
	Workflow   string `json:"workflow"`
	Agent      string `json:"agent,omitempty"` // who may choose it; empty for a written call
	Source     string `json:"source"`          // explicit_policy_rule, safety_metadata, fail_closed_default, approval_statement
	Rule       string `json:"rule"`
}

// TriggerChange is a trigger to create, update or delete; null values stand for
// the side where it does not exist.
type TriggerChange struct {
	Action   Action      `json:"action"`
	Workflow string      `json:"workflow"`
	Kind     string      `json:"kind"`
	Key      string      `json:"key"` // event name, or ordinal of the schedule
	Before   canon.Value `json:"before"`
	After    canon.Value `json:"after"`
}

// DefinitionChange is an agent that gets another definition version, or whose
// content changed without one.
type DefinitionChange struct {
	Agent       string `json:"agent"`
	Before      string `json:"before"`
	After       string `json:"after"`
	Replaces    string `json:"replaces,omitempty"`
	Summary     string `json:"changeSummary,omitempty"`
	Unversioned bool   `json:"unversioned"` // other content under the version it had
}

// Evidence is the status of the acceptance evidence for what is planned.
type Evidence string

// The statuses the planner knows. Any other one is worse than EvidenceCurrent.
const (
	EvidenceUnchecked Evidence = "not-checked"      // nobody looked
	EvidenceCurrent   Evidence = "evidence-current" // the only one that satisfies requireEvidence
)

// Lint is one piece of advice about a policy; it never stops an apply.
type Lint struct {
	Code     string `json:"code"`
	Policy   string `json:"policy"`
	Severity string `json:"severity"`
	Message  string `json:"message"`
}

// Refusal is a reason why policy forbids to apply the plan.
type Refusal struct {
	Category risk.Category `json:"category"`
	Target   string        `json:"target"`
	Reason   string        `json:"reason"`
}

// Empty reports whether there is nothing to apply.
func (p Plan) Empty() bool { return len(p.Operations) == 0 }

// Widens reports whether static or autonomous authority grows.
func (p Plan) Widens() bool {
	return p.Authority.Static == authority.Widened || p.Authority.Autonomous == authority.Widened
}
