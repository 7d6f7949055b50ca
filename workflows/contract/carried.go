package contract

import (
	"time"

	"terfyn/internal/canon"
	"terfyn/policy"
)

// CarriedFormat is the version of Carried; another one is refused.
const CarriedFormat = 1

// Carried is the state of a run between two executions of its chain
// (execution.md section 3, continue-as-new).
type Carried struct {
	Format int `json:"formatVersion"`
	// Path leads to the node to run next: one entry for each open block, outermost first.
	Path     []Cursor  `json:"path"`
	Bindings []Binding `json:"bindings,omitempty"`

	CostUSD   string        `json:"costUsd"`
	TokensIn  int64         `json:"tokensIn,omitempty"`
	TokensOut int64         `json:"tokensOut,omitempty"`
	Started   time.Time     `json:"started"`
	Waited    time.Duration `json:"waited,omitempty"`
	Shown     bool          `json:"shown,omitempty"` // search attributes were set
	Ordinals  []Counter     `json:"ordinals,omitempty"`

	// Decided answers decisions that come again: update ids do not survive.
	Decided  []Decided `json:"decided,omitempty"`
	Rounds   []Counter `json:"rounds,omitempty"`
	Recorded int       `json:"recorded,omitempty"`
	Refusals int       `json:"refusals,omitempty"`
}

// Cursor is a place in one block.
type Cursor struct {
	Node  string `json:"node"`            // segment of the node in its block
	Arm   string `json:"arm,omitempty"`   // of an if: then or else
	Round int64  `json:"round,omitempty"` // of a loop, from 0
}

// Binding is one bound name.
type Binding struct {
	Name  string      `json:"name"`
	Value canon.Value `json:"value"`
}

// Counter is a named count.
type Counter struct {
	Name string `json:"name"`
	N    int    `json:"n"`
}

// Decided is a request that has ended.
type Decided struct {
	Gate     policy.Gate `json:"gate"`
	Status   string      `json:"status"`
	Decision string      `json:"decision"`
	By       string      `json:"by"`
	At       time.Time   `json:"at"`
}
