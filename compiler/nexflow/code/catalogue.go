package code

// The codes; their meaning stands in the catalogue below.
const (
	DiscoveryDuplicateSingleton          Code = "NF-DISCOVERY-DUPLICATE-SINGLETON"
	DiscoveryDuplicateSource             Code = "NF-DISCOVERY-DUPLICATE-SOURCE"
	DiscoveryDuplicateWorkflow           Code = "NF-DISCOVERY-DUPLICATE-WORKFLOW"
	DiscoveryKindMismatch                Code = "NF-DISCOVERY-KIND-MISMATCH"
	DiscoveryLimitExceeded               Code = "NF-DISCOVERY-LIMIT-EXCEEDED"
	DiscoveryMultipleProjects            Code = "NF-DISCOVERY-MULTIPLE-PROJECTS"
	DiscoveryNoProject                   Code = "NF-DISCOVERY-NO-PROJECT"
	DiscoveryOutsideRoot                 Code = "NF-DISCOVERY-OUTSIDE-ROOT"
	DiscoveryProjectMismatch             Code = "NF-DISCOVERY-PROJECT-MISMATCH"
	DiscoveryUnsafeSource                Code = "NF-DISCOVERY-UNSAFE-SOURCE"
	DiscoveryUnsupportedHint             Code = "NF-DISCOVERY-UNSUPPORTED-HINT"
	DiscoveryUnsupportedKind             Code = "NF-DISCOVERY-UNSUPPORTED-KIND"
	DiscoveryUnsupportedVersion          Code = "NF-DISCOVERY-UNSUPPORTED-VERSION"
	EffectiveConfigAmbiguousDefinition   Code = "NF-EFFECTIVE-CONFIG-AMBIGUOUS-DEFINITION"
	EffectiveConfigContextDenied         Code = "NF-EFFECTIVE-CONFIG-CONTEXT-DENIED"
	EffectiveConfigIneligibleDefinition  Code = "NF-EFFECTIVE-CONFIG-INELIGIBLE-DEFINITION"
	EffectiveConfigMemoryDenied          Code = "NF-EFFECTIVE-CONFIG-MEMORY-DENIED"
	EffectiveConfigNoActiveDefinition    Code = "NF-EFFECTIVE-CONFIG-NO-ACTIVE-DEFINITION"
	ProfileElevatedAutonomyWithoutPolicy Code = "NF-PROFILE-ELEVATED-AUTONOMY-WITHOUT-POLICY"
	ProfileIncomplete                    Code = "NF-PROFILE-INCOMPLETE"
	ProfileMissingDependency             Code = "NF-PROFILE-MISSING-DEPENDENCY"
	RefDuplicateTarget                   Code = "NF-REF-DUPLICATE-TARGET"
	RefLegacyUnqualified                 Code = "NF-REF-LEGACY-UNQUALIFIED"
	RefScopeUnresolved                   Code = "NF-REF-SCOPE-UNRESOLVED"
	RefUnresolved                        Code = "NF-REF-UNRESOLVED"
	SchemaAdditionalProperty             Code = "NF-SCHEMA-ADDITIONAL-PROPERTY"
	SchemaConstraint                     Code = "NF-SCHEMA-CONSTRAINT"
	SchemaEnum                           Code = "NF-SCHEMA-ENUM"
	SchemaFormat                         Code = "NF-SCHEMA-FORMAT"
	SchemaPattern                        Code = "NF-SCHEMA-PATTERN"
	SchemaRequired                       Code = "NF-SCHEMA-REQUIRED"
	SchemaType                           Code = "NF-SCHEMA-TYPE"
	SchemaUnavailable                    Code = "NF-SCHEMA-UNAVAILABLE"
	ActorBridgeDuplicate                 Code = "TERFYN-ACTOR-BRIDGE-DUPLICATE"
	ActorBridgeMissing                   Code = "TERFYN-ACTOR-BRIDGE-MISSING"
	ActorCycle                           Code = "TERFYN-ACTOR-CYCLE"
	AuditMemoryEventsMissing             Code = "TERFYN-AUDIT-MEMORY-EVENTS-MISSING"
	CLIInitConflict                      Code = "TERFYN-CLI-INIT-CONFLICT"
	CLIInitDestination                   Code = "TERFYN-CLI-INIT-DESTINATION"
	CLIInspectionLimit                   Code = "TERFYN-CLI-INSPECTION-LIMIT"
	CLIInternal                          Code = "TERFYN-CLI-INTERNAL"
	CLIUsage                             Code = "TERFYN-CLI-USAGE"
	CompatAdvisoryNetwork                Code = "TERFYN-COMPAT-ADVISORY-NETWORK"
	CompatAgentField                     Code = "TERFYN-COMPAT-AGENT-FIELD"
	CompatNoActorSet                     Code = "TERFYN-COMPAT-NO-ACTORSET"
	CompatProviderCapabilities           Code = "TERFYN-COMPAT-PROVIDER-CAPABILITIES"
	CompatTrainingUse                    Code = "TERFYN-COMPAT-TRAINING-USE"
	ContextAllowDenyConflict             Code = "TERFYN-CONTEXT-ALLOW-DENY-CONFLICT"
	ContextMCPCapability                 Code = "TERFYN-CONTEXT-MCP-CAPABILITY"
	ContextMCPUngated                    Code = "TERFYN-CONTEXT-MCP-UNGATED"
	ContextRestrictedUngated             Code = "TERFYN-CONTEXT-RESTRICTED-UNGATED"
	ContextWebNoCitation                 Code = "TERFYN-CONTEXT-WEB-NO-CITATION"
	ContextWebUnbounded                  Code = "TERFYN-CONTEXT-WEB-UNBOUNDED"
	DefinitionReplacesCycle              Code = "TERFYN-DEFINITION-REPLACES-CYCLE"
	DefinitionReplacesMismatch           Code = "TERFYN-DEFINITION-REPLACES-MISMATCH"
	DefinitionVersionReused              Code = "TERFYN-DEFINITION-VERSION-REUSED"
	ExtInert                             Code = "TERFYN-EXT-INERT"
	ExtLifecycle                         Code = "TERFYN-EXT-LIFECYCLE"
	GateNoApprover                       Code = "TERFYN-GATE-NO-APPROVER"
	GateNonhumanApprover                 Code = "TERFYN-GATE-NONHUMAN-APPROVER"
	GateSelfApproval                     Code = "TERFYN-GATE-SELF-APPROVAL"
	GateTargetNotAttached                Code = "TERFYN-GATE-TARGET-NOT-ATTACHED"
	GateUnused                           Code = "TERFYN-GATE-UNUSED"
	GraphEmptyStage                      Code = "TERFYN-GRAPH-EMPTY-STAGE"
	GraphOrderMismatch                   Code = "TERFYN-GRAPH-ORDER-MISMATCH"
	GraphStepCycle                       Code = "TERFYN-GRAPH-STEP-CYCLE"
	GraphTaskCycle                       Code = "TERFYN-GRAPH-TASK-CYCLE"
	GraphTaskUnscheduled                 Code = "TERFYN-GRAPH-TASK-UNSCHEDULED"
	HandoffEndpointEmpty                 Code = "TERFYN-HANDOFF-ENDPOINT-EMPTY"
	HandoffMissing                       Code = "TERFYN-HANDOFF-MISSING"
	HandoffSelf                          Code = "TERFYN-HANDOFF-SELF"
	MemoryDurableUngated                 Code = "TERFYN-MEMORY-DURABLE-UNGATED"
	MemoryGateMissing                    Code = "TERFYN-MEMORY-GATE-MISSING"
	MemoryPromotionLowersSensitivity     Code = "TERFYN-MEMORY-PROMOTION-LOWERS-SENSITIVITY"
	MemoryPromotionSelf                  Code = "TERFYN-MEMORY-PROMOTION-SELF"
	MemoryWriterConflict                 Code = "TERFYN-MEMORY-WRITER-CONFLICT"
	NetworkActorUnauthorized             Code = "TERFYN-NETWORK-ACTOR-UNAUTHORIZED"
	NetworkClassification                Code = "TERFYN-NETWORK-CLASSIFICATION"
	NetworkRedirectConflict              Code = "TERFYN-NETWORK-REDIRECT-CONFLICT"
	NetworkSchemeConflict                Code = "TERFYN-NETWORK-SCHEME-CONFLICT"
	OverrideAuthorityNotHuman            Code = "TERFYN-OVERRIDE-AUTHORITY-NOT-HUMAN"
	PolicyCapabilityDenied               Code = "TERFYN-POLICY-CAPABILITY-DENIED"
	PolicyCapabilityUnauthorized         Code = "TERFYN-POLICY-CAPABILITY-UNAUTHORIZED"
	PolicyGateMissing                    Code = "TERFYN-POLICY-GATE-MISSING"
	PolicyGateOnAllow                    Code = "TERFYN-POLICY-GATE-ON-ALLOW"
	PolicyGateOnDeny                     Code = "TERFYN-POLICY-GATE-ON-DENY"
	PolicyPermissionNotApplicable        Code = "TERFYN-POLICY-PERMISSION-NOT-APPLICABLE"
	PolicyShadowedByDeny                 Code = "TERFYN-POLICY-SHADOWED-BY-DENY"
	PolicyShadowedByGate                 Code = "TERFYN-POLICY-SHADOWED-BY-GATE"
	PolicyTaskCapabilityDenied           Code = "TERFYN-POLICY-TASK-CAPABILITY-DENIED"
	PolicyTaskCapabilityUnauthorized     Code = "TERFYN-POLICY-TASK-CAPABILITY-UNAUTHORIZED"
	PolicyTaskGateMissing                Code = "TERFYN-POLICY-TASK-GATE-MISSING"
	RefDeferred                          Code = "TERFYN-REF-DEFERRED"
	RetrievalAccessExceeds               Code = "TERFYN-RETRIEVAL-ACCESS-EXCEEDS"
	RetrievalClassification              Code = "TERFYN-RETRIEVAL-CLASSIFICATION"
	RetrievalExcludedSource              Code = "TERFYN-RETRIEVAL-EXCLUDED-SOURCE"
	RetrievalNarrowed                    Code = "TERFYN-RETRIEVAL-NARROWED"
	SafetyNetworkRelaxed                 Code = "TERFYN-SAFETY-NETWORK-RELAXED"
	SafetyRiskUnruled                    Code = "TERFYN-SAFETY-RISK-UNRULED"
	SafetyUngatedRisk                    Code = "TERFYN-SAFETY-UNGATED-RISK"
	SelectionAliasMissing                Code = "TERFYN-SELECTION-ALIAS-MISSING"
	SelectionConstraintConflict          Code = "TERFYN-SELECTION-CONSTRAINT-CONFLICT"
	SelectionFallbackUnreviewed          Code = "TERFYN-SELECTION-FALLBACK-UNREVIEWED"
	SelectionModeConflict                Code = "TERFYN-SELECTION-MODE-CONFLICT"
	SelectionPinMissing                  Code = "TERFYN-SELECTION-PIN-MISSING"
	SelectionPinProvider                 Code = "TERFYN-SELECTION-PIN-PROVIDER"
	SelectionUnrecordedFloat             Code = "TERFYN-SELECTION-UNRECORDED-FLOAT"
)

