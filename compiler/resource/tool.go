package resource

import "strings"

// Tool is a declared tool.
type Tool struct {
	Name        string `json:"name"`
	Type        string `json:"type"` // native, mock, mcp, http, temporal
	Description string `json:"description,omitempty"`
	Safety      Safety `json:"safety,omitzero"`
	// OperationsDeclared: a closed manifest; with no Operations nothing is callable.
	OperationsDeclared bool        `json:"operationsDeclared,omitempty"`
	Operations         []Operation `json:"operations,omitempty"` // sorted by name
	MCP                *MCP        `json:"mcp,omitempty"`
	HTTP               *HTTP       `json:"http,omitempty"`
	Temporal           *Temporal   `json:"temporal,omitempty"`
	Workspace          *Workspace  `json:"workspace,omitempty"`
	Retry              Retry       `json:"retry,omitzero"`
	Limits             Limits      `json:"limits,omitzero"`
	Exclusive          string      `json:"exclusive,omitempty"`
	// MockScript is the captured script of a tool of type mock, as canonical JSON.
	MockScript string `json:"mockScript,omitempty"`
}

// Safety is what the author says about a tool; nil = not said.
type Safety struct {
	Trusted          *bool `json:"trusted,omitempty"`
	SideEffects      *bool `json:"sideEffects,omitempty"`
	RequiresApproval *bool `json:"requiresApproval,omitempty"`
}

// Operation is one entry of a closed manifest.
type Operation struct {
	Name           string   `json:"name"`
	RemoteName     string   `json:"remoteName,omitempty"` // "" = Name
	Description    string   `json:"description,omitempty"`
	Schema         string   `json:"schema,omitempty"`
	OutputSchema   string   `json:"outputSchema,omitempty"`
	Effects        []string `json:"effects,omitempty"`   // sorted; none = unknown, unless NoEffects
	NoEffects      bool     `json:"noEffects,omitempty"` // the author declares that there are none
	ReadOnly       *bool    `json:"readOnly,omitempty"`
	Idempotency    string   `json:"idempotency,omitempty"` // key, safe, none; "" = none for side effects
	Reconcile      string   `json:"reconcile,omitempty"`   // read-only operation of the same tool
	Delivered      string   `json:"delivered,omitempty"`
	TimeoutSeconds int64    `json:"timeoutSeconds,omitempty"`
	MaxInputBytes  int64    `json:"maxInputBytes,omitempty"`
	MaxOutputBytes int64    `json:"maxOutputBytes,omitempty"`
}

// MCP is how to reach an MCP server.
type MCP struct {
	Transport string   `json:"transport,omitempty"` // stdio, http
	Command   string   `json:"command,omitempty"`
	Args      []string `json:"args,omitempty"`
	URL       string   `json:"url,omitempty"`
	Headers   []Header `json:"headers,omitempty"`
}

// HTTP is how to reach an HTTP service.
type HTTP struct {
	BaseURL string   `json:"baseUrl,omitempty"`
	Headers []Header `json:"headers,omitempty"`
}

// Header is one header; Value may be a reference env:NAME, stored as written.
type Header struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Temporal is an activity, workflow or Nexus operation of the team's own workers.
type Temporal struct {
	TaskQueue string `json:"taskQueue,omitempty"`
	Namespace string `json:"namespace,omitempty"`
	Endpoint  string `json:"endpoint,omitempty"`
	Kind      string `json:"kind,omitempty"` // activity, workflow, nexus
}

// Workspace is the sandbox of native file tools.
type Workspace struct {
	Root        string `json:"root,omitempty"`
	TestCommand string `json:"testCommand,omitempty"`
}

// Retry is transport retry of http and mcp tools; zero = no retry.
type Retry struct {
	MaxAttempts int64  `json:"maxAttempts,omitempty"`
	Backoff     string `json:"backoff,omitempty"` // fixed, exponential
}

// DefaultToolTimeoutSeconds is the deadline of an operation that declares none.
const DefaultToolTimeoutSeconds = 60

// Destructive is the reserved effect that implies side effects.
const Destructive = "destructive"

// EffectsKnown reports whether the author said what the operation causes, if only
// that it is nothing.
func (o Operation) EffectsKnown() bool { return o.NoEffects || len(o.Effects) > 0 }

// Operation returns the manifest entry of name.
func (t Tool) Operation(name string) (Operation, bool) {
	for _, o := range t.Operations {
		if o.Name == name {
			return o, true
		}
	}
	return Operation{}, false
}

// HasSideEffects is the tool's answer for op: a read-only operation has none;
// else what the author set; else true.
func (t Tool) HasSideEffects(op string) bool {
	if o, ok := t.Operation(op); ok && o.ReadOnly != nil && *o.ReadOnly {
		return false
	}
	if t.Safety.SideEffects != nil {
		return *t.Safety.SideEffects
	}
	return true
}

// Capability is the full name of an operation: tool.<name>.<operation>.
func Capability(tool, operation string) string { return "tool." + tool + "." + operation }

// SplitCapability splits tool.<name>.<operation>.
func SplitCapability(c string) (tool, operation string, ok bool) {
	rest, ok := strings.CutPrefix(c, "tool.")
	if !ok {
		return "", "", false
	}
	tool, operation, ok = strings.Cut(rest, ".")
	return tool, operation, ok && tool != "" && operation != ""
}
