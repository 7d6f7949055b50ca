package syntax

import "terfyn/compiler/source"

// PolicyDecl is `policy NAME { … }`.
type PolicyDecl struct {
	DeclInfo
	Name                      Ident
	Body                      Body
	Preset                    *Ident
	Execution                 *Execution
	Approvals                 *Approvals
	Effects                   *PolicyEffects
	HITL                      *HITL
	Tools                     *PolicyTools
	Egress                    *Egress
	RequireEvidence           *Flag
	RequireDefinitionVersions *Flag
}

// Execution is the execution block of a policy or of an override.
type Execution struct {
	Body
	MaxTotalCostUSD         *Number
	MaxWallClockSeconds     *Number
	MaxIterations           *Number
	RequireStructuredOutput *Flag
}

// Approvals is the approvals block of a policy or of an override.
type Approvals struct {
	Body
	RequiredFor     *CapabilitySet
	RequireAllTools *Flag
	Permissive      *Flag
	Approvers       *ApproverSet
	MinApprovals    *Number
	ForbidSubmitter *Flag
	Signed          *Flag
	TimeoutSeconds  *Number
	OnTimeout       *Ident // reject, escalate or approve
	InLoop          *Ident // deny or pause
}

// ApproverSet is { NAME group:NAME … }.
type ApproverSet struct {
	Items  []Approver
	Braces source.Span
}

// Span covers the braces.
func (a *ApproverSet) Span() source.Span { return a.Braces }

// Approver is a person's name, or a group's when Group is set.
type Approver struct {
	Name  Ident
	Group bool
	At    source.Span
}

// Span covers the entry with its `group:`.
func (a Approver) Span() source.Span { return a.At }

// String is the entry as written, without blanks.
func (a Approver) String() string {
	if a.Group {
		return "group:" + a.Name.Name
	}
	return a.Name.Name
}

// PolicyEffects is the effects block of a policy.
type PolicyEffects struct {
	Body
	Permit             *EffectSet
	PermitWithApproval *EffectSet
}

// PolicyTools is the tools block of a policy.
type PolicyTools struct {
	Body
	ForbidUnknownTools *Flag
}

// Egress is the egress block of a policy.
type Egress struct {
	Body
	AllowHosts *StringList
}

// HITL is the hitl block of a policy.
type HITL struct {
	Body
	DescriptionPrefix *Text
	RedactKeys        *StringList
	ToolSwitchMap     *SwitchTable
	InterruptOn       *InterruptOn
}

// InterruptOn lists the tools with review options. The names are distinct.
type InterruptOn struct {
	Items  []*Review
	Braces source.Span
}

// Span covers the braces.
func (i *InterruptOn) Span() source.Span { return i.Braces }

// Review is one entry of interruptOn. Body.Braces is zero for a bare name.
type Review struct {
	Body
	Tool             Ident
	AllowedDecisions *IdentList // of approve, reject, edit, switch
	Description      *Text
	AllowedEditArgs  *StringList
	DeniedEditArgs   *StringList
	AllowedEditPaths *StringList
	DeniedEditPaths  *StringList
	AllowedEditTools *StringList
	RedactKeys       *StringList
	SwitchMap        *SwitchTable
}

// Span covers the name and the braces if there are any.
func (r *Review) Span() source.Span { return r.Tool.At.To(r.Braces) }

// Bare reports whether the entry is a name without a block.
func (r *Review) Bare() bool { return r.Braces.IsZero() }

// SwitchTable is { from { to … } … }.
type SwitchTable struct {
	Items  []SwitchEntry
	Braces source.Span
}

// Span covers the braces.
func (s *SwitchTable) Span() source.Span { return s.Braces }

// SwitchEntry lists the operations one operation may be switched to.
type SwitchEntry struct {
	From   Path
	To     []Path
	Braces source.Span
}

// Span covers the name and the braces.
func (s SwitchEntry) Span() source.Span { return s.From.Span().To(s.Braces) }
