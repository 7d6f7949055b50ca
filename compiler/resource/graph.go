package resource

// APIVersion is the envelope version of exported resources.
const APIVersion = "agentic.dev/v0"

// GraphFormat is the version of the serialised graph.
const GraphFormat = 1

// Graph is a whole project. Slices are sorted by name once Normalize ran.
type Graph struct {
	Project      string        `json:"project"`
	Defaults     Defaults      `json:"defaults,omitzero"`
	Limits       Limits        `json:"limits,omitzero"`
	Agents       []Agent       `json:"agents,omitempty"`
	Tools        []Tool        `json:"tools,omitempty"`
	Policies     []Policy      `json:"policies,omitempty"`
	Workflows    []Workflow    `json:"workflows,omitempty"`
	Environments []Environment `json:"environments,omitempty"`
	Providers    []Provider    `json:"providers,omitempty"`
}

// Defaults apply where a resource leaves a field out.
type Defaults struct {
	Policy  string `json:"policy,omitempty"`
	Model   string `json:"model,omitempty"`
	Runtime string `json:"runtime,omitempty"`
}

// Exceed says what happens to a value over a limit.
type Exceed string

// The exceed policies.
const (
	Truncate Exceed = "truncate"
	Fail     Exceed = "fail"
)

// Limits bound execution; 0 or "" leaves a field to the next level (tool >
// workflow > project > user-local > built-in). Sizes are bytes.
type Limits struct {
	MaxToolInputBytes      int64  `json:"maxToolInputBytes,omitempty"`
	MaxToolOutputBytes     int64  `json:"maxToolOutputBytes,omitempty"`
	MaxCheckpointBytes     int64  `json:"maxCheckpointBytes,omitempty"`
	MaxStateBytes          int64  `json:"maxStateBytes,omitempty"`
	MaxWorkflowNesting     int64  `json:"maxWorkflowNesting,omitempty"`
	MaxLoopIterations      int64  `json:"maxLoopIterations,omitempty"`
	ToolInputExceedPolicy  Exceed `json:"toolInputExceedPolicy,omitempty"`
	ToolOutputExceedPolicy Exceed `json:"toolOutputExceedPolicy,omitempty"`
	CheckpointExceedPolicy Exceed `json:"checkpointExceedPolicy,omitempty"`
}

// BuiltinLimits are the limits of a project that declares none (language.md 4.7, 21.14).
func BuiltinLimits() Limits {
	return Limits{
		MaxToolInputBytes: 262144, MaxToolOutputBytes: 262144, MaxCheckpointBytes: 1048576, MaxStateBytes: 1048576,
		MaxWorkflowNesting: 8, MaxLoopIterations: 1000,
		ToolInputExceedPolicy: Truncate, ToolOutputExceedPolicy: Truncate, CheckpointExceedPolicy: Fail,
	}
}

// Over returns l with its unset fields taken from below.
func (l Limits) Over(below Limits) Limits {
	size := func(a, b int64) int64 {
		if a != 0 {
			return a
		}
		return b
	}
	exceed := func(a, b Exceed) Exceed {
		if a != "" {
			return a
		}
		return b
	}
	return Limits{
		MaxToolInputBytes:      size(l.MaxToolInputBytes, below.MaxToolInputBytes),
		MaxToolOutputBytes:     size(l.MaxToolOutputBytes, below.MaxToolOutputBytes),
		MaxCheckpointBytes:     size(l.MaxCheckpointBytes, below.MaxCheckpointBytes),
		MaxStateBytes:          size(l.MaxStateBytes, below.MaxStateBytes),
		MaxWorkflowNesting:     size(l.MaxWorkflowNesting, below.MaxWorkflowNesting),
		MaxLoopIterations:      size(l.MaxLoopIterations, below.MaxLoopIterations),
		ToolInputExceedPolicy:  exceed(l.ToolInputExceedPolicy, below.ToolInputExceedPolicy),
		ToolOutputExceedPolicy: exceed(l.ToolOutputExceedPolicy, below.ToolOutputExceedPolicy),
		CheckpointExceedPolicy: exceed(l.CheckpointExceedPolicy, below.CheckpointExceedPolicy),
	}
}

