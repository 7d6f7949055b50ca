package syntax

import "terfyn/compiler/source"

// ToolDecl is `tool NAME { … }`. Operations is nil when the block is absent,
// which means something else than an empty block.
type ToolDecl struct {
	DeclInfo
	Name        Ident
	Body        Body
	Type        *Ident
	MCP         *MCP
	HTTP        *HTTP
	Workspace   *Workspace
	Retry       *ToolRetry
	Limits      *Limits
	Safety      *Safety
	Operations  *Operations
	Description *Text
	Exclusive   *Text
	Temporal    *Temporal
}

// Safety is the safety block of a tool.
type Safety struct {
	Body
	Trusted          *Flag
	SideEffects      *Flag
	RequiresApproval *Flag
}

// MCP is the mcp block of a tool or of an override.
type MCP struct {
	Body
	Transport *Text
	Command   *Text
	Args      *StringList
	URL       *Text
	Headers   *HeaderMap
}

// HTTP is the http block of a tool or of an override.
type HTTP struct {
	Body
	BaseURL *Text
	Headers *HeaderMap
}

// Temporal is the temporal block of a tool or of an override.
type Temporal struct {
	Body
	TaskQueue *Text
	Namespace *Text
	Endpoint  *Text
	Kind      *Ident // activity, workflow or nexus
}

// HeaderMap is { "Key" "value" … }.
type HeaderMap struct {
	Items  []Header
	Braces source.Span
}

// Span covers the braces.
func (h *HeaderMap) Span() source.Span { return h.Braces }

// Header is one key with its value.
type Header struct {
	Key   Text
	Value Text
}

// Span covers key and value.
func (h Header) Span() source.Span { return h.Key.At.To(h.Value.At) }

// Workspace is the workspace block of a tool.
type Workspace struct {
	Body
	Root        *Text
	TestCommand *Text
}

// ToolRetry is the retry block of a tool.
type ToolRetry struct {
	Body
	MaxAttempts *Number
	Backoff     *Text
}

// Operations is the operations block of a tool. The names are distinct.
type Operations struct {
	Items  []*Operation
	Braces source.Span
}

// Span covers the braces.
func (o *Operations) Span() source.Span { return o.Braces }

// Operation is one operation of a closed manifest. Effects is nil when nothing
// is declared, which means unknown, not none.
type Operation struct {
	Body
	Name           Path
	Schema         *Text
	Effects        *EffectSet
	Description    *Text
	OutputSchema   *Text
	ReadOnly       *Flag
	Idempotency    *Ident // key, safe or none
	Reconcile      *Path
	Delivered      *Text
	TimeoutSeconds *Number
	MaxInputBytes  *Number
	MaxOutputBytes *Number
	RemoteName     *Text // the field `name`
}

// Span covers name and braces.
func (o *Operation) Span() source.Span { return o.Name.Span().To(o.Braces) }
