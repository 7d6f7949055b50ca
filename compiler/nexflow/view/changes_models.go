package view

import (
	"slices"

	"terfyn/compiler/nexflow/manifest"
	"terfyn/compiler/nexflow/refs"
)

// Orders of words that rise with what is given away. Silence is the step of
// unspecified.
var (
	trainingUses = manifest.Order{{"prohibited"}, {"requires_approval"}, {"unspecified"}, {"allowed"}}
	toolUses     = manifest.Order{{"none"}, {"declared_tools_only"}, {"unspecified"}, {"provider_native_tools"}}
	networkNeeds = manifest.Order{{"prohibited"}, {"optional", "required", "unspecified"}}
	retentions   = manifest.Order{{"none"}, {"bounded"}, {"provider_policy", "organization_policy", "unspecified"}}
	residencies  = manifest.Order{{"local_only"}, {"regions"}, {"project_policy", "organization_policy"}, {"unspecified"}, {"any"}}
)

// modelKinds is the providers and model profiles of nexflow.md 3.4.
var modelKinds = []comparedKind{
	kindOfSpace(refs.Provider, authority, slices.Concat(
		texts("description", "capabilities", "constraints.allowTrainingUse", "selection.strategy"),
		[]comparedField{
			auth("type", word),
			behave("features", list(Added)),
			auth("constraints.trainingUse", rising(trainingUses, 2, Widened)),
			auth("constraints.dataResidency", rising(residencies, 3, Widened)),
			auth("constraints.allowedRegions", secretList(Widened)),
			auth("constraints.toolUse", rising(toolUses, 2, Widened)),
			auth("constraints.maxSensitivity", rising(manifest.Classifications, len(manifest.Classifications), Widened)),
			behave("constraints.costTier", word),
			behave("constraints.latencyClass", word),
			auth("constraints.deployment", word),
			auth("constraints.networkAccess", rising(networkNeeds, 1, Widened)),
			auth("constraints.approvalRequired", flag(Narrowed)),
			auth("constraints.dataRetention.mode", rising(retentions, 2, Widened)),
			auth("constraints.dataRetention.maxDuration", hidden),
		},
		switches("selection.explainability.", "recordSelectionReason", "recordConstraintsApplied", "recordFallbackReason"),
	)),
	kindOfSpace(refs.ModelProfile, authority, slices.Concat(
		texts("description", "selection.pinnedModel.resolvedAt", "selection.resolutionPolicy", "fallback.strategy",
			"review.required", "review.approvers", "review.reviewTriggers", "recommendedFor"),
		conducts("selection.pinnedModel.modelId", "selection.pinnedModel.revision", "selection.floatingAlias", "constraints.maxCostTier", "constraints.maxLatencyClass"),
		[]comparedField{
			behave("modelClass", word),
			auth("selection.mode", word),
			auth("selection.providerRefs", allowed(list(Widened), false)),
			auth("selection.pinnedModel.providerRef", word),
			auth("constraints.trainingUse", rising(trainingUses, 2, Widened)),
			auth("constraints.toolUse", rising(toolUses, 2, Widened)),
			auth("constraints.dataResidency", hidden),
			auth("constraints.sensitivity", rising(manifest.Classifications, -1, Widened)),
			auth("fallback.allowed", flag(Widened)),
			auth("fallback.requiresApproval", flag(Narrowed)),
			auth("fallback.requiresAuditEvent", flag(Narrowed)),
			auth("fallback.candidateProviderRefs", list(Widened)),
			behave("audit.events", list(Added)),
		},
		switches("audit.", "recordModelProfileRef", "recordResolvedProvider", "recordResolvedModel", "recordModelRevision", "recordSelectionReason",
			"recordConstraintsApplied", "recordPolicyDecision", "recordFallbackUsed"),
	)),
}
