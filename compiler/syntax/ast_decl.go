package syntax

import "terfyn/compiler/source"

// Decl is a top-level declaration. A declaration with parse errors is kept with
// the fields that could be read, and says so through Broken: whoever gives it a
// meaning must skip it.
//
//sumtype:decl
type Decl interface {
	Node
	Broken() bool
	info() *DeclInfo // sealed: nodes live in this package only
}

// DeclInfo is the part all declarations share. At runs from the opening word to
// the closing brace.
type DeclInfo struct {
	At        source.Span
	HasErrors bool
}

// Span covers the whole declaration.
func (d *DeclInfo) Span() source.Span { return d.At }

// Broken reports whether parsing the declaration gave an error.
func (d *DeclInfo) Broken() bool { return d.HasErrors }

func (d *DeclInfo) info() *DeclInfo { return d }

// AgentDecl is `agent NAME { … }`. Absent fields are nil.
type AgentDecl struct {
	DeclInfo
	Name           Ident
	Body           Body
	Model          *ModelRef
	Policy         *Ident
	Description    *Text
	Instructions   *Instructions
	Constraints    *Constraints
	Grants         *CapabilitySet
	Input          *Ident
	Output         *Ident
	Version        *Text
	Replaces       *Text
	ChangeSummary  *Text
	MayEscalate    *Flag
	WorkingTree    *Ident // the word exclusive
	FallbackModels *ModelList
}

// Instructions is a text, or the path of a file when File is set.
type Instructions struct {
	Text Text // the prompt, or the path
	File bool // written as file("…")
	At   source.Span
}

// Span covers the text, or file(…) as a whole.
func (i *Instructions) Span() source.Span { return i.At }

// Constraints is the constraints block of an agent or of an override.
type Constraints struct {
	Body
	MaxIterations           *Number
	MaxTokens               *Number
	TimeoutSeconds          *Number
	Temperature             *Number
	RequireStructuredOutput *Flag
}

// ModelList is { provider/id … }.
type ModelList struct {
	Items  []ModelRef
	Braces source.Span
}

// Span covers the braces.
func (m *ModelList) Span() source.Span { return m.Braces }

// WorkflowDecl is `workflow NAME(params) -> Result clauses { … }`.
type WorkflowDecl struct {
	DeclInfo
	Name           Ident
	Params         []Param
	Parens         source.Span
	Result         *Ident
	Clauses        []FieldSpan // kept clauses in source order, `trigger` repeated
	Description    *Text
	Policy         *Ident
	Effects        *EffectSet
	TimeoutSeconds *Number
	WorkingTree    *Ident // the word exclusive
	Triggers       []*Trigger
	Body           *Block
}

// Param is `name: Type`.
type Param struct {
	Name Ident
	Type Ident
}

// Span covers name and type.
func (p Param) Span() source.Span { return p.Name.At.To(p.Type.At) }

// TriggerKind tells what starts a run. Zero is invalid.
type TriggerKind uint8

// The kinds of trigger.
const (
	ScheduleTrigger TriggerKind = iota + 1
	EventTrigger
)

// String is the word of the kind.
func (k TriggerKind) String() string {
	switch k {
	case ScheduleTrigger:
		return "schedule"
	case EventTrigger:
		return "event"
	default:
		return "invalid trigger"
	}
}

// Trigger is a `trigger schedule {…}` or `trigger event "name" {…}` clause.
type Trigger struct {
	Body
	Kind     TriggerKind
	At       source.Span // from the word trigger to the closing brace
	Event    *Text       // event only
	Cron     *Text       // schedule only
	Timezone *Text       // schedule only
	Overlap  *Ident      // schedule only: skip, bufferOne or allowAll
	Dedupe   *Path       // event only
	Input    *ObjectExpr
}

// Span covers the whole clause.
func (t *Trigger) Span() source.Span { return t.At }

// ProviderDecl is `provider NAME { … }`.
type ProviderDecl struct {
	DeclInfo
	Name            Ident
	Body            Body
	Type            *Ident
	BaseURL         *Text
	APIKeyFrom      *Text
	WorkspaceIDFrom *Text
}

// DefaultsDecl is `defaults { … }`.
type DefaultsDecl struct {
	DeclInfo
	Body    Body
	Policy  *Ident
	Model   *ModelRef
	Runtime *Ident
}

// LimitsDecl is `limits { … }` at top level.
type LimitsDecl struct {
	DeclInfo
	Limits *Limits
}

// Limits is the body of limits, at top level and inside a tool.
type Limits struct {
	Body
	MaxToolInputBytes      *Number
	MaxToolOutputBytes     *Number
	MaxCheckpointBytes     *Number
	MaxStateBytes          *Number
	MaxWorkflowNesting     *Number
	MaxLoopIterations      *Number
	ToolInputExceedPolicy  *Ident // truncate or fail, as the two below
	ToolOutputExceedPolicy *Ident
	CheckpointExceedPolicy *Ident
}