// Workflow is the resource side of a workflow; its program stands beside it.
type Workflow struct {
	Name           string      `json:"name"`
	Description    string      `json:"description,omitempty"`
	Params         []Param     `json:"params,omitempty"`
	Result         string      `json:"result,omitempty"` // schema reference
	Policy         string      `json:"policy,omitempty"` // "" = the safe built-in rules
	Effects        []string    `json:"effects,omitempty"`
	EffectsBound   bool        `json:"effectsDeclared,omitempty"` // an effects clause is present
	TimeoutSeconds int64       `json:"timeoutSeconds,omitempty"`
	WorkingTree    bool        `json:"workingTreeExclusive,omitempty"`
	Triggers       []Trigger   `json:"triggers,omitempty"`
	Steps          []Step      `json:"steps,omitempty"`
	ProgramDigest  string      `json:"programDigest,omitempty"` // digest of its execution program
	Calls          []Reference `json:"calls,omitempty"`         // every call in any arm, for bounds; sorted
}

// Param is one workflow parameter; Schema is "" when untyped.
type Param struct {
	Name   string `json:"name"`
	Schema string `json:"schema,omitempty"`
}

// Reference is one callee named in a workflow body.
type Reference struct {
	Kind string `json:"kind"` // agent, tool, workflow
	Name string `json:"name"` // agent or workflow name, or tool.operation
	Site string `json:"site"` // structural call site
}

// Step is one step of the resource projection (language.md 12.2).
type Step struct {
	ID            string   `json:"id"`
	Kind          string   `json:"kind"` // agent, tool, workflow, approval
	Uses          string   `json:"uses"`
	Needs         []string `json:"needs"`
	Synthetic     bool     `json:"synthetic,omitempty"`
	WholeDocument bool     `json:"wholeDocument,omitempty"`
}

// Trigger starts runs by time or event.
type Trigger struct {
	Kind     string `json:"kind"` // schedule, event
	Cron     string `json:"cron,omitempty"`
	Timezone string `json:"timezone,omitempty"`
	Overlap  string `json:"overlap,omitempty"`
	Event    string `json:"event,omitempty"`
	Dedupe   string `json:"dedupe,omitempty"`
	Input    string `json:"input,omitempty"` // canonical JSON
}

// Provider is a declared model provider.
type Provider struct {
	Name            string `json:"name"`
	Type            string `json:"type"`
	BaseURL         string `json:"baseUrl,omitempty"`
	APIKeyFrom      string `json:"apiKeyFrom,omitempty"`
	WorkspaceIDFrom string `json:"workspaceIdFrom,omitempty"`
}

// Environment overlays a project when chosen with -e.
type Environment struct {
	Name      string                   `json:"name"`
	Agents    map[string]AgentOverride `json:"agents,omitempty"`
	Policies  map[string]Policy        `json:"policies,omitempty"` // Execution and Approvals only
	Tools     map[string]ToolOverride  `json:"tools,omitempty"`
	Approvers map[string]string        `json:"approvers,omitempty"` // name -> public key or principal
	Groups    map[string][]string      `json:"groups,omitempty"`
	Runtime   Runtime                  `json:"runtime,omitzero"`
}

// AgentOverride replaces single fields of an agent; nil and "" leave them.
type AgentOverride struct {
	Model       string      `json:"model,omitempty"`
	Constraints Constraints `json:"constraints,omitzero"`
	// MockScript belongs to Model as that of Agent does.
	MockScript string `json:"mockScript,omitempty"`
}

// ToolOverride replaces a tool's endpoint.
type ToolOverride struct {
	HTTP     *HTTP     `json:"http,omitempty"`
	MCP      *MCP      `json:"mcp,omitempty"`
	Temporal *Temporal `json:"temporal,omitempty"`
}

// Runtime names where an environment runs.
type Runtime struct {
	Address   string `json:"address,omitempty"`
	Namespace string `json:"namespace,omitempty"`
	TaskQueue string `json:"taskQueue,omitempty"`
	State     string `json:"state,omitempty"`
}
