package resource

// Policy is a declared policy; local fields layer over Preset.
type Policy struct {
	Name               string        `json:"name"`
	Preset             string        `json:"preset,omitempty"` // strict, permissive, shell_safe
	Execution          Execution     `json:"execution,omitzero"`
	Approvals          Approvals     `json:"approvals,omitzero"`
	Effects            PolicyEffects `json:"effects,omitzero"`
	Hitl               Hitl          `json:"hitl,omitzero"`
	ForbidUnknownTools *bool         `json:"forbidUnknownTools,omitempty"`

	EgressDeclared            bool     `json:"egressDeclared,omitempty"`
	AllowHosts                []string `json:"allowHosts,omitempty"`
	RequireEvidence           bool     `json:"requireEvidence,omitempty"`
	RequireDefinitionVersions bool     `json:"requireDefinitionVersions,omitempty"`
}

// Execution bounds a run; zero = unbounded, MaxIterations zero = 32.
type Execution struct {
	MaxTotalCostUSD         string `json:"maxTotalCostUsd,omitempty"` // exact decimal
	MaxWallClockSeconds     int64  `json:"maxWallClockSeconds,omitempty"`
	MaxIterations           int64  `json:"maxIterations,omitempty"`
	RequireStructuredOutput *bool  `json:"requireStructuredOutput,omitempty"`
}

// Approvals says which calls a person decides on, and who that may be.
type Approvals struct {
	RequiredFor     []string `json:"requiredFor,omitempty"` // exact capabilities, sorted
	RequireAllTools *bool    `json:"requireAllTools,omitempty"`
	Permissive      *bool    `json:"permissive,omitempty"`
	Approvers       []string `json:"approvers,omitempty"` // names and group:NAME
	MinApprovals    int64    `json:"minApprovals,omitempty"`
	ForbidSubmitter bool     `json:"forbidSubmitter,omitempty"`
	Signed          bool     `json:"signed,omitempty"`
	TimeoutSeconds  int64    `json:"timeoutSeconds,omitempty"` // 0 = keeps waiting
	OnTimeout       string   `json:"onTimeout,omitempty"`      // reject (default), escalate, approve
	InLoop          string   `json:"inLoop,omitempty"`         // deny (default), pause
}

// PolicyEffects names what may happen unattended or behind a gate.
type PolicyEffects struct {
	Declared           bool     `json:"declared,omitempty"`
	Permit             []string `json:"permit,omitempty"`
	PermitWithApproval []string `json:"permitWithApproval,omitempty"`
}

// Hitl holds the review options of gated calls; it never gates by itself.
type Hitl struct {
	DescriptionPrefix string              `json:"descriptionPrefix,omitempty"`
	RedactKeys        []string            `json:"redactKeys,omitempty"`
	ToolSwitchMap     map[string][]string `json:"toolSwitchMap,omitempty"`
	InterruptOn       map[string]Review   `json:"interruptOn,omitempty"` // by tool name
}

// Review is how the gated calls of one tool are presented.
type Review struct {
	AllowedDecisions []string            `json:"allowedDecisions,omitempty"` // empty = approve, reject
	Description      string              `json:"description,omitempty"`
	AllowedEditArgs  []string            `json:"allowedEditArgs,omitempty"`
	DeniedEditArgs   []string            `json:"deniedEditArgs,omitempty"`
	AllowedEditPaths []string            `json:"allowedEditPaths,omitempty"`
	DeniedEditPaths  []string            `json:"deniedEditPaths,omitempty"`
	AllowedEditTools []string            `json:"allowedEditTools,omitempty"`
	RedactKeys       []string            `json:"redactKeys,omitempty"`
	SwitchMap        map[string][]string `json:"switchMap,omitempty"`
}
