package view

import (
	"terfyn/compiler/nexflow/manifest"
	"terfyn/compiler/nexflow/refs"
	"terfyn/compiler/nexflow/team"
)

// MaxGrants is how many pairs of participant and capability an Authority lists.
const MaxGrants = 2000

// Authority is who may do what in a set, as its documents declare it. It is made
// of references as they are written: what is not declared is named and marked. It
// holds ids, kinds, closed words and counts, and of free texts only the versions of
// definitions.
//
// Lists are in the order of the documents.
type Authority struct {
	Participants    []Participant   `json:"participants"`
	Agents          []Agent         `json:"agents"`
	Gates           []Gate          `json:"gates"`
	ContextSources  []ContextSource `json:"contextSources"`
	MemoryScopes    []MemoryScope   `json:"memoryScopes"`
	Network         Network         `json:"network"`
	Override        Override        `json:"override"`
	Extensions      []Extension     `json:"extensions"`
	DefaultAutonomy string          `json:"defaultAutonomy"` // "" where the project has none
	// UnknownFields is the objects with fields that mean nothing, those that need a look
	// first.
	UnknownFields []UnknownFields `json:"unknownFields"`
	// UnknownFieldsTruncated says that there are more of them than MaxUnknownFields, or
	// too many to look at every name.
	UnknownFieldsTruncated bool `json:"unknownFieldsTruncated"`
	// Truncated says that there are more pairs than MaxGrants.
	Truncated bool `json:"truncated"`
}

// Named is a reference as it is written.
type Named struct {
	ID       string `json:"id"`
	Declared bool   `json:"declared"`
}

// Mark is something a reviewer should look at.
type Mark string

// The marks.
const (
	MarkUndeclared       Mark = "undeclared"
	MarkRiskyAllow       Mark = "risky-allow"
	MarkNoGate           Mark = "no-gate"
	MarkNoApprover       Mark = "no-approver"
	MarkNonhumanApprover Mark = "nonhuman-approver"
	MarkNobodyHuman      Mark = "no-human-behind"
	MarkOwnReview        Mark = "own-review"
	MarkStrayField       Mark = "stray-field"
	MarkAmbiguous        Mark = "ambiguous"
	MarkUnreadable       Mark = "unreadable"
	MarkBeyondReading    Mark = "mcp-beyond-reading"
	MarkUnbounded        Mark = "unbounded"
	MarkAutomaticWrites  Mark = "automatic-writes"
	MarkUngatedWrites    Mark = "ungated-writes"
	MarkRelaxed          Mark = "relaxed"
)

// Participant is someone who takes part, or whom a permission names as if.
type Participant struct {
	ID string `json:"id"`
	// Kind is the kind of the actor, legacy without an ActorSet, undeclared for
	// somebody whom only permissions know.
	Kind     string `json:"kind"`
	NonHuman bool   `json:"nonHuman"`
	Behind
	Grants []Grant `json:"grants"`
}

// Grant is what all permissions together say about one participant and one
// capability. Pairs about which none speaks are not listed; they are no permission.
type Grant struct {
	Capability  Named   `json:"capability"`
	Effect      string  `json:"effect"`
	Risk        string  `json:"risk"` // "" for a capability that is not declared
	Permissions []Named `json:"permissions"`
	// Gates are those of the permissions that require approval, where that is the
	// effect.
	Gates []Gate `json:"gates"`
	// Conditions says that a permission has conditions or a scope, which nothing can
	// evaluate.
	Conditions bool   `json:"conditions"`
	Marks      []Mark `json:"marks"`
}

// Gate is an approval gate with those who must all agree.
type Gate struct {
	ID        string     `json:"id"`
	Declared  bool       `json:"declared"`
	Approvers []Approver `json:"approvers"`
	Marks     []Mark     `json:"marks"`
}

// viewer builds an Authority.
type viewer struct {
	index   *refs.Index
	team    *team.Team
	control *team.Control
	// known is the gates that were built already.
	known map[string]Gate
	// readers is who may read each context source.
	readers map[string]team.Readers
}

// NewAuthority says who may do what. The set has passed discovery and schema;
// references may lead nowhere and ids may be declared twice.
func NewAuthority(x *refs.Index) Authority {
	v := viewer{index: x, team: team.New(x), control: team.NewControl(x), known: map[string]Gate{}, readers: map[string]team.Readers{}}
	for _, d := range firstsOf(refs.ContextSource)(x) {
		v.readers[d.ID] = team.ReadersOf(d.Node)
	}
	out := Authority{
		Agents: v.agents(), Gates: []Gate{}, ContextSources: v.contextSources(), MemoryScopes: v.memoryScopes(),
		Network: v.network(), Override: v.override(), Extensions: []Extension{},
		DefaultAutonomy: shown(x.Set().Project().Get("defaultAutonomy")),
	}
	out.Participants, out.Truncated = v.participants()
	out.UnknownFields, out.UnknownFieldsTruncated = unknownFields(x.Set())
	for _, d := range x.All(refs.ApprovalGate) {
		out.Gates = append(out.Gates, v.gate(d.ID))
	}
	for _, d := range x.All(refs.Extension) {
		out.Extensions = append(out.Extensions, Extension{ID: manifest.Shown(d.ID), Lifecycle: shown(d.Node.Get("lifecycle")), Effect: Inert})
	}
	return out
}

// shown is a closed word or an id as it may be repeated, "" for what is missing.
func shown(n manifest.Node) string {
	if !n.Exists() {
		return ""
	}
	return manifest.Shown(n.Text())
}

func wordsOf(n manifest.Node) []string {
	out := []string{}
	for _, w := range n.Texts() {
		out = append(out, manifest.Shown(w))
	}
	return out
}

func (v viewer) named(s refs.Space, id string) Named {
	_, ok := v.index.Find(s, id)
	return Named{ID: manifest.Shown(id), Declared: ok}
}

func (v viewer) allNamed(s refs.Space, list manifest.Node) []Named {
	out := []Named{}
	for _, id := range list.Texts() {
		out = append(out, v.named(s, id))
	}
	return out
}

func undeclared(lists ...[]Named) bool {
	for _, list := range lists {
		for _, n := range list {
			if !n.Declared {
				return true
			}
		}
	}
	return false
}

func (v viewer) gates(list manifest.Node) []Gate {
	out := []Gate{}
	for _, id := range list.Texts() {
		out = append(out, v.gate(id))
	}
	return out
}

// gateAt is the gate that a field names, none where the field is missing.
func (v viewer) gateAt(field manifest.Node) []Gate {
	if !field.Exists() {
		return []Gate{}
	}
	return []Gate{v.gate(field.Text())}
}
