package view

import (
	"slices"

	"terfyn/compiler/nexflow/manifest"
	"terfyn/compiler/nexflow/refs"
	"terfyn/compiler/nexflow/team"
)

// Agent is an agent with its definitions.
type Agent struct {
	Agent Named `json:"agent"`
	// Participant is who acts for the agent, null where nobody does.
	Participant *Named `json:"participant"`
	// Active is the definition in force, "" where none is. Two active ones are marked
	// ambiguous, and then none is in force.
	Active      string       `json:"active"`
	Definitions []Definition `json:"definitions"`
	Marks       []Mark       `json:"marks"`
}

// Definition is what a definition asks for, and what of it its participant may
// have.
type Definition struct {
	ID         string            `json:"id"`
	Version    string            `json:"version"`
	Status     string            `json:"status"`
	Owner      *Named            `json:"owner"`
	Reviewers  []Named           `json:"reviewApprovers"`
	Autonomy   string            `json:"autonomy"`
	Model      *Named            `json:"modelProfile"`
	Prompts    *Named            `json:"promptSet"`
	Retrieval  *Named            `json:"retrievalProfile"`
	Requests   []CapabilityAsked `json:"capabilities"`
	Context    []ContextRequest  `json:"contextSources"`
	Memory     []MemoryRequest   `json:"memoryScopes"`
	Extensions []InertExtension  `json:"extensions"`
	Marks      []Mark            `json:"marks"`
}

// CapabilityAsked is a capability that a definition asks for. Effect is "" where
// nobody acts for the agent.
type CapabilityAsked struct {
	Capability Named  `json:"capability"`
	Effect     string `json:"effect"`
}

// ContextRequest is a context source that a definition asks for.
type ContextRequest struct {
	Source  Named `json:"source"`
	MayRead bool  `json:"mayRead"`
	// Why is a word for what stands against reading, "" where nothing does.
	Why string `json:"why"`
}

// MemoryRequest is a memory scope that a definition asks for.
type MemoryRequest struct {
	Scope      Named  `json:"scope"`
	Reads      bool   `json:"reads"`
	Writes     bool   `json:"writes"`
	UpdateMode string `json:"updateMode"`
	Gates      []Gate `json:"gates"`
}

// InertExtension is an extension that a definition lists.
type InertExtension struct {
	Extension Named  `json:"extension"`
	Effect    string `json:"effect"`
}

// Words for why a context source is not read, beside those of team.
const (
	whyUndeclared    = "undeclared"
	whyNoParticipant = "no-participant"
)

// participants lists everybody, after them those whom only permissions name.
func (v viewer) participants() (out []Participant, truncated bool) {
	capabilities := v.mentioned("capabilities")
	left := MaxGrants
	for _, id := range v.everybody() {
		p := Participant{ID: manifest.Shown(id), Kind: v.kindOf(id), NonHuman: v.team.NonHuman(id), Behind: v.behind(id), Grants: []Grant{}}
		for _, c := range capabilities {
			if truncated {
				break
			}
			effect := v.team.Effect(id, c)
			if effect == team.None {
				continue
			}
			if left == 0 {
				truncated = true
				break
			}
			left--
			p.Grants = append(p.Grants, v.grant(id, c, effect))
		}
		out = append(out, p)
	}
	return append([]Participant{}, out...), truncated
}

func (v viewer) everybody() []string {
	var out []string
	seen := map[string]bool{}
	for _, d := range v.team.Participants() {
		out = append(out, d.ID)
		seen[d.ID] = true
	}
	for _, id := range v.mentioned("subjects") {
		if !seen[id] {
			out = append(out, id)
		}
	}
	return out
}

// mentioned is the ids that permissions list in a field, each once.
func (v viewer) mentioned(field string) []string {
	var out []string
	seen := map[string]bool{}
	for _, p := range v.index.All(refs.Permission) {
		for _, id := range p.Node.Get(field).Texts() {
			if !seen[id] {
				seen[id] = true
				out = append(out, id)
			}
		}
	}
	return out
}

