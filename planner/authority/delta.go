package authority

import (
	"slices"

	"terfyn/compiler/effects"
	"terfyn/compiler/resource"
	"terfyn/internal/ordered"
)

// State says how an authority moved.
type State string

// The states. Gaining anything is a widening, whatever was lost beside it.
const (
	Unchanged State = "unchanged"
	Widened   State = "widened"
	Narrowed  State = "narrowed"
)

// States are the two kinds of authority of a whole plan.
type States struct {
	Static     State `json:"static"`
	Autonomous State `json:"autonomous"`
}

// Gain is an operation a root reaches now and did not reach in that way before.
type Gain struct {
	Root         string
	Capability   string
	Reachability string
	Witness      []effects.Hop
}

// View is one side of a comparison.
type View struct {
	Graph  resource.Graph
	Bounds effects.Bounds // of Graph
}

// Delta is the outcome of a comparison; every list is sorted by root or agent.
type Delta struct {
	Capability []CapabilityChange
	Effects    []EffectChange
	Gains      []Gain
	States     States
}

// Compare says how authority moves from before to after.
func Compare(before, after View) Delta {
	d := Delta{
		Capability: capabilities(before.Graph, after.Graph),
		Effects:    effectChanges(before.Bounds, after.Bounds),
		Gains:      gains(before.Bounds, after.Bounds),
	}
	gained, lost := map[string]bool{}, map[string]bool{}
	for _, g := range d.Gains {
		gained[g.Reachability] = true
	}
	for _, g := range gains(after.Bounds, before.Bounds) {
		lost[g.Reachability] = true
	}
	for _, e := range d.Effects {
		switch e.Change {
		case EffectRemoved:
			lost[e.Reachability] = true
		case EffectDemoted: // a written call that is new shows up as a gain
			lost[Autonomous] = true
		default:
			gained[e.Reachability] = true
		}
	}
	for _, c := range d.Capability {
		gained[Autonomous] = gained[Autonomous] || len(c.Added) > 0
		lost[Autonomous] = lost[Autonomous] || len(c.Removed) > 0
	}
	d.States = States{Static: state(gained[Static], lost[Static]), Autonomous: state(gained[Autonomous], lost[Autonomous])}
	return d
}

func state(gained, lost bool) State {
	switch {
	case gained:
		return Widened
	case lost:
		return Narrowed
	}
	return Unchanged
}

// gains lists what roots of after reach and roots of before did not, or only by
// written calls.
func gains(before, after effects.Bounds) []Gain {
	old := map[string]effects.Bound{}
	for _, b := range Roots(before) {
		old[RootID(b)] = b
	}
	var out []Gain
	for _, b := range Roots(after) {
		for _, o := range b.Operations {
			was, known := old[RootID(b)].Operation(o.Capability)
			if known && (was.Authority == o.Authority || o.Authority == effects.Static) {
				continue
			}
			out = append(out, Gain{RootID(b), o.Capability, string(o.Authority), o.Witness})
		}
	}
	return out
}

// CapabilityChange is what one agent's grants gained and lost.
type CapabilityChange struct {
	Agent   string   `json:"agent"`
	Added   []string `json:"added"`
	Removed []string `json:"removed"`
}

func capabilities(before, after resource.Graph) []CapabilityChange {
	type pair struct{ was, is []string }
	grants := map[string]pair{}
	for _, a := range before.Agents {
		grants[a.Name] = pair{was: a.Grants}
	}
	for _, a := range after.Agents {
		grants[a.Name] = pair{was: grants[a.Name].was, is: a.Grants}
	}
	out := []CapabilityChange{}
	for _, n := range ordered.Keys(grants) {
		g := grants[n]
		c := CapabilityChange{Agent: n, Added: minus(g.is, g.was), Removed: minus(g.was, g.is)}
		if len(c.Added)+len(c.Removed) > 0 {
			out = append(out, c)
		}
	}
	return out
}

// minus lists the elements of a that b lacks, sorted, each once; never nil.
func minus(a, b []string) []string {
	out := []string{}
	known := make(map[string]bool, len(b))
	for _, s := range b {
		known[s] = true
	}
	for _, s := range a {
		if !known[s] {
			out = append(out, s)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
