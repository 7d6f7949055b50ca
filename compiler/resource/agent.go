package resource

// Agent is a declared agent.
type Agent struct {
	Name          string      `json:"name"`
	Model         string      `json:"model,omitempty"` // provider/model
	Policy        string      `json:"policy,omitempty"`
	Description   string      `json:"description,omitempty"`
	Instructions  string      `json:"instructions,omitempty"`
	Constraints   Constraints `json:"constraints,omitzero"`
	Grants        []string    `json:"grants,omitempty"` // tool.x.y, agent.X, workflow.X; a set, sorted once Normalize ran
	GrantsPresent bool        `json:"grantsDeclared,omitempty"`
	Input         string      `json:"input,omitempty"`  // schema reference schemas/T.json, "" = untyped
	Output        string      `json:"output,omitempty"` // schema reference

	Version        string   `json:"version,omitempty"`
	Replaces       string   `json:"replaces,omitempty"`
	ChangeSummary  string   `json:"changeSummary,omitempty"`
	MayEscalate    bool     `json:"mayEscalate,omitempty"`
	WorkingTree    bool     `json:"workingTreeExclusive,omitempty"`
	FallbackModels []string `json:"fallbackModels,omitempty"`
	// MockScript is the captured script of a mock model (mocks/<name>.yaml as
	// canonical JSON), "" for other models. It is part of identity.
	MockScript string `json:"mockScript,omitempty"`
}

// Constraints bound one agent step. Pointers tell "unset" from a real zero.
type Constraints struct {
	MaxIterations           int64  `json:"maxIterations,omitempty"`
	MaxTokens               int64  `json:"maxTokens,omitempty"`
	TimeoutSeconds          int64  `json:"timeoutSeconds,omitempty"`
	Temperature             string `json:"temperature,omitempty"` // exact spelling; "" = unset, "0" is sent
	RequireStructuredOutput *bool  `json:"requireStructuredOutput,omitempty"`
}

// Defaults of agent steps (language.md 4.1).
const (
	DefaultMaxIterations = 8
	CeilingMaxIterations = 32
	DefaultMaxTokens     = 16384
)