func (v viewer) kindOf(id string) string {
	d, ok := v.index.Find(refs.Participant, id)
	switch {
	case !ok:
		return "undeclared"
	case v.index.HasActors():
		return shown(d.Node.Get("kind"))
	}
	return "legacy"
}

func (v viewer) grant(who, capability string, effect team.Effect) Grant {
	declared, ok := v.index.Find(refs.Capability, capability)
	g := Grant{
		Capability: Named{ID: manifest.Shown(capability), Declared: ok}, Effect: string(effect), Risk: shown(declared.Node.Get("risk")),
		Permissions: []Named{}, Gates: []Gate{}, Marks: []Mark{},
	}
	gated := true
	for _, p := range v.team.Permissions(who, capability) {
		g.Permissions = append(g.Permissions, Named{ID: shown(p.Get("id")), Declared: true})
		g.Conditions = g.Conditions || p.Get("conditions").Len() > 0 || p.Get("scope").Exists()
		if effect == team.ApprovalRequired && p.Get("effect").Is(string(effect)) {
			gated = gated && p.Get("approvalGate").Exists()
			g.Gates = append(g.Gates, v.gateAt(p.Get("approvalGate"))...)
		}
	}
	if _, known := v.index.Find(refs.Participant, who); !known || !ok {
		g.Marks = append(g.Marks, MarkUndeclared)
	}
	if effect == team.Allow && v.team.NonHuman(who) && (g.Risk == "high" || g.Risk == "critical" || declared.Node.Get("requiresApprovalByDefault").True()) {
		g.Marks = append(g.Marks, MarkRiskyAllow)
	}
	if !gated {
		g.Marks = append(g.Marks, MarkNoGate)
	}
	g.Marks = inherit(g.Marks, g.Gates)
	return g
}

// inherit adds the marks of gates.
func inherit(marks []Mark, gates []Gate) []Mark {
	for _, g := range gates {
		for _, m := range g.Marks {
			if !slices.Contains(marks, m) {
				marks = append(marks, m)
			}
		}
	}
	return marks
}

// agents lists the declared agents, after them those whom only definitions name.
func (v viewer) agents() []Agent {
	var ids []string
	known := map[string]bool{}
	definitions := map[string][]refs.Declaration{}
	add := func(id string) {
		if !known[id] {
			known[id] = true
			ids = append(ids, id)
		}
	}
	for _, d := range v.index.All(refs.Agent) {
		add(d.ID)
	}
	for _, d := range v.index.All(refs.AgentDefinition) {
		agent := d.Node.Get("agentRef").Text()
		add(agent)
		definitions[agent] = append(definitions[agent], d)
	}
	out := []Agent{}
	for _, id := range ids {
		out = append(out, v.agent(id, definitions[id]))
	}
	return out
}

func (v viewer) agent(id string, definitions []refs.Declaration) Agent {
	a := Agent{Agent: v.named(refs.Agent, id), Definitions: []Definition{}, Marks: []Mark{}}
	if !a.Agent.Declared {
		a.Marks = append(a.Marks, MarkUndeclared)
	}
	who, acts := v.team.ActsFor(id)
	if acts {
		a.Participant = &Named{ID: manifest.Shown(who), Declared: true}
	}
	active := 0
	for _, d := range definitions {
		a.Definitions = append(a.Definitions, v.definition(d.Node, who, acts))
		if d.Node.Get("status").Is("active") {
			active++
			a.Active = manifest.Shown(d.ID)
		}
	}
	if active > 1 {
		a.Active = ""
		a.Marks = append(a.Marks, MarkAmbiguous)
	}
	return a
}

