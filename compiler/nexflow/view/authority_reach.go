package view

import (
	"slices"

	"terfyn/compiler/nexflow/manifest"
	"terfyn/compiler/nexflow/refs"
)

// Inert is what every extension does.
const Inert = "inert: does nothing here"

// Extension is a declared extension.
type Extension struct {
	ID        string `json:"id"`
	Lifecycle string `json:"lifecycle"`
	Effect    string `json:"effect"`
}

// ContextSource is a context source with who may read it.
type ContextSource struct {
	ID             string `json:"id"`
	Type           string `json:"type"`
	Classification string `json:"classification"`
	Default        string `json:"defaultAccess"`
	// Listed says that only the allowed read; without a list everybody does.
	Listed  bool    `json:"listed"`
	Allowed []Named `json:"allowedActors"`
	Denied  []Named `json:"deniedActors"`
	Gates   []Gate  `json:"gates"`
	// AllowedDomains and DeniedDomains are counts.
	AllowedDomains int      `json:"allowedDomains"`
	DeniedDomains  int      `json:"disallowedDomains"`
	Exposes        []string `json:"mcpExposes"`
	// Tools is how many MCP tools are allowed.
	Tools        int    `json:"mcpTools"`
	ToolApproval bool   `json:"mcpToolsRequireApproval"`
	Marks        []Mark `json:"marks"`
}

// MemoryScope is a memory scope with who reads and writes it.
type MemoryScope struct {
	Scope       string  `json:"scope"`
	Sensitivity string  `json:"sensitivity"`
	UpdateMode  string  `json:"updateMode"` // "" where the scope has none
	Consumers   []Named `json:"consumers"`
	Writers     []Named `json:"writers"`
	Sources     []Named `json:"sourceScopes"`
	Gates       []Gate  `json:"gates"`
	AuditEvents []Named `json:"auditEvents"`
	Marks       []Mark  `json:"marks"`
}

// Override is who may stop what at any time.
type Override struct {
	Declared    bool     `json:"declared"`
	Authorities []Named  `json:"authorities"`
	Operations  []string `json:"operations"`
	InFlight    string   `json:"inFlightActions"`
	ResumeGates []Gate   `json:"resumeGates"`
	AuditEvents []Named  `json:"auditEvents"`
	Marks       []Mark   `json:"marks"`
}

func (v viewer) contextSources() []ContextSource {
	out := []ContextSource{}
	for _, d := range v.index.All(refs.ContextSource) {
		access, mcp := d.Node.Get("access"), d.Node.Get("mcp")
		s := ContextSource{
			ID: manifest.Shown(d.ID), Type: shown(d.Node.Get("type")), Classification: shown(d.Node.Get("classification")),
			Default: shown(access.Get("default")), Listed: access.Get("allowedActors").Exists(),
			Allowed: v.allNamed(refs.Participant, access.Get("allowedActors")), Denied: v.allNamed(refs.Participant, access.Get("deniedActors")),
			Gates: v.gates(d.Node.Get("approvalGates")), AllowedDomains: d.Node.Get("allowedDomains").Len(), DeniedDomains: d.Node.Get("disallowedDomains").Len(),
			Exposes: wordsOf(mcp.Get("exposes")), Tools: mcp.Get("allowedTools").Len(), ToolApproval: mcp.Get("requiresApprovalForTools").True(), Marks: []Mark{},
		}
		if exposes := mcp.Get("exposes"); exposes.Lists("tools") || exposes.Lists("actions") {
			s.Marks = append(s.Marks, MarkBeyondReading)
			if len(s.Gates) == 0 {
				s.Marks = append(s.Marks, MarkNoGate)
			}
		}
		open := s.Classification == "restricted" && len(s.Gates) == 0 && !s.Listed
		if open || s.Type == "web" && s.AllowedDomains == 0 {
			s.Marks = append(s.Marks, MarkUnbounded)
		}
		s.Marks = withUndeclared(inherit(s.Marks, s.Gates), s.Allowed, s.Denied)
		out = append(out, s)
	}
	return out
}

// withUndeclared adds the mark for references that lead nowhere, once.
func withUndeclared(marks []Mark, lists ...[]Named) []Mark {
	for _, m := range marks {
		if m == MarkUndeclared {
			return marks
		}
	}
	if undeclared(lists...) {
		return append(marks, MarkUndeclared)
	}
	return marks
}

func (v viewer) memoryScopes() []MemoryScope {
	out := []MemoryScope{}
	for _, d := range v.index.All(refs.MemoryScope) {
		n := d.Node
		s := MemoryScope{
			Scope: manifest.Shown(d.ID), Sensitivity: shown(n.Get("sensitivity")), UpdateMode: shown(n.Get("updateMode")),
			Consumers: v.allNamed(refs.Participant, n.Get("allowedConsumers")), Writers: v.allNamed(refs.Participant, n.Get("allowedWriters")),
			Sources: v.allNamed(refs.MemoryScope, n.Get("allowedSourceScopes")), Gates: v.gateAt(n.Get("approvalGate")),
			AuditEvents: v.allNamed(refs.Event, n.Get("auditEvents")), Marks: []Mark{},
		}
		switch lasting := d.ID != "ephemeral" && d.ID != "task"; {
		case lasting && s.UpdateMode == "automatic":
			s.Marks = append(s.Marks, MarkAutomaticWrites)
		case lasting && len(s.Gates) == 0 && (s.UpdateMode == "" || s.UpdateMode == "actor_requested"):
			s.Marks = append(s.Marks, MarkUngatedWrites)
		}
		if s.UpdateMode == "approval_required" && len(s.Gates) == 0 {
			s.Marks = append(s.Marks, MarkNoGate)
		}
		s.Marks = withUndeclared(inherit(s.Marks, s.Gates), s.Consumers, s.Writers, s.Sources, s.AuditEvents)
		out = append(out, s)
	}
	return out
}

func (v viewer) override() Override {
	n := v.index.Set().Project().At("policies", "humanOverride")
	out := Override{
		Declared: n.Exists(), Authorities: []Named{}, Operations: wordsOf(n.Get("operations")), InFlight: shown(n.At("response", "inFlightActions")),
		ResumeGates: v.gateAt(n.At("resume", "approvalGate")), AuditEvents: v.allNamed(refs.Event, n.At("audit", "events")), Marks: []Mark{},
	}
	for _, a := range n.Get("authorities").Items() {
		out.Authorities = append(out.Authorities, v.named(refs.Actor, a.Get("id").Text()))
	}
	for _, a := range n.Get("authorities").Items() {
		if v.behind(a.Get("id").Text()).NobodyHuman && !slices.Contains(out.Marks, MarkNobodyHuman) {
			out.Marks = append(out.Marks, MarkNobodyHuman)
		}
	}
	out.Marks = withUndeclared(inherit(out.Marks, out.ResumeGates), out.Authorities, out.AuditEvents)
	return out
}
