package contract

import (
	"strings"
	"time"

	"terfyn/compiler/ir"
	"terfyn/compiler/resource"
	"terfyn/internal/canon"
)

// RunIn starts a run. Only Workflow is needed: the run then executes the current
// snapshot of the default environment. A caller cannot bring a program or policy.
type RunIn struct {
	Workflow    string      `json:"workflow"`
	Input       canon.Value `json:"input"`
	Environment string      `json:"environment,omitempty"` // "" = DefaultEnvironment
	Actor       string      `json:"actor,omitempty"`
	Tenant      string      `json:"tenant,omitempty"`
	Thread      string      `json:"thread,omitempty"`
	// Approve lists capabilities the submitter approves in advance; AutoApprove
	// does so for every gate. An environment with approvers refuses both.
	Approve     []string `json:"approve,omitempty"`
	AutoApprove bool     `json:"autoApprove,omitempty"`
	// Carried is where the execution before stopped. It is only read in a run that
	// continues as new, which no caller can start.
	Carried *Carried `json:"carried,omitempty"`
}

// Anonymous is the actor of a start that names none.
const Anonymous = "anonymous"

// Normalize fills in what a start left out and makes its words storable: zero
// bytes and invalid UTF-8 become U+FFFD.
func Normalize(in RunIn) RunIn {
	for _, word := range []*string{&in.Workflow, &in.Environment, &in.Actor, &in.Tenant, &in.Thread} {
		*word = strings.ReplaceAll(strings.ToValidUTF8(*word, "\uFFFD"), "\x00", "\uFFFD")
	}
	if in.Actor == "" {
		in.Actor = Anonymous
	}
	return in
}

// DefaultEnvironment is the environment of a project that names none.
const DefaultEnvironment = "local"

// Ref identifies the run to activities; every activity input carries it.
type Ref struct {
	RunID       string       `json:"runId"`
	FirstExecID string       `json:"firstExecId"`
	Snapshot    canon.Digest `json:"snapshot,omitempty"`
	Environment string       `json:"environment"`
	Workflow    string       `json:"workflow"`
	// Events ride along and are appended before the activity's own, in one transaction.
	Events []Event `json:"events,omitempty"`
}

// Event is a trace event that workflow code hands to the next activity.
type Event struct {
	CallSite  string      `json:"callSite,omitempty"`
	Attempt   int         `json:"attempt,omitempty"`
	Type      EventType   `json:"type"`
	Ordinal   int         `json:"ordinal,omitempty"`
	ActorType string      `json:"actorType"`
	ActorID   string      `json:"actorId,omitempty"`
	At        time.Time   `json:"at"`
	Data      canon.Value `json:"data"`
}

// Fault is why a run or step ended badly; it survives every boundary as data.
type Fault struct {
	Type    FaultType `json:"type"`
	Message string    `json:"message"`
}

// Error makes a Fault an error value.
func (f *Fault) Error() string { return string(f.Type) + ": " + f.Message }

// OpenRunIn opens a run.
type OpenRunIn struct {
	Ref     Ref       `json:"ref"`
	ExecID  string    `json:"execId"` // Temporal run id of this execution
	Request RunIn     `json:"request"`
	At      time.Time `json:"at"`
}

// OpenRunOut is what the interpreter needs to know about its run.
type OpenRunOut struct {
	Snapshot    canon.Digest `json:"snapshot"`
	Environment string       `json:"environment"`
	// Input is the canonical input document.
	Input canon.Value `json:"input"`
	// SearchAttributes: the namespace knows ours, so they may be set.
	SearchAttributes bool `json:"searchAttributes,omitempty"`
	// RolloverEvents is the history length at which the run continues as new, 0 =
	// when the server suggests it.
	RolloverEvents int    `json:"rolloverEvents,omitempty"`
	Fault          *Fault `json:"fault,omitempty"`
}

// LoadBundleIn asks for what the interpreter runs.
type LoadBundleIn struct {
	Snapshot canon.Digest `json:"snapshot"`
}

// Bundle is everything pinned that workflow code reads: the programs and the
// graph without prompts and scripts. It is immutable; workflow code must not
// change it.
type Bundle struct {
	Snapshot canon.Digest
	Programs []ir.Program
	Graph    resource.Graph
}

// Program returns the program of a workflow.
func (b *Bundle) Program(workflow string) (ir.Program, bool) {
	for _, p := range b.Programs {
		if p.Workflow == workflow {
			return p, true
		}
	}
	return ir.Program{}, false
}

// FinishRunIn closes a run.
type FinishRunIn struct {
	Ref       Ref         `json:"ref"`
	Status    string      `json:"status"`
	Output    canon.Value `json:"output"`
	Fault     *Fault      `json:"fault,omitempty"`
	CostUSD   string      `json:"costUsd"`
	TokensIn  int64       `json:"tokensIn"`
	TokensOut int64       `json:"tokensOut"`
	At        time.Time   `json:"at"`
}

// FinishRunOut is empty.
type FinishRunOut struct{}

// RecordEventsIn flushes riding events, and notes what an execution carries over to
// the next one, so that nothing else is believed there.
type RecordEventsIn struct {
	Ref     Ref       `json:"ref"`
	Carried *Carried  `json:"carried,omitempty"`
	At      time.Time `json:"at,omitzero"`
}

// RecordEventsOut is empty.
type RecordEventsOut struct{}

// State answers QueryState.
type State struct {
	Status   string   `json:"status"`
	CallSite string   `json:"callSite,omitempty"`
	Waiting  []string `json:"waiting,omitempty"` // approval ids, in order of opening
	CostUSD  string   `json:"costUsd"`
}
