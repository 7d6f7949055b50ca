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
		Gains:      gains(before, after),
	}
	gained, lost := map[string]bool{}, map[string]bool{}
	for _, g := range d.Gains {
		gained[g.Reachability] = true
	}
	for _, g := range gains(after, before) {
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

// gains lists what roots of after reach and roots of before did not, or not in
// that way, or only where policy was stricter.
func gains(before, after View) []Gain {
	old := map[string]effects.Bound{}
	for _, b := range Roots(before.Bounds) {
		old[RootID(b)] = b
	}
	var out []Gain
	for _, b := range Roots(after.Bounds) {
		var were, are Calls
		if b.Kind == resource.KindWorkflow {
			were, are = before.Calls[b.Name], after.Calls[b.Name]
		}
		for _, o := range b.Operations {
			was, _ := old[RootID(b)].Operation(o.Capability)
			for _, r := range []effects.Authority{effects.Autonomous, effects.Static} {
				path := pathOf(o, r)
				if path == nil {
					continue
				}
				if pathOf(was, r) != nil {
					path = opened(were.Of(o.Capability).By(r), are.Of(o.Capability).By(r))
				}
				if path != nil {
					out = append(out, Gain{RootID(b), o.Capability, string(r), path})
				}
			}
		}
	}
	return out
}

// pathOf is the path by which an operation is reached so, nil when it is not.
func pathOf(o effects.Operation, r effects.Authority) []effects.Hop {
	switch {
	case r == effects.Static:
		return o.Written
	case o.Authority == r:
		return o.Witness
	}
	return nil
}

// opened is the path of a new context that policy restricts less than each one
// there was; nil when there is none. A policy that changed opens no path.
func opened(before, after Calls) []effects.Hop {
	was, known := before.Lenient()
	is, still := after.Lenient()
	if !known || !still || is.Verdict() >= was.Verdict() || before.Has(is) {
		return nil
	}
	return is.Witness
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