func (v viewer) definition(d manifest.Node, who string, acts bool) Definition {
	c := d.Get("components")
	out := Definition{
		ID: shown(d.Get("id")), Version: version(d.Get("definitionVersion").Text()), Status: shown(d.Get("status")), Autonomy: shown(d.Get("autonomyLevel")),
		Model: v.maybe(refs.ModelProfile, c.Get("modelProfileRef")), Prompts: v.maybe(refs.PromptSet, c.Get("promptSetRef")),
		Retrieval: v.maybe(refs.RetrievalProfile, c.Get("retrievalProfileRef")),
		Owner:     v.maybe(refs.Participant, d.Get("owner")), Reviewers: v.allNamed(refs.Participant, d.At("review", "approvers")),
		Requests: []CapabilityAsked{}, Context: []ContextRequest{}, Memory: []MemoryRequest{}, Extensions: []InertExtension{}, Marks: []Mark{},
	}
	for _, id := range c.Get("capabilityRefs").Texts() {
		asked := CapabilityAsked{Capability: v.named(refs.Capability, id)}
		if acts {
			asked.Effect = string(v.team.Effect(who, id))
		}
		out.Requests = append(out.Requests, asked)
	}
	for _, id := range c.Get("contextSourceRefs").Texts() {
		out.Context = append(out.Context, v.contextRequest(id, who, acts))
	}
	for _, id := range c.Get("memoryScopes").Texts() {
		out.Memory = append(out.Memory, v.memoryRequest(id, who, acts))
	}
	for _, id := range c.Get("extensionRefs").Texts() {
		out.Extensions = append(out.Extensions, InertExtension{Extension: v.named(refs.Extension, id), Effect: Inert})
	}
	out.Marks = out.marks()
	if acts && d.Get("status").Is("active") && v.reviewsItself(d, who) {
		out.Marks = append(out.Marks, MarkOwnReview)
	}
	return out
}

func (d Definition) marks() []Mark {
	out := []Mark{}
	missing, unreadable := undeclared(d.Reviewers), false
	for _, n := range []*Named{d.Owner, d.Model, d.Prompts, d.Retrieval} {
		missing = missing || n != nil && !n.Declared
	}
	for _, r := range d.Requests {
		missing = missing || !r.Capability.Declared
	}
	for _, r := range d.Context {
		missing = missing || !r.Source.Declared
		unreadable = unreadable || r.Source.Declared && !r.MayRead
	}
	for _, r := range d.Memory {
		missing = missing || !r.Scope.Declared
		unreadable = unreadable || r.Scope.Declared && !r.Reads
	}
	for _, r := range d.Extensions {
		missing = missing || !r.Extension.Declared
	}
	if missing {
		out = append(out, MarkUndeclared)
	}
	if unreadable {
		out = append(out, MarkUnreadable)
	}
	return out
}

func (v viewer) maybe(s refs.Space, field manifest.Node) *Named {
	if !field.Exists() {
		return nil
	}
	n := v.named(s, field.Text())
	return &n
}

func (v viewer) contextRequest(id, who string, acts bool) ContextRequest {
	readers, ok := v.readers[id]
	out := ContextRequest{Source: Named{ID: manifest.Shown(id), Declared: ok}}
	switch {
	case !ok:
		out.Why = whyUndeclared
	case !acts:
		out.Why = whyNoParticipant
	default:
		out.Why = string(readers.Refuses(who))
	}
	out.MayRead = out.Why == ""
	return out
}

func (v viewer) memoryRequest(id, who string, acts bool) MemoryRequest {
	scope, ok := v.index.Find(refs.MemoryScope, id)
	mode := scope.Node.Get("updateMode")
	return MemoryRequest{
		Scope: Named{ID: manifest.Shown(id), Declared: ok}, Reads: acts && scope.Node.Get("allowedConsumers").Lists(who),
		Writes:     acts && scope.Node.Get("allowedWriters").Lists(who) && !mode.Is("prohibited"),
		UpdateMode: shown(mode), Gates: v.gateAt(scope.Node.Get("approvalGate")),
	}
}

// RedactedText stands for a free text that is not shown.
const RedactedText = "<redacted>"

// maxVersion is the length up to which the version of a definition is shown.
const maxVersion = 64

// version is the version of a definition, which is free text and is shown where it
// is short and printable ASCII.
func version(s string) string {
	if len(s) > maxVersion {
		return RedactedText
	}
	for i := range len(s) {
		if s[i] < 0x20 || s[i] > 0x7e {
			return RedactedText
		}
	}
	return s
}
