package view

import (
	"slices"
	"strconv"

	"terfyn/compiler/nexflow/manifest"
	"terfyn/compiler/nexflow/refs"
)

// knowledgeKinds is the context sources, memory scopes, prompts and retrieval
// profiles of nexflow.md 3.4.
var knowledgeKinds = []comparedKind{
	kindOfSpace(refs.ContextSource, authority, append(
		texts("description", "uri", "refreshPolicy", "freshness.maxAge", "freshness.lastReviewed", "mcp.serverId", "extensions"),
		auth("type", word),
		behave("contentTypes", list(Added)),
		auth("access.default", rising(manifest.Access, -1, Widened)),
		auth("access.allowedActors", allowed(list(Widened), true)),
		auth("access.deniedActors", list(Narrowed)),
		auth("classification", rising(manifest.Classifications, -1, Narrowed)),
		behave("freshness.staleAllowed", flag(Changed)),
		behave("freshness.requiresCitation", flag(Changed)),
		auth("allowedDomains", allowed(secretList(Widened), false)),
		auth("disallowedDomains", secretList(Narrowed)),
		auth("mcp.exposes", list(Widened)),
		auth("mcp.allowedTools", secretList(Widened)),
		auth("mcp.requiresApprovalForTools", flag(Narrowed)),
		auth("approvalGates", list(Narrowed)),
	)),
	kindOfSpace(refs.MemoryScope, authority, append(
		texts("retention", "ownership", "visibility", "updateRules", "prohibitedContent"),
		auth("sensitivity", rising(manifest.Classifications, -1, Narrowed)),
		auth("allowedConsumers", list(Widened)),
		auth("updateMode", rising(manifest.UpdateModes, 0, Narrowed)),
		auth("allowedWriters", list(Widened)),
		auth("allowedSourceScopes", list(Widened)),
		behave("auditEvents", list(Added)),
		auth("approvalGate", gateField),
	)),
	kindOfSpace(refs.PromptSet, behaviour, slices.Concat(
		texts("description", "review.approvers", "review.reviewedAt", "review.evidenceRefs", "recommendedFor"), compatibility,
		[]comparedField{
			behave("version", hidden),
			behave("status", word),
			behave("owner", word),
			behave("review.required", flag(Changed)),
			behave("review.safetyReviewStatus", word),
			behave("audit.events", list(Added)),
			nested("prompts"),
		},
		switches("audit.", "recordPromptSetRef", "recordPromptRevisions", "recordContentDigest", "recordReviewStatus"),
	)),
	kindOfSpace(refs.Prompt, behaviour, slices.Concat(
		texts("sourceRef", "appliesTo", "notes"),
		conducts("revision", "contentDigest", "inline", "variables"),
		[]comparedField{behave("kind", word), behave("classification", word)},
	)),
	kindOfSpace(refs.RetrievalProfile, behaviour, slices.Concat(
		texts("description", "index.corpusRef", "index.rerankerRef", "index.sourceDigest", "index.lastIndexedAt",
			"chunking.strategy", "chunking.maxChunkTokens", "chunking.overlapTokens", "chunking.preserveBoundaries",
			"retriever.strategy", "retriever.topK", "retriever.scoreThreshold", "retriever.queryRewrite", "retriever.filters",
			"freshness.maxAge", "sensitivity.redactionPolicy", "review.required", "review.approvers", "review.reviewTriggers", "recommendedFor"), compatibility,
		conducts("version", "index.version"),
		[]comparedField{
			behave("status", word),
			behave("owner", word),
			auth("sources", retrievalSources).beside(restOfItems([]string{"contextSourceRef"}, "purpose", "accessMode", "required", "maxClassification")),
			auth("excludedSources", list(Narrowed)),
			behave("index.updatePolicy", word),
			behave("index.embeddingModelProfileRef", word),
			behave("citations.style", word),
			auth("sensitivity.maxClassification", rising(manifest.Classifications, len(manifest.Classifications), Widened)),
			auth("sensitivity.allowCrossScopeReuse", flag(Widened)),
			auth("sensitivity.excludedClassifications", list(Narrowed)),
			behave("audit.events", list(Added)),
		},
		switches("freshness.", "staleAllowed", "requiresRefreshBeforeUse", "citationRequiredForStale"),
		switches("citations.", "required", "includeLineRefs", "includeRetrievedAt"),
		switches("audit.", "recordRetrievalProfileRef", "recordContextSources", "recordIndexVersion", "recordFreshness", "recordCitations", "recordRetrieverConfig"),
	)),
}

var compatibility = texts("compatibility.impact", "compatibility.notes", "compatibility.replaces", "compatibility.affectedAgents", "compatibility.affectedWorkflows")

// sourceFields is the fields of a source of a retrieval profile.
var sourceFields = []comparedField{
	auth("accessMode", rising(manifest.Access, -1, Widened)),
	auth("required", flag(Changed)),
	auth("maxClassification", rising(manifest.Classifications, len(manifest.Classifications), Widened)),
}

// retrievalSources compares the sources of a profile one by one. A source that
// comes twice is told apart by its turn.
func retrievalSources(was, is manifest.Node, of owners) []delta {
	a, b := sourceItems(was), sourceItems(is)
	out := entries(a, b, Widened)
	earlier := map[string]manifest.Node{}
	for _, i := range a {
		earlier[i.key] = i.node
	}
	for _, later := range b {
		source, both := earlier[later.key]
		if !both {
			continue
		}
		for _, f := range sourceFields {
			x, y := source.Get(f.path), later.node.Get(f.path)
			if same(x, y) {
				continue
			}
			for _, d := range f.how(x, y, of) {
				d.sub, d.item, d.was, d.is = f.path, later.shown, x, y
				out = append(out, d)
			}
		}
	}
	return out
}

func sourceItems(n manifest.Node) []item {
	turn := map[string]int{}
	var out []item
	for _, s := range n.Items() {
		id := s.Get("contextSourceRef").Text()
		turn[id]++
		out = append(out, item{key: id + " " + strconv.Itoa(turn[id]), shown: manifest.Shown(id), node: s})
	}
	return out
}
