package rules

import (
	"terfyn/compiler/nexflow/code"
	"terfyn/compiler/nexflow/manifest"
	"terfyn/compiler/nexflow/refs"
	"terfyn/compiler/nexflow/team"
)

// policyRules is the part of nexflow.md 7.2 about permissions and what is asked of
// them.
var policyRules = []func(*checker){permissionGates, shadowedPermissions, requestedCapabilities, requestedPermissions, taskCapabilities, ungatedRisks, unruledRisks}

func effectOf(permission manifest.Node) team.Effect {
	return team.Effect(permission.Get("effect").Text())
}

// permissionGates compares the effect of each permission with whether it has a
// gate. A gate that is not declared is left to the findings about references.
func permissionGates(c *checker) {
	for _, p := range c.firsts(refs.Permission) {
		gate := p.Node.Get("approvalGate")
		_, resolved := c.index.Find(refs.ApprovalGate, gate.Text())
		f := finding{severity: manifest.Error}
		switch effect := effectOf(p.Node); {
		case effect == team.ApprovalRequired && !gate.Exists():
			f.code = code.PolicyGateMissing
			f.message = "Permission " + manifest.Shown(p.ID) + " requires approval and names no gate, so that nobody can give it."
			f.suggestion = "Name the gate that decides."
		case effect == team.Deny && resolved:
			f.code = code.PolicyGateOnDeny
			f.message = "Permission " + manifest.Shown(p.ID) + " denies and names a gate, but no gate lifts a denial."
			f.suggestion = "Keep the denial, and name the gate where approval is meant to be asked."
		case effect == team.Allow && resolved:
			f.severity, f.code = manifest.Warning, code.PolicyGateOnAllow
			f.message = "Permission " + manifest.Shown(p.ID) + " allows and names a gate, which would never be asked."
			f.suggestion = "Write approval_required if the gate is meant to decide."
		default:
			continue
		}
		c.report(gate, f)
	}
}

// requestedCapabilities finds capabilities that a definition asks for and does not
// get.
func requestedCapabilities(c *checker) {
	e := c.effort()
	for _, d := range c.firsts(refs.AgentDefinition) {
		participant, ok := c.participant(d.Node)
		if !ok {
			continue
		}
		for _, at := range d.Node.At("components", "capabilityRefs").Items() {
			capability := at.Text()
			if _, resolved := c.index.Find(refs.Capability, capability); !resolved {
				continue
			}
			who := "Definition " + manifest.Shown(d.ID) + " asks for capability " + manifest.Shown(capability)
			f := finding{severity: gravity(d.Node), suggestion: "Remove the capability from the definition."}
			subject, asked := c.team.SubjectClass(participant), c.team.CapabilityClass(capability)
			e.spend(c.team.Steps(subject, asked))
			switch effect := c.team.EffectOf(subject, asked); {
			case effect == team.Deny:
				f.code = code.PolicyCapabilityDenied
				f.message = who + ", which is denied to " + manifest.Shown(participant) + "."
			case effect == team.None && c.set.Has(manifest.PermissionSet):
				f.code = code.PolicyCapabilityUnauthorized
				f.message = who + ", which no permission gives to " + manifest.Shown(participant) + "."
			default:
				continue
			}
			c.report(at, f)
		}
	}
}

// requestedPermissions finds permissions that a definition lists although they are
// about others.
func requestedPermissions(c *checker) {
	subjects := map[string]map[string]bool{} // permission to whom it lists
	for _, d := range c.firsts(refs.AgentDefinition) {
		participant, ok := c.participant(d.Node)
		if !ok {
			continue
		}
		for _, at := range d.Node.At("components", "permissionRefs").Items() {
			permission, resolved := c.index.Find(refs.Permission, at.Text())
			if !resolved {
				continue
			}
			if subjects[permission.ID] == nil {
				subjects[permission.ID] = permission.Node.Get("subjects").TextSet()
			}
			if subjects[permission.ID][participant] {
				continue
			}
			c.report(at, finding{
				severity: gravity(d.Node), code: code.PolicyPermissionNotApplicable,
				message: "Definition " + manifest.Shown(d.ID) + " lists permission " + manifest.Shown(permission.ID) +
					", whose subjects do not include " + manifest.Shown(participant) + ", so that it gives nothing.",
				suggestion: "Remove the permission from the definition.",
			})
		}
	}
}
