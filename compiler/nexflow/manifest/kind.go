package manifest

// SpecVersion is the only version of NexFlow this package knows.
const SpecVersion = "0.1"

// Kind is the kind of a document.
type Kind string

// The kinds of draft 0.1 (nexflow.md section 3).
const (
	Project             Kind = "Project"
	ActorSet            Kind = "ActorSet"
	AgentSet            Kind = "AgentSet"
	AgentDefinitionSet  Kind = "AgentDefinitionSet"
	CapabilitySet       Kind = "CapabilitySet"
	PermissionSet       Kind = "PermissionSet"
	TaskSet             Kind = "TaskSet"
	Workflow            Kind = "Workflow"
	HandoffSet          Kind = "HandoffSet"
	ContextSet          Kind = "ContextSet"
	MemorySet           Kind = "MemorySet"
	ProviderSet         Kind = "ProviderSet"
	ModelProfileSet     Kind = "ModelProfileSet"
	PromptSet           Kind = "PromptSet"
	RetrievalProfileSet Kind = "RetrievalProfileSet"
	EventSet            Kind = "EventSet"
	ExtensionSet        Kind = "ExtensionSet"
)

// KindInfo is what is fixed about a kind.
type KindInfo struct {
	Kind Kind
	// Hint is the key of the kind in a Project's manifests; "" for Project, which
	// nothing points to. Workflow has the second key workflows, which takes a list.
	Hint string
	// List is the field that holds the declarations: an array, but one object for
	// Project and Workflow.
	List string
	// Many is set for the one kind that a set may have several documents of.
	Many bool
}

var kinds = []KindInfo{
	{Kind: Project, List: "project"},
	{Kind: ActorSet, Hint: "actors", List: "actors"},
	{Kind: AgentSet, Hint: "agents", List: "agents"},
	{Kind: AgentDefinitionSet, Hint: "agentDefinitions", List: "agentDefinitions"},
	{Kind: CapabilitySet, Hint: "capabilities", List: "capabilities"},
	{Kind: PermissionSet, Hint: "permissions", List: "permissions"},
	{Kind: TaskSet, Hint: "tasks", List: "tasks"},
	{Kind: Workflow, Hint: "workflow", List: "workflow", Many: true},
	{Kind: HandoffSet, Hint: "handoffs", List: "handoffs"},
	{Kind: ContextSet, Hint: "context", List: "contextSources"},
	{Kind: MemorySet, Hint: "memory", List: "memoryScopes"},
	{Kind: ProviderSet, Hint: "providers", List: "providers"},
	{Kind: ModelProfileSet, Hint: "modelProfiles", List: "modelProfiles"},
	{Kind: PromptSet, Hint: "promptSets", List: "promptSets"},
	{Kind: RetrievalProfileSet, Hint: "retrievalProfiles", List: "retrievalProfiles"},
	{Kind: EventSet, Hint: "events", List: "events"},
	{Kind: ExtensionSet, Hint: "extensions", List: "extensions"},
}

// Kinds lists the kinds in the order of the specification. The slice is shared.
func Kinds() []KindInfo { return kinds }

// Info returns what is fixed about k and whether k is a kind.
func (k Kind) Info() (KindInfo, bool) {
	for _, i := range kinds {
		if i.Kind == k {
			return i, true
		}
	}
	return KindInfo{}, false
}
