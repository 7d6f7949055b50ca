package store

import (
	"context"
	"time"

	"terfyn/internal/canon"
)

// ApprovalStatus is the state of an approval request.
type ApprovalStatus string

// The approval states; every end but approved refuses dispatch.
const (
	ApprovalOpen       ApprovalStatus = "open"
	ApprovalApproved   ApprovalStatus = "approved"
	ApprovalRejected   ApprovalStatus = "rejected"
	ApprovalExpired    ApprovalStatus = "expired"
	ApprovalSuperseded ApprovalStatus = "superseded"
	ApprovalRevoked    ApprovalStatus = "revoked"
)

// Approval is a request for a human decision.
type Approval struct {
	ID           string
	RunID        string
	CallSite     string
	Kind         string // gate, approval, escalation, unknown_outcome
	Tool         string
	Operation    string
	Description  string
	Payload      []byte       // redacted view, canonical JSON
	Revision     canon.Digest // what a decision must name
	Snapshot     canon.Digest
	PolicyDigest canon.Digest
	Rule         string   // why a decision is needed
	Allowed      []string // decisions
	EditPaths    []string // top-level argument names an edit may touch; empty = none
	Approvers    []string
	MinApprovals int
	Submitter    string
	Status       ApprovalStatus
	// Granted is the revision that may be sent: Revision for approve, the edited
	// call's own for edit or switch. Empty until approved.
	Granted   canon.Digest
	OpenedAt  time.Time
	ExpiresAt time.Time // zero = keeps waiting
	ClosedAt  time.Time
}

// Decision is one recorded decision, accepted or not the first.
type Decision struct {
	ApprovalID string
	N          int // 1-based, set by the store
	Decision   string
	Revision   canon.Digest // the revision decided on
	Granted    canon.Digest // the revision that results (edit, switch)
	Actor      string
	Verified   bool
	Signature  string
	Reason     string
	Edit       []byte // redacted canonical JSON of the edited call, nil unless edit
	At         time.Time
}

// ApprovalFilter narrows a listing; zero fields do not filter.
type ApprovalFilter struct {
	RunID  string
	Status ApprovalStatus
	Before ApprovalCursor
	Limit  int // 0 = 50, at most 500
}

// ApprovalCursor is the key of the last row of the page before.
type ApprovalCursor struct {
	OpenedAt time.Time
	ID       string
}

// Approvals holds requests and their decisions.
type Approvals interface {
	// OpenApproval inserts a; the same id again is a no-op returning the stored row.
	OpenApproval(ctx context.Context, a Approval) (Approval, error)
	Approval(ctx context.Context, id string) (Approval, error)
	// ListApprovals pages newest first by (opened_at, id).
	ListApprovals(ctx context.Context, f ApprovalFilter) ([]Approval, error)
	// Decide records d and moves the approval to status, when it is still open.
	// The same decision by the same actor recorded again returns the stored one
	// (activity retry). ErrConflict when the approval is closed otherwise, with
	// the winning decision returned beside the error.
	// An empty status records a vote and leaves the request open.
	Decide(ctx context.Context, d Decision, status ApprovalStatus) (Decision, error)
	// CloseApproval moves an open or approved request to expired, superseded or
	// revoked. ErrConflict when it is in another end state.
	CloseApproval(ctx context.Context, id string, status ApprovalStatus, at time.Time) error
	Decisions(ctx context.Context, approvalID string) ([]Decision, error)
}
