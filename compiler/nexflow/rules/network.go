package rules

import (
	"terfyn/compiler/nexflow/code"
	"terfyn/compiler/nexflow/manifest"
	"terfyn/compiler/nexflow/refs"
	"terfyn/compiler/nexflow/team"
)

// networkRules are those of nexflow.md 7.4 about the network policy of a Project.
var networkRules = []func(*checker){advisoryNetwork, relaxedTransport, networkSchemes, networkActors, networkSources}

// networkCapability is the capability without which nobody uses the network.
const networkCapability = "access_network"

func (c *checker) network() manifest.Node {
	return c.set.Project().At("policies", "networkAccess")
}

func advisoryNetwork(c *checker) {
	n := c.network()
	if _, text := n.Value().AsString(); text {
		c.report(n, finding{
			severity: manifest.Info, code: code.CompatAdvisoryNetwork,
			message: "The network access of the project is text, which bounds nothing.",
		})
	}
}

// relaxations are the fields of the transport that are laxer than the default,
// with their lax value.
var relaxations = []struct {
	field string
	lax   bool
}{
	{"requireTls", false}, {"allowPrivateNetworks", true}, {"allowLoopback", true}, {"followRedirects", true},
}

func relaxedTransport(c *checker) {
	transport := c.network().Get("transport")
	for _, r := range relaxations {
		if field := transport.Get(r.field); field.Exists() && field.True() == r.lax {
			c.report(field, finding{
				severity: manifest.Warning, code: code.SafetyNetworkRelaxed,
				message:    "The network transport is laxer than the default: " + r.field + " is " + word(r.lax) + ".",
				suggestion: "Set " + r.field + " to " + word(!r.lax) + ".",
			})
		}
	}
	follow, most := transport.Get("followRedirects"), transport.Get("maxRedirects")
	if !follow.Exists() || !most.Exists() {
		return
	}
	if n, _ := most.Value().AsInt(); follow.True() != (n > 0) {
		c.report(most, finding{
			severity: manifest.Warning, code: code.NetworkRedirectConflict,
			message:    "The network transport is inconsistent: followRedirects and maxRedirects disagree.",
			suggestion: "Set maxRedirects to 0 and followRedirects to false.",
		})
	}
}

func word(b bool) string {
	if b {
		return "true"
	}
	return "false"
}

func networkSchemes(c *checker) {
	if !c.network().At("transport", "requireTls").True() {
		return
	}
	for _, rule := range c.firsts(refs.NetworkRule) {
		if schemes := rule.Node.At("destinations", "schemes"); schemes.Lists("http") {
			c.report(schemes, finding{
				severity: manifest.Error, code: code.NetworkSchemeConflict,
				message:    "The network rule " + shownID(rule.Node) + " lists http while the transport requires TLS.",
				suggestion: "Drop http from the rule.",
			})
		}
	}
}

func networkActors(c *checker) {
	e, network := c.effort(), c.team.CapabilityClass(networkCapability)
	for _, rule := range c.firsts(refs.NetworkRule) {
		if rule.Node.Get("effect").Is("deny") {
			continue
		}
		for _, actor := range rule.Node.Get("actors").Items() {
			if _, ok := c.target(refs.Participant, actor); !ok {
				continue
			}
			who := c.team.SubjectClass(actor.Text())
			e.spend(c.team.Steps(who, network))
			if effect := c.team.EffectOf(who, network); effect != team.Allow && effect != team.ApprovalRequired {
				c.report(actor, finding{
					severity: manifest.Warning, code: code.NetworkActorUnauthorized,
					message: "The network rule " + shownID(rule.Node) + " names " + manifest.Shown(actor.Text()) +
						", to whom no permission gives " + networkCapability + ".",
					suggestion: "Drop the actor from the rule.",
				})
			}
		}
	}
}

func networkSources(c *checker) {
	for _, rule := range c.firsts(refs.NetworkRule) {
		most := rule.Node.Get("maxDataClassification").Text()
		for _, ref := range rule.Node.At("destinations", "contextSources").Items() {
			source, ok := c.target(refs.ContextSource, ref)
			if ok && manifest.Classifications.Above(source.Get("classification").Text(), most) {
				c.report(ref, finding{
					severity: manifest.Warning, code: code.NetworkClassification,
					message: "The network rule " + shownID(rule.Node) + " is for data less sensitive than what its context source " +
						shownID(source) + " holds.",
					suggestion: "Drop the source from the rule.",
				})
			}
		}
	}
}
