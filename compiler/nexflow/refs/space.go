package refs

import "terfyn/compiler/nexflow/manifest"

// Space is a namespace: a table in which an id is unique. The names are those of
// resources in nexflow.md 10.4.
type Space string

// The namespaces.
const (
	Project          Space = "project"
	ApprovalGate     Space = "approval-gate"
	Actor            Space = "actor"
	Agent            Space = "agent"
	AgentDefinition  Space = "agent-definition"
	Capability       Space = "capability"
	Permission       Space = "permission"
	Task             Space = "task"
	Artifact         Space = "artifact"
	Workflow         Space = "workflow"
	WorkflowStage    Space = "workflow-stage"
	WorkflowStep     Space = "workflow-step"
	Handoff          Space = "handoff"
	ContextSource    Space = "context-source"
	MemoryScope      Space = "memory-scope"
	Provider         Space = "provider"
	ModelProfile     Space = "model-profile"
	PromptSet        Space = "prompt-set"
	RetrievalProfile Space = "retrieval-profile"
	Event            Space = "event"
	Extension        Space = "extension"

	// Maintainer, NetworkRule and Prompt are unique among themselves, but they are
	// no resources.
	Maintainer  Space = "maintainer"
	NetworkRule Space = "network-rule"
	Prompt      Space = "prompt"

	// Participant is not a namespace of its own: it is Actor in a set that has an
	// ActorSet, else maintainers and agents together (nexflow.md 1).
	Participant Space = "participant"
)

// where says which declarations a namespace has.
type where struct {
	space Space
	kind  manifest.Kind
	// path leads from the document to the declarations; "*" stands for every element
	// of an array.
	path []string
	// id is the field that holds the identity.
	id string
	// scope is how many elements of path make up the object whose id scopes the
	// declarations; 0 for the whole set.
	scope int
}

// declared is every place that declares something (nexflow.md 3 and 6.1).
var declared = []where{
	{space: Project, kind: manifest.Project, path: []string{"project"}, id: "id"},
	{space: ApprovalGate, kind: manifest.Project, path: []string{"project", "approvalGates", "*"}, id: "id"},
	{space: Maintainer, kind: manifest.Project, path: []string{"project", "maintainers", "*"}, id: "id"},
	{space: NetworkRule, kind: manifest.Project, path: []string{"project", "policies", "networkAccess", "rules", "*"}, id: "id"},
	{space: Actor, kind: manifest.ActorSet, path: []string{"actors", "*"}, id: "id"},
	{space: Agent, kind: manifest.AgentSet, path: []string{"agents", "*"}, id: "id"},
	{space: AgentDefinition, kind: manifest.AgentDefinitionSet, path: []string{"agentDefinitions", "*"}, id: "id"},
	{space: Capability, kind: manifest.CapabilitySet, path: []string{"capabilities", "*"}, id: "id"},
	{space: Permission, kind: manifest.PermissionSet, path: []string{"permissions", "*"}, id: "id"},
	{space: Task, kind: manifest.TaskSet, path: []string{"tasks", "*"}, id: "id"},
	{space: Artifact, kind: manifest.TaskSet, path: []string{"tasks", "*", "artifacts", "*"}, id: "id"},
	{space: Workflow, kind: manifest.Workflow, path: []string{"workflow"}, id: "id"},
	{space: WorkflowStage, kind: manifest.Workflow, path: []string{"workflow", "stages", "*"}, id: "id", scope: 1},
	{space: WorkflowStep, kind: manifest.Workflow, path: []string{"workflow", "stages", "*", "steps", "*"}, id: "id", scope: 1},
	{space: Handoff, kind: manifest.HandoffSet, path: []string{"handoffs", "*"}, id: "id"},
	{space: ContextSource, kind: manifest.ContextSet, path: []string{"contextSources", "*"}, id: "id"},
	{space: MemoryScope, kind: manifest.MemorySet, path: []string{"memoryScopes", "*"}, id: "scope"},
	{space: Provider, kind: manifest.ProviderSet, path: []string{"providers", "*"}, id: "id"},
	{space: ModelProfile, kind: manifest.ModelProfileSet, path: []string{"modelProfiles", "*"}, id: "id"},
	{space: PromptSet, kind: manifest.PromptSet, path: []string{"promptSets", "*"}, id: "id"},
	{space: Prompt, kind: manifest.PromptSet, path: []string{"promptSets", "*", "prompts", "*"}, id: "id", scope: 2},
	{space: RetrievalProfile, kind: manifest.RetrievalProfileSet, path: []string{"retrievalProfiles", "*"}, id: "id"},
	{space: Event, kind: manifest.EventSet, path: []string{"events", "*"}, id: "type"},
	{space: Extension, kind: manifest.ExtensionSet, path: []string{"extensions", "*"}, id: "id"},
}

// Kind is the kind of document that declares things of the namespace; "" for
// Participant, which two kinds declare.
func (s Space) Kind() manifest.Kind { return kindOf[s] }

var kindOf = func() map[Space]manifest.Kind {
	out := map[Space]manifest.Kind{}
	for _, w := range declared {
		out[w.space] = w.kind
	}
	return out
}()
