package authority

import (
	"fmt"
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

// LowSeverity grades what nothing reaches.
const LowSeverity = "low"

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
	return LowSeverity
}

// Roots lists the bounds of agents, then of workflows, each by name.
func Roots(b effects.Bounds) []effects.Bound { return slices.Concat(b.Agents, b.Workflows) }

// RootID is Kind/Name.
func RootID(b effects.Bound) string { return string(b.Kind) + "/" + b.Name }

// Shown turns computed bounds into what a plan prints: unknown and unreachable
// effects are entries too.
func Shown(b effects.Bounds) []Bound {
	out := []Bound{}
	low := map[string]Entry{} // what is unreachable reads the same for every root
	for _, root := range Roots(b) {
		entries := reachable(root)
		entries = slices.Grow(entries, len(root.Unreachable))
		for _, u := range root.Unreachable {
			e, ok := low[u.Name]
			if !ok {
				e = Entry{
					Effect: u.Name, Reachability: Unreachable, Severity: severityOf(Unreachable),
					Reason: "no path to " + someOf(u.Operations),
				}
				low[u.Name] = e
			}
			entries = append(entries, e)
		}
		out = append(out, Bound{Root: RootID(root), Entries: entries})
	}
	return out
}

// shownOperations is how many operations a reason names. Each root of a plan has
// that reason for each effect it does not reach, so it must not grow with the project.
const shownOperations = 5

func someOf(operations []string) string {
	if left := len(operations) - shownOperations; left > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(operations[:shownOperations], ", "), left)
	}
	return strings.Join(operations, ", ")
}

// reachable lists the entries of what a root reaches, unknown effects included.
func reachable(b effects.Bound) []Entry {
	out := make([]Entry, 0, len(b.Effects)+len(b.Unknown))
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
	slices.SortStableFunc(out, func(a, b Entry) int { return rank(a) - rank(b) })
	return out
}

func rank(e Entry) int {
	if e.Reachability == Autonomous {
		return 0
	}
	return 1
}

// lastOf is the operation a witness ends in.
func lastOf(witness []effects.Hop) string {
	if len(witness) == 0 {
		return ""
	}
	return witness[len(witness)-1].Name
}
