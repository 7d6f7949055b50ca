package contract

import (
	"time"

	"terfyn/internal/canon"
	"terfyn/policy"
)

// OpenApprovalIn opens a request.
type OpenApprovalIn struct {
	Ref  Ref         `json:"ref"`
	Gate policy.Gate `json:"gate"`
	// Arguments are the full arguments; the request stores a redacted view.
	Arguments canon.Value `json:"arguments"`
	At        time.Time   `json:"at"`
	// PreApprovedBy records an approval by the submitter with the request.
	PreApprovedBy string `json:"preApprovedBy,omitempty"`
}

// OpenApprovalOut tells when nothing was opened: a person is not asked about a call
// that can never be sent.
type OpenApprovalOut struct {
	Fault *Fault `json:"fault,omitempty"`
}

// Decision is a person's answer, as updates, signals and commands carry it.
type Decision = policy.Decision

// Verdict answers an accepted decision.
type Verdict struct {
	ApprovalID string       `json:"approvalId"`
	Status     string       `json:"status"` // approved, rejected, or open while votes are missing
	Decision   string       `json:"decision"`
	Granted    canon.Digest `json:"granted,omitempty"`
	By         string       `json:"by"`
	At         time.Time    `json:"at"`
}

// RecordDecisionIn stores a decision that workflow code accepted, or with
// Refused set one that it did not.
type RecordDecisionIn struct {
	Ref      Ref         `json:"ref"`
	Gate     policy.Gate `json:"gate"`
	Decision Decision    `json:"decision"`
	Status   string      `json:"status"` // approved, rejected, "" = a vote
	Refused  string      `json:"refused,omitempty"`
	Ordinal  int         `json:"ordinal"` // distinguishes refused attempts in the trace
	Edited   *EditedCall `json:"edited,omitempty"`
	At       time.Time   `json:"at"`
	Waiting  bool        `json:"waiting"` // other requests stay open
}

// EditedCall is the call that results from an edit.
type EditedCall struct {
	Arguments canon.Value  `json:"arguments"`
	Revision  canon.Digest `json:"revision"`
}

// RecordDecisionOut tells whether the store took it; a refusal (an edit that
// violates the schema, a revoked request) names the reason.
type RecordDecisionOut struct {
	Refused string `json:"refused,omitempty"`
}

// CloseApprovalIn ends a request without a decision.
type CloseApprovalIn struct {
	Ref        Ref       `json:"ref"`
	ApprovalID string    `json:"approvalId"`
	Site       string    `json:"site"`
	Status     string    `json:"status"` // expired, superseded
	Reason     string    `json:"reason"`
	At         time.Time `json:"at"`
	Waiting    bool      `json:"waiting"`
}

// CloseApprovalOut is empty.
type CloseApprovalOut struct{}
