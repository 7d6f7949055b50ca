package rules

import (
	"terfyn/compiler/nexflow/code"
	"terfyn/compiler/nexflow/manifest"
	"terfyn/compiler/nexflow/refs"
)

// knowledgeRules are those of nexflow.md 7.4 about context sources, retrieval and
// memory.
var knowledgeRules = []func(*checker){
	restrictedContext, webContext, contextConflicts, toolContext,
	excludedSources, retrievalLimits,
	memoryGates, memoryPromotion, memoryRecords,
}

// mcpCapability is the capability that use of MCP tools falls under.
const mcpCapability = "access_mcp"

func ungated(n manifest.Node) bool { return n.Get("approvalGates").Len() == 0 }

func restrictedContext(c *checker) {
	for _, d := range c.firsts(refs.ContextSource) {
		listed := d.Node.At("access", "allowedActors").Exists()
		if d.Node.Get("classification").Is("restricted") && ungated(d.Node) && !listed {
			c.report(d.Node.Get("approvalGates"), finding{
				severity: manifest.Warning, code: code.ContextRestrictedUngated,
				message:    "The context source " + shownID(d.Node) + " is restricted and has neither a gate nor a list of those who may read it.",
				suggestion: "Name a gate, or list the allowed actors.",
			})
		}
	}
}

func webContext(c *checker) {
	for _, d := range c.firsts(refs.ContextSource) {
		if !d.Node.Get("type").Is("web") {
			continue
		}
		if domains := d.Node.Get("allowedDomains"); domains.Len() == 0 {
			c.report(domains, finding{
				severity: manifest.Warning, code: code.ContextWebUnbounded,
				message:    "The web source " + shownID(d.Node) + " does not say which domains it covers.",
				suggestion: "List the domains that are needed.",
			})
		}
		if citation := d.Node.At("freshness", "requiresCitation"); !citation.True() {
			c.report(citation, finding{
				severity: manifest.Warning, code: code.ContextWebNoCitation,
				message:    "The web source " + shownID(d.Node) + " does not require citations.",
				suggestion: "Set requiresCitation to true.",
			})
		}
	}
}

func contextConflicts(c *checker) {
	for _, d := range c.firsts(refs.ContextSource) {
		access := d.Node.Get("access")
		var both []string
		allowed := access.Get("allowedActors").TextSet()
		for _, who := range access.Get("deniedActors").Items() {
			if _, ok := c.target(refs.Participant, who); ok && allowed[who.Text()] && len(both) < mostMembers {
				both = append(both, manifest.Shown(who.Text()))
			}
		}
		if len(both) > 0 {
			c.report(access.Get("deniedActors"), finding{
				severity: manifest.Warning, code: code.ContextAllowDenyConflict,
				message:    "The context source " + shownID(d.Node) + " both allows and denies the same; the denial wins.",
				suggestion: "Drop whoever is denied from the allowed.",
				details:    manifest.Details{Members: both},
			})
		}
		denied, domains := d.Node.Get("disallowedDomains"), d.Node.Get("allowedDomains").TextSet()
		for _, domain := range denied.Texts() {
			if domains[domain] {
				c.report(denied, finding{
					severity: manifest.Warning, code: code.ContextAllowDenyConflict,
					message:    "The context source " + shownID(d.Node) + " both allows and denies the same; the denial wins.",
					suggestion: "Drop whatever is denied from the allowed.",
				})
				break
			}
		}
	}
}

func toolContext(c *checker) {
	_, declared := c.index.Find(refs.Capability, mcpCapability)
	for _, d := range c.firsts(refs.ContextSource) {
		exposes := d.Node.At("mcp", "exposes")
		if !exposes.Lists("tools") && !exposes.Lists("actions") || !ungated(d.Node) {
			continue
		}
		c.report(d.Node.Get("approvalGates"), finding{
			severity: manifest.Warning, code: code.ContextMCPUngated,
			message:    "The MCP source " + shownID(d.Node) + " exposes tools or actions and has no gate.",
			suggestion: "Name a gate.",
		})
		if !declared {
			c.report(d.Node.Get("mcp"), finding{
				severity: manifest.Warning, code: code.ContextMCPCapability,
				message: "The MCP source " + shownID(d.Node) + " exposes tools or actions, and no capability " + mcpCapability +
					" is declared that permissions could be about.",
				suggestion: "Expose context only, or name a gate.",
			})
		}
	}
}

func excludedSources(c *checker) {
	for _, d := range c.firsts(refs.RetrievalProfile) {
		excluded := d.Node.Get("excludedSources").TextSet()
		for _, s := range d.Node.Get("sources").Items() {
			ref := s.Get("contextSourceRef")
			if _, ok := c.target(refs.ContextSource, ref); ok && excluded[ref.Text()] {
				c.report(ref, finding{
					severity: manifest.Error, code: code.RetrievalExcludedSource,
					message:    "The retrieval profile " + shownID(d.Node) + " both uses and excludes the context source " + manifest.Shown(ref.Text()) + ".",
					suggestion: "Drop it from the sources.",
				})
			}
		}
	}
}

func retrievalLimits(c *checker) {
	for _, d := range c.firsts(refs.RetrievalProfile) {
		for _, s := range d.Node.Get("sources").Items() {
			source, ok := c.target(refs.ContextSource, s.Get("contextSourceRef"))
			if !ok {
				continue
			}
			if mode := s.Get("accessMode"); manifest.Access.Above(mode.Text(), source.At("access", "default").Text()) {
				c.report(mode, finding{
					severity: manifest.Warning, code: code.RetrievalAccessExceeds,
					message:    "The retrieval profile " + shownID(d.Node) + " asks for more access to the context source " + shownID(source) + " than it gives by default.",
					suggestion: "Ask for no more than the default access.",
				})
			}
			if most := s.Get("maxClassification"); manifest.Classifications.Above(source.Get("classification").Text(), most.Text()) {
				c.report(most, finding{
					severity: manifest.Warning, code: code.RetrievalClassification,
					message:    "The retrieval profile " + shownID(d.Node) + " is for data less sensitive than what its context source " + shownID(source) + " holds.",
					suggestion: "Drop the source from the profile.",
				})
			}
		}
	}
}
