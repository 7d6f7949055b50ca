package syntax

import "terfyn/compiler/source"

// EnvironmentDecl is `environment NAME { … }`.
type EnvironmentDecl struct {
	DeclInfo
	Name      Ident
	Body      Body
	Overrides *Overrides
	Approvers *Principals
	Runtime   *Runtime
}

// Overrides is the overrides block of an environment. In each group the names
// are distinct; a group that is absent is nil.
type Overrides struct {
	Body
	Agents   *AgentOverrides
	Policies *PolicyOverrides
	Tools    *ToolOverrides
}

// AgentOverrides is the agents group.
type AgentOverrides struct {
	Items  []*AgentOverride
	Braces source.Span
}

// Span covers the braces.
func (o *AgentOverrides) Span() source.Span { return o.Braces }

// AgentOverride changes single fields of one agent.
type AgentOverride struct {
	Body
	Name        Ident
	Model       *ModelRef
	Constraints *Constraints
}

// Span covers name and braces.
func (o *AgentOverride) Span() source.Span { return o.Name.At.To(o.Braces) }

// PolicyOverrides is the policies group.
type PolicyOverrides struct {
	Items  []*PolicyOverride
	Braces source.Span
}

// Span covers the braces.
func (o *PolicyOverrides) Span() source.Span { return o.Braces }

// PolicyOverride changes single fields of one policy.
type PolicyOverride struct {
	Body
	Name      Ident
	Execution *Execution
	Approvals *Approvals
}

// Span covers name and braces.
func (o *PolicyOverride) Span() source.Span { return o.Name.At.To(o.Braces) }

// ToolOverrides is the tools group.
type ToolOverrides struct {
	Items  []*ToolOverride
	Braces source.Span
}

// Span covers the braces.
func (o *ToolOverrides) Span() source.Span { return o.Braces }

// ToolOverride changes the transport of one tool.
type ToolOverride struct {
	Body
	Name     Ident
	MCP      *MCP
	HTTP     *HTTP
	Temporal *Temporal
}

// Span covers name and braces.
func (o *ToolOverride) Span() source.Span { return o.Name.At.To(o.Braces) }

// Principals is the approvers block of an environment.
type Principals struct {
	Items  []*Principal
	Braces source.Span
}

// Span covers the braces.
func (p *Principals) Span() source.Span { return p.Braces }

// Principal is a person with a key or principal string, or a group with members.
// Exactly one of Key and Members is set.
type Principal struct {
	Name    Ident
	Key     *Text
	Members *IdentList // a group
	At      source.Span
}

// Span covers the whole entry.
func (p *Principal) Span() source.Span { return p.At }

// Runtime is the runtime block of an environment.
type Runtime struct {
	Body
	Address   *Text
	Namespace *Text
	TaskQueue *Text
	State     *Text
}
