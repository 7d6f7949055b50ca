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
	e := c.effort()
	for _, p := range c.firsts(refs.Permission) {
		if effectOf(p.Node) != team.Allow {
			continue
		}
		var f *freedom
		for _, at := range p.Node.Get("capabilities").Items() {
			capability, resolved := c.index.Find(refs.Capability, at.Text())
			if !resolved || !isHighRisk(capability.Node) && !capability.Node.Get("requiresApprovalByDefault").True() {
				continue
			}
			if f == nil {
				f = c.freedomUnder(p.Node, e)
			}
			permission, shown := manifest.Shown(p.ID), manifest.Shown(capability.ID)
			message := "Permission " + permission + " may let someone who is no human use capability " + shown +
				", which is risky or meant to be approved, without approval" + notCompared
			subject, clear := f.ofApproval(capability.ID)
			if clear && subject == "" {
				continue
			}
			if clear {
				message = "Permission " + permission + " lets " + manifest.Shown(subject) + ", who is no human, use capability " +
					shown + ", which is risky or meant to be approved, without approval."
			}
			c.report(at, finding{
				severity: manifest.Warning, code: code.SafetyUngatedRisk,
				message:    message,
				suggestion: "Write approval_required and name a gate that humans decide.",
			})
		}
	}
}

// freedom knows the subjects of one permission who are no humans: the first of each
// class.
type freedom struct {
	team     *team.Team
	effort   *effort
	subjects []string
	classes  []team.Class
	known    map[team.Class]string // class of a capability to the first who is free
}

func (c *checker) freedomUnder(permission manifest.Node, e *effort) *freedom {
	f := &freedom{team: c.team, effort: e, known: map[team.Class]string{}}
	seen := map[team.Class]bool{}
	for _, id := range permission.Get("subjects").Texts() {
		class := c.team.SubjectClass(id)
		if seen[class] {
			continue
		}
		if _, resolved := c.index.Find(refs.Participant, id); resolved && c.team.NonHuman(id) {
			seen[class] = true
			f.subjects = append(f.subjects, id)
			f.classes = append(f.classes, class)
		}
	}
	return f
}

// ofApproval is the first subject whom nothing else denies the capability or makes
// ask, "" when there is none. It is not clear when the effort did not suffice.
func (f *freedom) ofApproval(capability string) (subject string, clear bool) {
	class := f.team.CapabilityClass(capability)
	if subject, known := f.known[class]; known {
		return subject, true
	}
	for i, s := range f.classes {
		if !f.effort.take(f.team.Steps(s, class)) {
			return "", false
		}
		if f.team.EffectOf(s, class) == team.Allow {
			subject = f.subjects[i]
			break
		}
	}
	f.known[class] = subject
	return subject, true
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
