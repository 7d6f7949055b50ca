package authority

import (
	"slices"
	"sort"
	"strings"

	"terfyn/compiler/effects"
	"terfyn/compiler/resource"
	"terfyn/policy"
)

// View is one side of a comparison.
type View struct {
	Graph  resource.Graph
	Bounds effects.Bounds   // of Graph
	Calls  map[string]Calls // of Graph, by workflow
}

// ViewOf computes what a normalized graph reaches and how policy answers to it.
func ViewOf(g resource.Graph) View {
	v := View{Graph: g, Bounds: effects.Compute(g), Calls: map[string]Calls{}}
	ways := effects.Ways(g)
	for _, w := range g.Workflows {
		calls := make(Calls, len(ways[w.Name]))
		for i, way := range ways[w.Name] {
			calls[i] = Call{way, judge(&g, way)}
		}
		v.Calls[w.Name] = calls
	}
	return v
}

// Call is one context in which a workflow comes to an operation, and what policy
// answers there: that of every workflow on the path, the strictest wins. Arguments
// are not known, so a rule that looks at them shows its strict side.
type Call struct {
	effects.Way
	Answer policy.Answer
}

// Verdict is what the answer comes to: a call that the engine makes itself is not
// made where a person would have to approve it.
func (c Call) Verdict() policy.Verdict {
	if c.Answer.Verdict == policy.RequireApproval && c.Asked() {
		return policy.Deny
	}
	return c.Answer.Verdict
}

// In is the call as the policy of one workflow of its path judges it.
func (c Call) In(workflow string) policy.Call { return callIn(c.Way, workflow) }

func callIn(w effects.Way, workflow string) policy.Call {
	tool, operation, _ := resource.SplitCapability(w.Capability)
	return policy.Call{Workflow: workflow, Agent: w.Agent, Tool: tool, Operation: operation}
}

func judge(g *resource.Graph, w effects.Way) policy.Answer {
	evaluate := policy.Evaluate
	if w.Asked() {
		evaluate = policy.EvaluateReconcile
	}
	var answer policy.Answer
	for i, name := range w.Through() {
		if one := evaluate(g, callIn(w, name)); i == 0 {
			answer = one
		} else {
			answer = policy.Stricter(answer, one)
		}
	}
	return answer
}

// context names what policy looks at: who calls, and under which workflows.
func (c Call) context() string {
	return c.Agent + " " + string(c.Authority) + " " + strings.Join(c.Through(), " ")
}

// Calls are contexts sorted by capability.
type Calls []Call

// Of are the contexts of one operation.
func (cs Calls) Of(capability string) Calls {
	from := sort.Search(len(cs), func(i int) bool { return cs[i].Capability >= capability })
	to := from
	for to < len(cs) && cs[to].Capability == capability {
		to++
	}
	return cs[from:to]
}

// By are the contexts of one authority.
func (cs Calls) By(a effects.Authority) Calls {
	var out Calls
	for _, c := range cs {
		if c.Authority == a {
			out = append(out, c)
		}
	}
	return out
}

// Lenient is the context that policy restricts the least; ok is false for none.
func (cs Calls) Lenient() (least Call, ok bool) {
	for i, c := range cs {
		if i == 0 || c.Verdict() < least.Verdict() {
			least = c
		}
	}
	return least, len(cs) > 0
}

// Has reports whether a context is among cs: the same caller under the same
// workflows.
func (cs Calls) Has(c Call) bool {
	return slices.ContainsFunc(cs, func(other Call) bool { return other.context() == c.context() })
}
