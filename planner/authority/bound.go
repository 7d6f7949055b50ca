package authority

import (
	"slices"
	"strings"

	"terfyn/compiler/effects"
)

// The reachabilities of a bound's entries.
const (
	Static      = string(effects.Static)
	Autonomous  = string(effects.Autonomous)
	Unreachable = "unreachable"
)

// Bound is the upper bound of one root's effects as a plan shows it.
type Bound struct {
	Root    string  `json:"root"`    // Kind/Name
	Entries []Entry `json:"entries"` // gravest first, then by name
}

// Entry is one effect of a bound. For something reachable without declared
// effects Unknown is set and Effect empty.
type Entry struct {
	Effect       string        `json:"effect,omitempty"`
	Unknown      bool          `json:"unknown,omitempty"`
	Capability   string        `json:"capability,omitempty"` // the operation of the witness
	Reachability string        `json:"reachability"`
	Severity     string        `json:"severity"`
	Reason       string        `json:"reason,omitempty"` // why it is unknown or unreachable
	Witness      []effects.Hop `json:"witness,omitempty"`
}

// key identifies an entry within its root; an unknown operation is as good as
// an effect of its own.
func (e Entry) key() string {
	if e.Unknown {
		return "unknown " + e.Capability
	}
	return e.Effect
}

// Label names the entry for people.
func (e Entry) Label() string {
	if e.Unknown {
		return "unknown effects of " + e.Capability
	}
	return e.Effect
}

// severityOf grades a reachability: what an agent may choose is high, what is
// written down medium, what nothing reaches low.
func severityOf(reachability string) string {
	switch reachability {
	case Autonomous:
		return "high"
	case Static:
		return "medium"
	}
	return "low"
}

// Roots lists the bounds of agents, then of workflows, each by name.
func Roots(b effects.Bounds) []effects.Bound { return slices.Concat(b.Agents, b.Workflows) }

// RootID is Kind/Name.
func RootID(b effects.Bound) string { return string(b.Kind) + "/" + b.Name }

// Shown turns computed bounds into what a plan prints: unknown and unreachable
// effects are entries too.
func Shown(b effects.Bounds) []Bound {
	out := []Bound{}
	for _, root := range Roots(b) {
		out = append(out, Bound{Root: RootID(root), Entries: entries(root)})
	}
	return out
}

func entries(b effects.Bound) []Entry {
	out := []Entry{}
	for _, e := range b.Effects {
		out = append(out, Entry{
			Effect: e.Name, Capability: lastOf(e.Witness), Reachability: string(e.Authority),
			Severity: severityOf(string(e.Authority)), Witness: e.Witness,
		})
	}
	for _, u := range b.Unknown {
		out = append(out, Entry{
			Unknown: true, Capability: u.Capability, Reachability: string(u.Authority),
			Severity: severityOf(string(u.Authority)), Reason: u.Reason, Witness: u.Witness,
		})
	}
	for _, u := range b.Unreachable {
		out = append(out, Entry{
			Effect: u.Name, Reachability: Unreachable, Severity: severityOf(Unreachable),
			Reason: "no path to " + strings.Join(u.Operations, ", "),
		})
	}
	slices.SortStableFunc(out, func(a, b Entry) int { return rank(a) - rank(b) })
	return out
}

func rank(e Entry) int {
	switch e.Reachability {
	case Autonomous:
		return 0
	case Static:
		return 1
	}
	return 2
}

// lastOf is the operation a witness ends in.
func lastOf(witness []effects.Hop) string {
	if len(witness) == 0 {
		return ""
	}
	return witness[len(witness)-1].Name
}
