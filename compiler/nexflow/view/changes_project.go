package view

import (
	"slices"

	"terfyn/compiler/nexflow/manifest"
	"terfyn/compiler/nexflow/refs"
)

// projectKinds is nexflow.md 3.1.
var projectKinds = []comparedKind{
	{name: string(refs.Project), find: single(func(p manifest.Node) manifest.Node { return p }), means: authority, added: always(Added), fields: slices.Concat(
		texts("displayName", "description", "license", "policies.secretHandling", "policies.destructiveActions", "policies.productionActions"),
		[]comparedField{
			behave("id", word),
			auth("defaultAutonomy", rising(manifest.Autonomy, -1, Widened)),
			auth("policies.requireReview", flag(Narrowed)),
			auth("policies.networkAccess", networkModes),
			nested("policies.humanOverride"), nested("maintainers"), nested("approvalGates"),
		},
	)},
	{name: string(refs.Maintainer), find: firstsOf(refs.Maintainer), means: authority, added: always(Added), fields: texts("name", "role", "contact")},
	{name: string(refs.ApprovalGate), find: firstsOf(refs.ApprovalGate), means: authority, added: gateAdded, fields: append(
		texts("description", "appliesTo"),
		auth("requiredApprovers", approverList),
		auth("targets", objects(Narrowed, "kind", "scope.id", "id")),
		behave("events", list(Added)),
	)},
	{name: "network-policy", find: single(networkPolicyOf), means: authority, added: always(Narrowed), applies: bothHavePolicies, fields: slices.Concat(
		[]comparedField{
			nested("default"), nested("rules"),
			auth("transport.requireTls", flag(Narrowed)),
			auth("transport.allowPrivateNetworks", flag(Widened)),
			auth("transport.allowLoopback", flag(Widened)),
			auth("transport.followRedirects", flag(Widened)),
			auth("transport.maxRedirects", count(Widened)),
			behave("audit.events", list(Added)),
		},
		switches("audit.", "recordDecisions", "recordDestination", "recordPurpose", "redactQuery", "redactHeaders"),
	)},
	{name: string(refs.NetworkRule), find: firstsOf(refs.NetworkRule), means: authority, added: ruleAdded, applies: bothHavePolicies, fields: networkRuleFields},
	{name: "human-override", find: single(func(p manifest.Node) manifest.Node { return p.At("policies", "humanOverride") }), means: authority, added: always(Narrowed), fields: slices.Concat(
		[]comparedField{
			auth("authorities", objects(Narrowed, "id")),
			auth("operations", list(Narrowed)),
			auth("response.inFlightActions", rising(inFlight, -1, Widened)),
			behave("response.onFailure", word),
			behave("resume.mode", word),
			auth("resume.approvalGate", gateField),
			behave("audit.events", list(Added)),
		},
		switches("", "response.blockNewActions", "resume.requireReason"),
		switches("audit.", "recordAuthority", "recordReason", "recordTarget", "recordOutcome"),
	)},
}

// inFlight rises with what still happens after somebody said stop.
var inFlight = manifest.Order{{"request_stop"}, {"allow_safe_completion"}}

// networkEffects rises with what a rule lets through.
var networkEffects = manifest.Order{{"deny"}, {"approval_required"}, {"allow"}}

var networkRuleFields = append(texts("description"),
	auth("effect", rising(networkEffects, -1, Widened)),
	auth("actors", asRule(list(Widened))),
	auth("capabilities", asRule(allowed(list(Widened), true))),
	auth("purposes", asRule(list(Widened))),
	auth("destinations.domains", asRule(secretList(Widened))),
	auth("destinations.contextSources", asRule(list(Widened))),
	auth("destinations.providers", asRule(list(Widened))),
	auth("destinations.extensions", asRule(list(Widened))),
	auth("destinations.schemes", asRule(allowed(list(Widened), true))),
	auth("destinations.ports", asRule(allowed(ports(Widened), true))),
	auth("maxDataClassification", asRule(rising(manifest.Classifications, len(manifest.Classifications), Widened))),
	auth("approvalGate", asRule(gateField)),
)

// gateAdded is the class of a new gate. By its targets it stands at once; otherwise
// it does where others name it, and that is told there.
func gateAdded(gate manifest.Node) Class {
	if gate.Get("targets").Len() > 0 {
		return Narrowed
	}
	return Added
}

func ruleAdded(rule manifest.Node) Class {
	if rule.Get("effect").Is("deny") {
		return Narrowed
	}
	return Widened
}

// asRule turns the classes round for a rule that denies, and leaves them open for
// one whose effect changed.
func asRule(how comparer) comparer {
	return func(was, is manifest.Node, of owners) []delta {
		out := how(was, is, of)
		a, b := of.was.Get("effect").Text(), of.is.Get("effect").Text()
		for i := range out {
			switch {
			case a != b:
				out[i].class = Changed
			case a == "deny":
				out[i].class = out[i].class.mirror()
			}
		}
		return out
	}
}

func networkPolicyOf(project manifest.Node) manifest.Node {
	n := project.At("policies", "networkAccess")
	if networkMode(n) != NetworkPolicy {
		return manifest.Node{}
	}
	return n
}

func bothHavePolicies(earlier, later *refs.Index) bool {
	return networkPolicyOf(earlier.Set().Project()).Exists() && networkPolicyOf(later.Set().Project()).Exists()
}

// networkModes compares whether there is a policy. Text is none: it bounds nothing.
// What policies say is compared by themselves.
func networkModes(was, is manifest.Node, _ owners) []delta {
	a, b := networkMode(was), networkMode(is)
	d := delta{from: string(a), to: string(b)}
	switch {
	case a == NetworkPolicy && b == NetworkPolicy:
		return []delta{}
	case a == NetworkPolicy:
		d.class = Widened
	case b == NetworkPolicy:
		d.class = Narrowed
	default:
		return nil
	}
	return []delta{d}
}
