package contract

import (
	"time"

	"terfyn/compiler/resource"
	"terfyn/internal/canon"
	"terfyn/policy"
)

// GenerateIn is one model turn.
type GenerateIn struct {
	Ref   Ref    `json:"ref"`
	Site  string `json:"site"` // call site of the agent step
	Agent string `json:"agent"`
	Turn  int    `json:"turn"` // 1-based
	// Input is the agent's input document, on the first turn only; later turns
	// find it in the transcript.
	Input canon.Value `json:"input"`
	// Transcript is the transcript after the turn before; "" on the first turn.
	Transcript canon.Digest `json:"transcript,omitempty"`
	// Results answer every call of the turn before, in the order of the calls.
	Results []CallResult `json:"results,omitempty"`
	// Final: no tools are offered and the agent is told to answer now.
	Final bool      `json:"final,omitempty"`
	At    time.Time `json:"at"`
	// Spent is what the turns of this step before have cost.
	Spent Spent `json:"spent"`
	// Timeout bounds one request to the model; Deadline, when set, ends the step.
	Timeout  time.Duration `json:"timeout,omitempty"`
	Deadline time.Time     `json:"deadline,omitzero"`
}

// Spent is the cost of an agent step so far.
type Spent struct {
	Started   time.Time `json:"started"`
	CostUSD   string    `json:"costUsd"`
	TokensIn  int64     `json:"tokensIn,omitempty"`
	TokensOut int64     `json:"tokensOut,omitempty"`
}

// CallResult answers one tool call of a model turn.
type CallResult struct {
	CallID string       `json:"callId"`
	Ref    canon.Digest `json:"ref,omitempty"`  // payload artifact with the result
	Text   string       `json:"text,omitempty"` // used when Ref is empty
	Error  bool         `json:"error,omitempty"`
}

// ModelCall is a tool call a model asks for.
type ModelCall struct {
	ID        string      `json:"id"`
	Name      string      `json:"name"` // as shown to the model
	Arguments canon.Value `json:"arguments"`
	// Invalid says why the arguments cannot be used, "" = they can.
	Invalid string `json:"invalid,omitempty"`
}

// GenerateOut is the outcome of a turn.
type GenerateOut struct {
	Transcript canon.Digest `json:"transcript"`
	Calls      []ModelCall  `json:"calls,omitempty"`
	// Output is the validated answer when the turn ended without calls.
	Output    canon.Value `json:"output"`
	Fault     *Fault      `json:"fault,omitempty"`
	CostUSD   string      `json:"costUsd"`
	TokensIn  int64       `json:"tokensIn"`
	TokensOut int64       `json:"tokensOut"`
}

// CallToolIn is one tool call.
type CallToolIn struct {
	Ref       Ref         `json:"ref"`
	Site      string      `json:"site"`
	Agent     string      `json:"agent,omitempty"`     // the agent that chose it; "" = written in the workflow
	AgentSite string      `json:"agentSite,omitempty"` // call site of the agent step
	Tool      string      `json:"tool"`
	Operation string      `json:"operation"`
	Arguments canon.Value `json:"arguments"`
	// ApprovalID names the decision that admits this call; "" = none was needed
	// when the workflow looked.
	ApprovalID string `json:"approvalId,omitempty"`
	// ByReference: the result only feeds the model and stays an artifact.
	ByReference bool `json:"byReference,omitempty"`
	// Reconciles is the operation id whose outcome this read-only call settles.
	Reconciles string    `json:"reconciles,omitempty"`
	At         time.Time `json:"at"`
}

// DefaultToolTimeout is the deadline of an operation that declares none.
const DefaultToolTimeout = resource.DefaultToolTimeoutSeconds * time.Second

// Outcome is what happened to a call.
type Outcome string

// The outcomes of a call.
const (
	OutcomeSucceeded     Outcome = "succeeded"
	OutcomeFailed        Outcome = "failed"         // definite: had no effect, or is a semantic error
	OutcomeUnknown       Outcome = "unknown"        // may have had its effect
	OutcomeDenied        Outcome = "denied"         // refused before dispatch
	OutcomeNeedsApproval Outcome = "needs_approval" // a rule deployed since requires a decision
)

// CallToolOut is the outcome of a call.
type CallToolOut struct {
	Outcome     Outcome      `json:"outcome"`
	OperationID string       `json:"operationId,omitempty"`
	Value       canon.Value  `json:"value"`
	Ref         canon.Digest `json:"ref,omitempty"`
	ProviderID  string       `json:"providerId,omitempty"`
	Fault       *Fault       `json:"fault,omitempty"`
	// Rule names the rule behind denied and needs_approval.
	Rule string `json:"rule,omitempty"`
	// Deciders, with needs_approval, are who may decide under the stricter rules.
	Deciders *policy.Deciders `json:"deciders,omitempty"`
}

// SettleEffectIn settles an effect whose outcome was unknown.
type SettleEffectIn struct {
	Ref         Ref         `json:"ref"`
	Site        string      `json:"site"`
	OperationID string      `json:"operationId"`
	Sent        bool        `json:"sent"`
	ProviderID  string      `json:"providerId,omitempty"`
	Result      canon.Value `json:"result"`
	By          string      `json:"by"` // "reconcile" or the actor
	At          time.Time   `json:"at"`
}

// SettleEffectOut is the settled outcome; a result that arrived late wins.
type SettleEffectOut struct {
	Succeeded bool        `json:"succeeded"`
	Value     canon.Value `json:"value"`
}
