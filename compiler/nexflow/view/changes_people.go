package view

import (
	"slices"

	"terfyn/compiler/nexflow/manifest"
	"terfyn/compiler/nexflow/refs"
	"terfyn/compiler/nexflow/team"
)

// peopleKinds is nexflow.md 3.2 and the capabilities and permissions of 3.3.
var peopleKinds = []comparedKind{
	kindOfSpace(refs.Actor, authority, append(
		texts("displayName", "description", "roles", "responsibilities", "skills", "extensions"),
		auth("kind", actorKind),
		auth("agentRef", idOf),
		auth("operatedBy", controllers),
		auth("representedBy", controllers),
		behave("integrationRef", idOf),
	)),
	kindOfSpace(refs.Agent, authority, texts(
		"displayName", "role", "description", "responsibilities", "skills",
		"permissions", "capabilities", "contextAccess", "memoryAccess", "autonomyLevel", "providerPreferences", "extensions",
	)),
	{name: string(refs.AgentDefinition), find: firstsOf(refs.AgentDefinition), means: authority, added: definitionAdded, fields: slices.Concat(
		texts("description", "changeSummary", "replaces",
			"review.required", "review.state", "review.approvers", "review.reviewedAt", "review.activationCriteria", "review.evidenceRefs",
			"compatibility.impact", "compatibility.notes", "compatibility.affectedAgents", "compatibility.affectedWorkflows"),
		[]comparedField{
			auth("agentRef", word),
			behave("definitionVersion", hidden),
			auth("status", activation),
			behave("owner", word),
			auth("autonomyLevel", rising(manifest.Autonomy, -1, Widened)),
			behave("components.modelProfileRef", word),
			behave("components.promptSetRef", word),
			behave("components.retrievalProfileRef", word),
			behave("components.permissionRefs", list(Added)),
			auth("components.capabilityRefs", list(Widened)),
			auth("components.contextSourceRefs", list(Widened)),
			auth("components.memoryScopes", list(Widened)),
			auth("components.extensionRefs", list(Added)),
			auth("review.approvalGate", gateField),
			behave("audit.events", list(Added)),
		},
		switches("audit.", "recordAgentDefinitionRef", "recordDefinitionVersion", "recordComponentRefs", "recordReviewState", "recordChangeSummary"),
	)},
	kindOfSpace(refs.Capability, authority, append(
		texts("description", "category", "auditRecommended"),
		auth("risk", rising(manifest.Risks, -1, Narrowed)),
		auth("requiresApprovalByDefault", flag(Narrowed)),
	)),
	kindOfSpace(refs.Permission, authority, append(
		texts("description"),
		viaEffects("subjects"), viaEffects("capabilities"), viaEffects("effect"),
		auth("approvalGate", permissionGate),
		auth("conditions", presenceOf),
		auth("scope", presenceOf),
	)),
}

// definitionAdded is the class of a new definition: an active one does something.
func definitionAdded(definition manifest.Node) Class {
	if definition.Get("status").Is("active") {
		return Widened
	}
	return Added
}

// controllers compares those who operate or represent somebody. To put it into hands
// that do not come down to humans takes control away from people; from one human to
// another it is only changed.
func controllers(was, is manifest.Node, of owners) []delta {
	out := objects(Changed, "id")(was, is, of)
	for i, d := range out {
		switch {
		case d.is.Exists() && of.after.Verdict(d.is.Get("id").Text()) == team.ComesDownToOthers:
			out[i].class = Widened
		case d.was.Exists() && of.before.Verdict(d.was.Get("id").Text()) == team.ComesDownToOthers:
			out[i].class = Narrowed
		}
	}
	return out
}

// actorKind compares what kind somebody is: what people did is in other hands when
// somebody ceases to be one of them.
func actorKind(was, is manifest.Node, _ owners) []delta {
	d := delta{class: Changed, from: shown(was), to: shown(is)}
	people := func(n manifest.Node) bool { return n.Is("human") || n.Is("authority") }
	switch {
	case people(was) && !people(is):
		d.class = Widened
	case !people(was) && people(is):
		d.class = Narrowed
	}
	return []delta{d}
}

// idOf compares typed references by their ids.
func idOf(was, is manifest.Node, _ owners) []delta {
	a, b := was.Get("id"), is.Get("id")
	if same(a, b) {
		return nil
	}
	return []delta{{class: Changed, from: shown(a), to: shown(b)}}
}

// activation compares the status of a definition: only an active one does
// something.
func activation(was, is manifest.Node, _ owners) []delta {
	d := delta{class: Changed, from: shown(was), to: shown(is)}
	switch {
	case is.Is("active"):
		d.class = Widened
	case was.Is("active"):
		d.class = Narrowed
	}
	return []delta{d}
}

// permissionGate is the gate of a permission, which is asked where approval is the
// effect before and after.
func permissionGate(was, is manifest.Node, of owners) []delta {
	out := gateField(was, is, of)
	if !of.was.Get("effect").Is("approval_required") || !of.is.Get("effect").Is("approval_required") {
		out[0].class = Changed
	}
	return out
}

// presenceOf is whether there is something: conditions and scopes are texts that
// nothing evaluates, and their presence keeps an allowance from being plain.
func presenceOf(was, is manifest.Node, _ owners) []delta {
	there := func(n manifest.Node) string {
		if n.Len() > 0 || len(n.Value().Fields()) > 0 {
			return "present"
		}
		return ""
	}
	if there(was) == there(is) {
		return nil
	}
	return []delta{{class: Changed, from: there(was), to: there(is)}}
}
