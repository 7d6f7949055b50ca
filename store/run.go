package store

import (
	"context"
	"time"

	"terfyn/internal/canon"
)

// RunStatus is the state of a run as rows and commands show it.
type RunStatus string

// The run states. Suspended runs are "interrupted", the public word for it.
const (
	RunRunning     RunStatus = "running"
	RunInterrupted RunStatus = "interrupted"
	RunSucceeded   RunStatus = "succeeded"
	RunFailed      RunStatus = "failed"
	RunCancelled   RunStatus = "cancelled"
)

// Closed reports whether the run will not change any more.
func (s RunStatus) Closed() bool {
	return s == RunSucceeded || s == RunFailed || s == RunCancelled
}

// Run is one execution of a workflow. RunID equals the Temporal workflow id.
type Run struct {
	RunID       string
	FirstExecID string // Temporal run id of the first execution of the chain
	Workflow    string
	Environment string
	Snapshot    canon.Digest
	Status      RunStatus
	Actor       string
	Tenant      string
	Thread      string
	Input       []byte // canonical JSON, redacted view
	Output      []byte // canonical JSON; nil until succeeded
	ErrorType   string
	ErrorText   string
	CostUSD     string // exact decimal, "0" when nothing was spent
	TokensIn    int64
	TokensOut   int64
	StartedAt   time.Time
	FinishedAt  time.Time // zero while open
	ParentRun   string
}

// RunFilter narrows a listing; zero fields do not filter.
type RunFilter struct {
	Workflow, Environment, Status string
	Before                        RunCursor // keyset: rows strictly older
	Limit                         int       // 0 = 50, at most 500
}

// RunCursor is the key of the last row of the page before.
type RunCursor struct {
	StartedAt time.Time
	RunID     string
}

// StepStatus is the state of a step row.
type StepStatus string

// The step states.
const (
	StepRunning   StepStatus = "running"
	StepWaiting   StepStatus = "waiting"
	StepSucceeded StepStatus = "succeeded"
	StepFailed    StepStatus = "failed"
)

// Step is one attempt at one call site.
type Step struct {
	RunID       string
	CallSite    string
	Attempt     int
	Kind        string // agent, turn (one model turn of an agent), tool, approval
	Name        string // agent name or tool.operation
	Status      StepStatus
	StartedAt   time.Time
	FinishedAt  time.Time
	CostUSD     string
	TokensIn    int64
	TokensOut   int64
	Substituted bool
	ErrorType   string
	ErrorText   string
	Input       []byte       // redacted view, canonical JSON
	Output      []byte       // redacted view, canonical JSON
	Definition  canon.Digest // hash of the agent declaration it ran under
	OutputRef   canon.Digest // artifact with the full output, when filed
}

// Runs holds runs and their steps.
type Runs interface {
	// StartRun inserts r; a second call with the same RunID and FirstExecID is a
	// no-op that returns the stored row. ErrConflict when the id belongs to
	// another execution chain.
	StartRun(ctx context.Context, r Run) (Run, error)
	// SetRunStatus moves an open run between running and interrupted; closed runs are left alone.
	SetRunStatus(ctx context.Context, runID string, s RunStatus) error
	// FinishRun closes the run with the final fields of r (status, output, error,
	// cost, tokens, finished). Idempotent for equal status; ErrConflict otherwise.
	FinishRun(ctx context.Context, r Run) error
	Run(ctx context.Context, runID string) (Run, error)
	// ListRuns pages newest first by (started_at, run_id).
	ListRuns(ctx context.Context, f RunFilter) ([]Run, error)
	// PutStep inserts or replaces the row (run, call site, attempt).
	PutStep(ctx context.Context, s Step) error
	// CloseSteps moves what is still running or waiting in a run that closed to the
	// status of end, with its error and FinishedAt; other fields of end are ignored.
	CloseSteps(ctx context.Context, runID string, end Step) error
	// Steps lists in order of start, then call site, after the given call site key, at most limit (0 = 1000).
	Steps(ctx context.Context, runID string, limit int) ([]Step, error)
}
