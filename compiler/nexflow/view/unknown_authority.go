package view

import "terfyn/compiler/nexflow/manifest"

// authorityObjects is the objects with fields about who may do what: a field of theirs
// that nothing reads may be one that was meant to bound something. A test compares
// them with the fields that comparisons count as authority.
var authorityObjects = map[manifest.Kind][]string{
	manifest.Project: {
		"project", "project.policies", "project.approvalGates.*", "project.policies.networkAccess.transport", "project.policies.networkAccess.rules.*",
		"project.policies.networkAccess.rules.*.destinations", "project.policies.humanOverride", "project.policies.humanOverride.response",
		"project.policies.humanOverride.resume",
	},
	manifest.ActorSet:            {"actors.*"},
	manifest.AgentDefinitionSet:  {"agentDefinitions.*", "agentDefinitions.*.components", "agentDefinitions.*.review"},
	manifest.CapabilitySet:       {"capabilities.*"},
	manifest.PermissionSet:       {"permissions.*"},
	manifest.TaskSet:             {"tasks.*"},
	manifest.Workflow:            {"workflow.stages.*.steps.*"},
	manifest.ContextSet:          {"contextSources.*", "contextSources.*.access", "contextSources.*.mcp"},
	manifest.MemorySet:           {"memoryScopes.*"},
	manifest.ProviderSet:         {"providers.*", "providers.*.constraints", "providers.*.constraints.dataRetention"},
	manifest.ModelProfileSet:     {"modelProfiles.*.selection", "modelProfiles.*.selection.pinnedModel", "modelProfiles.*.constraints", "modelProfiles.*.fallback"},
	manifest.RetrievalProfileSet: {"retrievalProfiles.*", "retrievalProfiles.*.sources.*", "retrievalProfiles.*.sensitivity"},
}

// bearsAuthority says whether the objects in one place have such fields, or hold the
// network policy as a whole.
func bearsAuthority(k manifest.Kind, pattern string) bool {
	for _, p := range authorityObjects[k] {
		if p == pattern {
			return true
		}
	}
	return k == manifest.Project && pattern == "project.policies.networkAccess"
}
