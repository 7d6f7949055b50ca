package model

import (
	"context"

	"terfyn/internal/canon"
)

// Provider is the seam: every model vendor is one implementation, and
// model/modeltest holds the suite each of them passes.
type Provider interface {
	// Generate makes one attempt and returns the model's turn. Errors are *Error,
	// or wrap the context's error when the caller ended the call.
	Generate(ctx context.Context, r Request) (Response, error)
}

// Request is one completion.
type Request struct {
	Model        string      `json:"model"` // model id without the provider namespace
	System       string      `json:"system,omitempty"`
	Messages     []Message   `json:"messages"`
	Tools        []ToolDef   `json:"tools,omitempty"`
	NoTools      bool        `json:"noTools,omitempty"`     // forced final turn: Tools are not offered
	MaxTokens    int64       `json:"maxTokens,omitempty"`   // output tokens, 0 = not sent
	Temperature  string      `json:"temperature,omitempty"` // exact JSON number spelling, "" = not sent
	OutputSchema canon.Value `json:"outputSchema"`          // null = none
	Structured   bool        `json:"structured,omitempty"`  // the provider must enforce OutputSchema
	Input        canon.Value `json:"input"`                 // the agent's input document; read by the mock alone
	Script       string      `json:"script,omitempty"`      // JSON of the mock script, "" = unscripted
}

// Offered returns the tools the model may choose from in this turn.
func (r Request) Offered() []ToolDef {
	if r.NoTools {
		return nil
	}
	return r.Tools
}

// ToolDef is a tool as shown to the model.
type ToolDef struct {
	Name        string      `json:"name"` // letters, digits, _ and -, at most 128
	Description string      `json:"description,omitempty"`
	Parameters  canon.Value `json:"parameters"` // JSON Schema of an object; null = no parameters
}

// Role says who speaks.
type Role string

// The roles. System text stands in Request.System.
const (
	User      Role = "user"
	Assistant Role = "assistant"
	Tool      Role = "tool"
)

// Message is one entry of a conversation. Calls belong to the assistant, Results
// to the tool role.
type Message struct {
	Role    Role     `json:"role"`
	Text    string   `json:"text,omitempty"`
	Calls   []Call   `json:"calls,omitempty"`
	Results []Result `json:"results,omitempty"`
}

// Call is a tool call the model asks for.
type Call struct {
	ID        string      `json:"id"`
	Name      string      `json:"name"`
	Arguments canon.Value `json:"arguments"`         // an object; null when Invalid is set
	Invalid   string      `json:"invalid,omitempty"` // why the arguments cannot be used, "" = they can
}

// Result answers the call CallID.
type Result struct {
	CallID  string `json:"callId"`
	Text    string `json:"text"`
	IsError bool   `json:"isError,omitempty"`
}

// Stop says why a turn ended.
type Stop string

// The stop reasons. After Length and Filter there are no calls.
const (
	End    Stop = "end"
	Tools  Stop = "tools"
	Length Stop = "length" // the cap on output tokens was reached
	Filter Stop = "filter" // the provider withheld or refused the answer
)

// Usage counts tokens.
type Usage struct {
	Input  int64 `json:"input"`
	Output int64 `json:"output"`
}

// Warning is a classed remark of a receipt.
type Warning struct {
	Class   string `json:"class"`
	Reason  string `json:"reason"`
	Message string `json:"message"`
}

// Response is one turn of the model.
type Response struct {
	Text     string    `json:"text,omitempty"`
	Calls    []Call    `json:"calls,omitempty"`
	Stop     Stop      `json:"stop"`
	Usage    Usage     `json:"usage"`
	CostUSD  string    `json:"costUsd,omitempty"` // exact decimal, "" = not known here
	Warnings []Warning `json:"warnings,omitempty"`
}

// Message returns the turn as the assistant message of a conversation.
func (r Response) Message() Message {
	return Message{Role: Assistant, Text: r.Text, Calls: r.Calls}
}
