package view

import (
	"slices"

	"terfyn/compiler/nexflow/manifest"
	"terfyn/compiler/nexflow/refs"
	"terfyn/compiler/nexflow/team"
)

// NetworkMode is what a project says about the network.
type NetworkMode string

// The modes. Text bounds nothing; neither does silence.
const (
	NetworkSilent NetworkMode = "none"
	NetworkText   NetworkMode = "text"
	NetworkPolicy NetworkMode = "policy"
)

// Network is the network policy. Without one everything but Mode is empty.
type Network struct {
	Mode        NetworkMode   `json:"mode"`
	Default     string        `json:"default"`
	Rules       []NetworkRule `json:"rules"`
	Relaxed     []string      `json:"relaxed"` // fields of the transport that are laxer than the default
	Transport   Transport     `json:"transport"`
	AuditEvents []Named       `json:"auditEvents"`
	Marks       []Mark        `json:"marks"`
}

// Transport is the limits of every request; without a policy they are not declared and
// mean nothing.
type Transport struct {
	RequireTLS    bool  `json:"requireTls"`
	PrivateAllow  bool  `json:"allowPrivateNetworks"`
	LoopbackAllow bool  `json:"allowLoopback"`
	Redirects     bool  `json:"followRedirects"`
	MaxRedirects  int64 `json:"maxRedirects"`
}

// accessNetwork is the capability of reaching the network at all.
const accessNetwork = "access_network"

// NetworkUse is what permissions say of somebody whom a rule names and the capability
// access_network, which the rule alone does not give.
type NetworkUse struct {
	Actor  Named  `json:"actor"`
	Effect string `json:"effect"`
	// Gates is those of the permissions, where they require approval.
	Gates []Gate `json:"gates"`
}

// NetworkRule is who may reach what. Domains are counted.
type NetworkRule struct {
	ID             string   `json:"id"`
	Effect         string   `json:"effect"`
	Actors         []Named  `json:"actors"`
	Capabilities   []Named  `json:"capabilities"`
	Purposes       []string `json:"purposes"`
	Domains        int      `json:"domains"`
	Sources        []Named  `json:"contextSources"`
	Providers      []Named  `json:"providers"`
	Extensions     []Named  `json:"extensions"`
	Schemes        []string `json:"schemes"`
	Ports          []int64  `json:"ports"`
	Classification string   `json:"maxDataClassification"`
	Gates          []Gate   `json:"gates"`
	// Uses is about everyone in Actors; empty for a rule that denies.
	Uses  []NetworkUse `json:"uses"`
	Marks []Mark       `json:"marks"`
}

func (v viewer) network() Network {
	n := v.index.Set().Project().At("policies", "networkAccess")
	out := Network{Mode: networkMode(n), Rules: []NetworkRule{}, Relaxed: []string{}, AuditEvents: []Named{}, Marks: []Mark{}}
	if out.Mode != NetworkPolicy {
		out.Marks = append(out.Marks, MarkUnbounded)
		return out
	}
	transport := n.Get("transport")
	out.Default = shown(n.Get("default"))
	out.Transport = transportOf(transport)
	if !transport.Get("requireTls").True() {
		out.Relaxed = append(out.Relaxed, "requireTls")
	}
	for _, field := range []string{"allowPrivateNetworks", "allowLoopback", "followRedirects"} {
		if transport.Get(field).True() {
			out.Relaxed = append(out.Relaxed, field)
		}
	}
	if len(out.Relaxed) > 0 {
		out.Marks = append(out.Marks, MarkRelaxed)
	}
	out.AuditEvents = v.allNamed(refs.Event, n.At("audit", "events"))
	out.Marks = withUndeclared(out.Marks, out.AuditEvents)
	for _, d := range v.index.All(refs.NetworkRule) {
		out.Rules = append(out.Rules, v.networkRule(d.Node))
	}
	return out
}

func networkMode(n manifest.Node) NetworkMode {
	if _, text := n.Value().AsString(); text {
		return NetworkText
	}
	if n.Exists() {
		return NetworkPolicy
	}
	return NetworkSilent
}

func (v viewer) networkRule(n manifest.Node) NetworkRule {
	to := n.Get("destinations")
	r := NetworkRule{
		ID: shown(n.Get("id")), Effect: shown(n.Get("effect")), Actors: v.allNamed(refs.Participant, n.Get("actors")),
		Capabilities: v.allNamed(refs.Capability, n.Get("capabilities")), Purposes: wordsOf(n.Get("purposes")), Domains: to.Get("domains").Len(),
		Sources: v.allNamed(refs.ContextSource, to.Get("contextSources")), Providers: v.allNamed(refs.Provider, to.Get("providers")),
		Extensions: v.allNamed(refs.Extension, to.Get("extensions")), Schemes: wordsOf(to.Get("schemes")), Ports: []int64{},
		Classification: shown(n.Get("maxDataClassification")), Gates: v.gateAt(n.Get("approvalGate")), Uses: []NetworkUse{}, Marks: []Mark{},
	}
	for _, p := range to.Get("ports").Items() {
		port, _ := p.Value().AsInt()
		r.Ports = append(r.Ports, port)
	}
	if r.Effect != "deny" {
		r.Uses = v.networkUses(n.Get("actors"))
	}
	if r.Effect == "allow" && v.ungated(n.Get("actors")) {
		r.Marks = append(r.Marks, MarkNoGate)
	}
	r.Marks = withUndeclared(inherit(r.Marks, r.Gates), r.Actors, r.Capabilities, r.Sources, r.Providers, r.Extensions)
	return r
}

func transportOf(n manifest.Node) Transport {
	out := Transport{
		RequireTLS: n.Get("requireTls").True(), PrivateAllow: n.Get("allowPrivateNetworks").True(),
		LoopbackAllow: n.Get("allowLoopback").True(), Redirects: n.Get("followRedirects").True(),
	}
	out.MaxRedirects, _ = n.Get("maxRedirects").Value().AsInt()
	return out
}

// ungated says whether one who is no human may reach the network without being asked:
// by a permission that allows it plainly, or one that wants approval and names no gate.
func (v viewer) ungated(actors manifest.Node) bool {
	return slices.ContainsFunc(actors.Texts(), func(who string) bool {
		return v.team.NonHuman(who) && v.networkUse(who).ungated()
	})
}

func (u NetworkUse) ungated() bool {
	return u.Effect == string(team.Allow) || u.Effect == string(team.ApprovalRequired) && len(u.Gates) == 0
}

func (v viewer) networkUses(actors manifest.Node) []NetworkUse {
	out := []NetworkUse{}
	for _, who := range actors.Texts() {
		out = append(out, v.networkUse(who))
	}
	return out
}

func (v viewer) networkUse(who string) NetworkUse {
	effect := v.team.Effect(who, accessNetwork)
	out := NetworkUse{Actor: v.named(refs.Participant, who), Effect: string(effect), Gates: []Gate{}}
	if effect != team.ApprovalRequired {
		return out
	}
	for _, p := range v.team.Permissions(who, accessNetwork) {
		if p.Get("effect").Is(string(effect)) {
			out.Gates = append(out.Gates, v.gateAt(p.Get("approvalGate"))...)
		}
	}
	return out
}