var entries = []Entry{
	{DiscoveryDuplicateSingleton, isError, "two documents of a kind that a set has once"},
	{DiscoveryDuplicateSource, isError, "one path is listed twice, or workflow stands beside workflows"},
	{DiscoveryDuplicateWorkflow, isError, "two workflows share an id"},
	{DiscoveryKindMismatch, isError, "the hint that led to the document expects another kind"},
	{DiscoveryLimitExceeded, isError, "more documents, or a larger document, than a call reads"},
	{DiscoveryMultipleProjects, isError, "more than one Project, or project.yaml beside project.yml"},
	{DiscoveryNoProject, isError, "no Project among the chosen documents"},
	{DiscoveryOutsideRoot, isError, "a locator is absolute, remote or leads out of the root"},
	{DiscoveryProjectMismatch, isError, "a document belongs to another project than the Project document declares"},
	{DiscoveryUnsafeSource, isError, "a source is a link, no regular file, unreadable, or outside the YAML profile; details.reason tells which"},
	{DiscoveryUnsupportedHint, isError, "a key of the Project's manifests that no kind has"},
	{DiscoveryUnsupportedKind, isError, "a document without a kind, or with one that draft 0.1 does not have"},
	{DiscoveryUnsupportedVersion, isError, "specVersion is not the string 0.1"},
	{EffectiveConfigAmbiguousDefinition, isError, "an agent has two active definitions"},
	{EffectiveConfigContextDenied, byStatus, "a definition asks for a context source that its participant may not read"},
	{EffectiveConfigIneligibleDefinition, isError, "an active definition uses a prompt set or retrieval profile that is not active or not reviewed"},
	{EffectiveConfigMemoryDenied, byStatus, "a definition asks for a memory scope that its participant does not consume"},
	{EffectiveConfigNoActiveDefinition, isInfo, "an agent has definitions, and none of them is active"},
	{ProfileElevatedAutonomyWithoutPolicy, isWarning, "high autonomy in a set without permissions, capabilities, events or gates"},
	{ProfileIncomplete, isError, "the Project or the participants are missing"},
	{ProfileMissingDependency, isError, "a reference needs a kind of document that the set does not have"},
	{RefDuplicateTarget, isError, "an id is declared twice in one namespace"},
	{RefLegacyUnqualified, isWarning, "a gate names what it applies to without a kind"},
	{RefScopeUnresolved, isError, "the workflow that scopes a reference is not declared"},
	{RefUnresolved, isError, "a reference to something that is not declared"},
	{SchemaAdditionalProperty, isError, "a member that a closed object does not have"},
	{SchemaConstraint, isError, "a value breaks a rule of its schema, such as a length, a range or a forbidden combination"},
	{SchemaEnum, isError, "a word outside the closed set of its field"},
	{SchemaFormat, isError, "a date or time that is none"},
	{SchemaPattern, isError, "a text that does not have the form of its field"},
	{SchemaRequired, isError, "a required field is missing"},
	{SchemaType, isError, "a value of another type than its field has"},
	{SchemaUnavailable, isError, "a schema of this build does not load; the fault is terfyn's"},
	{ActorBridgeDuplicate, isError, "two actors refer to one agent"},
	{ActorBridgeMissing, isError, "an agent that no actor refers to"},
	{ActorCycle, isError, "actors operate or represent each other in a circle"},
	{AuditMemoryEventsMissing, isWarning, "a restricted memory scope without audit events"},
	{CLIInitConflict, isError, "a file that init would write exists with other content"},
	{CLIInitDestination, isError, "the destination of init is no directory, or takes no files"},
	{CLIInspectionLimit, isError, "more resources or references than inspect shows"},
	{CLIInternal, isError, "a fault inside terfyn; no result is claimed"},
	{CLIUsage, isError, "the command line is not one of this group"},
	{CompatAdvisoryNetwork, isInfo, "networkAccess is text, which bounds nothing"},
	{CompatAgentField, isInfo, "an agent carries fields that moved to its definition"},
	{CompatNoActorSet, isInfo, "participants are taken from maintainers and agents"},
	{CompatProviderCapabilities, isWarning, "a provider lists capabilities where draft 0.1 has features"},
	{CompatTrainingUse, isWarning, "a provider has allowTrainingUse where draft 0.1 has trainingUse"},
	{ContextAllowDenyConflict, isWarning, "someone, or a domain, is both allowed and denied; the denial wins"},
	{ContextMCPCapability, isWarning, "an MCP source exposes tools or actions without a gate, and the set declares no capability access_mcp"},
	{ContextMCPUngated, isWarning, "an MCP source exposes tools or actions without a gate"},
	{ContextRestrictedUngated, isWarning, "a restricted source with neither a gate nor an allow-list"},
	{ContextWebNoCitation, isWarning, "a web source that does not require citations"},
	{ContextWebUnbounded, isWarning, "a web source without allowed domains"},
	{DefinitionReplacesCycle, isError, "versions replace each other in a circle"},
	{DefinitionReplacesMismatch, isError, "a definition replaces one of another agent"},
	{DefinitionVersionReused, isError, "two definitions of an agent share a version"},
	{ExtInert, isInfo, "a declared extension, which does nothing here"},
	{ExtLifecycle, byStatus, "a definition uses a deprecated or removed extension"},
	{GateNoApprover, isWarning, "a gate that nobody can approve"},
	{GateNonhumanApprover, isWarning, "a gate lists an approver who is no human"},
	{GateSelfApproval, isWarning, "a gate would be approved by those whose work it guards"},
	{GateTargetNotAttached, isWarning, "a gate targets something that does not name the gate"},
	{GateUnused, isInfo, "a gate that nothing names"},
	{GraphEmptyStage, isWarning, "a stage without steps"},
	{GraphOrderMismatch, isWarning, "a step does not wait for a task that its own task depends on"},
	{GraphStepCycle, isError, "steps wait for each other in a circle"},
	{GraphTaskCycle, isError, "tasks depend on each other in a circle"},
	{GraphTaskUnscheduled, isInfo, "no step of a workflow runs the task"},
	{HandoffEndpointEmpty, isError, "a handoff without a giver or a receiver"},
	{HandoffMissing, isInfo, "work passes between owners without a handoff"},
	{HandoffSelf, isWarning, "someone is giver and receiver of one handoff"},
	{MemoryDurableUngated, isWarning, "a lasting memory scope is written without review"},
	{MemoryGateMissing, isError, "a memory scope requires approval and names no gate"},
	{MemoryPromotionLowersSensitivity, isError, "content may move to a less sensitive memory scope"},
	{MemoryPromotionSelf, isWarning, "a memory scope is its own source"},
	{MemoryWriterConflict, isWarning, "writing is prohibited, and writers are listed"},
	{NetworkActorUnauthorized, isWarning, "a network rule names someone without permission for access_network"},
	{NetworkClassification, isWarning, "a network rule lets less sensitive data through than its source holds"},
	{NetworkRedirectConflict, isWarning, "followRedirects and maxRedirects disagree"},
	{NetworkSchemeConflict, isError, "TLS is required and a rule lists http"},
	{OverrideAuthorityNotHuman, isError, "an override authority that does not come down to humans"},
	{PolicyCapabilityDenied, byStatus, "a definition asks for a capability that is denied"},
	{PolicyCapabilityUnauthorized, byStatus, "a definition asks for a capability that no permission gives"},
	{PolicyGateMissing, isError, "a permission requires approval and names no gate"},
	{PolicyGateOnAllow, isWarning, "a gate that would never be asked"},
	{PolicyGateOnDeny, isError, "a gate on a denial, which nothing can lift"},
	{PolicyPermissionNotApplicable, byStatus, "a definition lists a permission that is not about its participant"},
	{PolicyShadowedByDeny, isWarning, "a permission that a denial takes back, in whole or in part"},
	{PolicyShadowedByGate, isWarning, "an allowance that another permission makes subject to approval"},
	{PolicyTaskCapabilityDenied, isError, "a task needs a capability that its owner is denied"},
	{PolicyTaskCapabilityUnauthorized, isWarning, "nobody on a task has permission for a capability it needs"},
	{PolicyTaskGateMissing, isWarning, "a task needs approval and names none of the gates for it"},
	{RefDeferred, isInfo, "appliesTo of a prompt, which is not resolved"},
	{RetrievalAccessExceeds, isWarning, "a retrieval profile asks for more access than its source gives"},
	{RetrievalClassification, isWarning, "a retrieval profile accepts less sensitive data than its source holds"},
	{RetrievalExcludedSource, isError, "a retrieval profile both uses and excludes a source"},
	{RetrievalNarrowed, bySource, "a retrieval profile has sources that the definition does not ask for"},
	{SafetyNetworkRelaxed, isWarning, "the network transport is laxer than the default"},
	{SafetyRiskUnruled, isWarning, "a risky capability that no permission mentions"},
	{SafetyUngatedRisk, isWarning, "someone who is no human may use a risky capability without approval"},
	{SelectionAliasMissing, isError, "a floating model without an alias or a policy"},
	{SelectionConstraintConflict, isWarning, "a candidate provider allows what the model profile forbids"},
	{SelectionFallbackUnreviewed, isWarning, "a pinned model may fall back without approval"},
	{SelectionModeConflict, isWarning, "a pinned model under another mode of selection"},
	{SelectionPinMissing, isError, "a pinned selection without a model"},
	{SelectionPinProvider, isWarning, "the pinned provider is not one of the profile's"},
	{SelectionUnrecordedFloat, isWarning, "a model that may change is not recorded"},
}
