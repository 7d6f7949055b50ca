package rules

import (
	"terfyn/compiler/nexflow/code"
	"terfyn/compiler/nexflow/manifest"
	"terfyn/compiler/nexflow/refs"
	"terfyn/compiler/nexflow/team"
)

// isHighRisk reports whether a capability declares the risk high or critical.
func isHighRisk(capability manifest.Node) bool {
	risk := capability.Get("risk")
	return risk.Is("high") || risk.Is("critical")
}

// ungatedRisks finds risky capabilities that someone who is no human may use
// without asking.
func ungatedRisks(c *checker) {
	for _, p := range c.firsts(refs.Permission) {
		if effectOf(p.Node) != team.Allow {
			continue
		}
		for _, at := range p.Node.Get("capabilities").Items() {
			capability, resolved := c.index.Find(refs.Capability, at.Text())
			if !resolved || !isHighRisk(capability.Node) && !capability.Node.Get("requiresApprovalByDefault").True() {
				continue
			}
			subject, free := c.freeOfApproval(p.Node, capability.ID)
			if !free {
				continue
			}
			c.report(at, finding{
				severity: manifest.Warning, code: code.SafetyUngatedRisk,
				message: "Permission " + manifest.Shown(p.ID) + " lets " + manifest.Shown(subject) + ", who is no human, use capability " +
					manifest.Shown(capability.ID) + ", which is risky or meant to be approved, without approval.",
				suggestion: "Write approval_required and name a gate that humans decide.",
			})
		}
	}
}

// freeOfApproval is the first subject of a permission who is no human and whom
// nothing else denies the capability or makes ask.
func (c *checker) freeOfApproval(permission manifest.Node, capability string) (subject string, ok bool) {
	for _, id := range permission.Get("subjects").Texts() {
		if _, resolved := c.index.Find(refs.Participant, id); resolved && c.team.NonHuman(id) && c.team.Effect(id, capability) == team.Allow {
			return id, true
		}
	}
	return "", false
}

// unruledRisks finds risky capabilities that no permission mentions.
func unruledRisks(c *checker) {
	ruled := map[string]bool{}
	for _, p := range c.index.All(refs.Permission) {
		for _, id := range p.Node.Get("capabilities").Texts() {
			ruled[id] = true
		}
	}
	for _, capability := range c.firsts(refs.Capability) {
		if ruled[capability.ID] || !isHighRisk(capability.Node) {
			continue
		}
		c.report(capability.IDNode, finding{
			severity: manifest.Warning, code: code.SafetyRiskUnruled,
			message:    "No permission mentions capability " + manifest.Shown(capability.ID) + ", whose risk is high or critical, so that nobody has decided about it.",
			suggestion: "Keep the capability out of definitions and tasks until a permission says who is denied it or has to ask.",
		})
	}
}
