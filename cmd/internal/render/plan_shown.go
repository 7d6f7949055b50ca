package render

import (
	"strings"

	"terfyn/compiler/resource"
	"terfyn/planner"
	"terfyn/planner/authority"
	"terfyn/planner/loops"
)

// shownRoots is up to how many agents and workflows a plan for people shows each
// with all it can reach. Beyond it shows those that the plan touches.
const shownRoots = 40

// shown is a plan with what people are to read of it. Documents hold all of it.
type shown struct {
	planner.Plan
	touches map[string]bool // of the whole plan
	still   int             // roots that the plan does not touch
	left    bool            // those are left out altogether
}

func shownPlan(p planner.Plan) shown {
	s := shown{Plan: p, touches: p.Touches()}
	for _, b := range p.EffectBound {
		if !s.touches[b.Root] {
			s.still++
		}
	}
	s.left = len(p.EffectBound) > shownRoots && s.still > 0
	if !s.left {
		return s
	}
	s.EffectBound = only(p.EffectBound, func(b authority.Bound) bool { return s.touches[b.Root] })
	s.Loops = only(p.Loops, func(l loops.Loop) bool { return s.workflow(l.Workflow) })
	s.LoopCalls = only(p.LoopCalls, func(c loops.Call) bool { return s.workflow(c.Workflow) })
	s.Turns = only(p.Turns, s.turns)
	s.Approvals = only(p.Approvals, func(a planner.Approval) bool { return s.workflow(a.Workflow) || s.agent(a.Agent) })
	return s
}

func (s shown) workflow(name string) bool {
	return s.touches[string(resource.KindWorkflow)+"/"+name]
}

func (s shown) agent(name string) bool { return s.touches[string(resource.KindAgent)+"/"+name] }

func (s shown) turns(t planner.Turns) bool {
	for _, w := range t.Workflows {
		if s.workflow(w) {
			return true
		}
	}
	return s.agent(t.Agent)
}

// only keeps what matters of a list.
func only[T any](list []T, matters func(T) bool) []T {
	var out []T
	for _, item := range list {
		if matters(item) {
			out = append(out, item)
		}
	}
	return out
}

// leftOut says what a plan for people does not show, "" when it shows everything.
func (s shown) leftOut() string {
	who := many(s.still, "agent or workflow that does not change", "agents and workflows that do not change")
	switch {
	case s.left:
		return "and " + who + "; -o json lists all"
	case s.hides():
		return "What " + who + " cannot reach is left out; -o json lists all."
	}
	return ""
}

// hides reports whether a root that is shown has effects it cannot reach which are
// not.
func (s shown) hides() bool {
	for _, b := range s.EffectBound {
		if _, low := apart(b); len(low) > 0 && !s.touches[b.Root] {
			return true
		}
	}
	return false
}

// apart splits the entries of a bound into what is reached and the names of what is
// not.
func apart(b authority.Bound) (reached []authority.Entry, low []string) {
	for _, e := range b.Entries {
		if e.Reachability == authority.Unreachable {
			low = append(low, e.Label())
			continue
		}
		reached = append(reached, e)
	}
	return reached, low
}

// cannotReach is one line for everything that a touched root does not reach.
func (s shown) cannotReach(root string, low []string) string {
	if len(low) == 0 || !s.touches[root] {
		return ""
	}
	return "cannot reach: " + strings.Join(low, ", ")
}
