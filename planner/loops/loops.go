// Package loops owns how often the body of a loop, and every call in it, can run
// in one run of its workflow. The numbers follow from the programs and the
// project's limit alone; the package leaves out what an agent does within one
// call, whose ceiling is its turns.
package loops

import (
	"encoding/json"
	"math/big"
	"slices"
	"strings"

	"terfyn/compiler/ir"
)

// Loop is one loop of a workflow.
type Loop struct {
	Workflow string `json:"workflow"`
	Site     string `json:"site"`            // static call site
	Kind     string `json:"kind"`            // for, parallel for, while, retry
	Limit    int64  `json:"limit,omitempty"` // rounds as written; a for has none
	// Bound is the most rounds each time the loop is entered: the limit under
	// maxLoopIterations, which is itself the bound of a for.
	Bound int64 `json:"bound"`
	// Total is the most rounds in one run of the workflow: Bound times the bounds
	// of the loops around it. It can be larger than any machine integer.
	Total json.Number `json:"total"`
}

// Call is one call inside of a loop. A nested workflow counts as one call; its own
// loops are listed under its own name and count for each call of it.
type Call struct {
	Workflow string      `json:"workflow"`
	Site     string      `json:"site"`
	Callee   string      `json:"callee"` // agent.X, tool.x.y, workflow.X or workflow.approval
	AtMost   json.Number `json:"atMost"` // in one run of the workflow
}

// Approval is the callee of an approval statement.
const Approval = "workflow.approval"

// Of lists the loops of programs, and the calls within them, each by workflow and
// then in source order. most is the project's maxLoopIterations.
func Of(programs []ir.Program, most int64) ([]Loop, []Call) {
	sorted := slices.Clone(programs)
	slices.SortStableFunc(sorted, func(a, b ir.Program) int { return strings.Compare(a.Workflow, b.Workflow) })
	s := scan{most: most, loops: []Loop{}, calls: []Call{}}
	for _, p := range sorted {
		s.workflow = p.Workflow
		s.nodes("", p.Body, nil)
	}
	return s.loops, s.calls
}

type scan struct {
	most     int64
	workflow string
	loops    []Loop
	calls    []Call
}

// nodes walks a block; times is the product of the bounds around it, nil outside
// of every loop.
func (s *scan) nodes(prefix string, nodes []ir.Node, times *big.Int) {
	for _, n := range nodes {
		site := prefix + n.Site()
		if c := callee(n); c != "" && times != nil {
			s.calls = append(s.calls, Call{s.workflow, site, c, number(times)})
		}
		inner := times
		if kind, limit := loopOf(n); kind != "" {
			bound := s.most
			if limit > 0 {
				bound = min(limit, bound)
			}
			inner = big.NewInt(bound)
			if times != nil {
				inner.Mul(inner, times)
			}
			s.loops = append(s.loops, Loop{s.workflow, site, kind, limit, bound, number(inner)})
		}
		for _, b := range ir.Blocks(n) {
			s.nodes(b.Prefix(site), b.Nodes, inner)
		}
	}
}

// loopOf gives the kind and written limit of a loop, "" for other nodes.
func loopOf(n ir.Node) (kind string, limit int64) {
	switch n := n.(type) {
	case ir.For:
		if n.Parallel {
			return "parallel for", 0
		}
		return "for", 0
	case ir.While:
		return "while", int64(n.Limit)
	case ir.Retry:
		return "retry", int64(n.Limit)
	default:
		return "", 0
	}
}

// callee names what a node calls, "" for nodes that call nothing.
func callee(n ir.Node) string {
	switch n := n.(type) {
	case ir.Agent:
		return "agent." + n.Agent
	case ir.Tool:
		return "tool." + n.Tool + "." + n.Operation
	case ir.Workflow:
		return "workflow." + n.Workflow
	case ir.Approval:
		return Approval
	default:
		return ""
	}
}

// number spells n exactly.
func number(n *big.Int) json.Number { return json.Number(n.String()) }

// Totals adds up, for each workflow, how often its loops may call each callee.
func Totals(calls []Call) map[Key]*big.Int {
	sums := map[Key]*big.Int{}
	for _, c := range calls {
		k := Key{c.Workflow, c.Callee}
		if sums[k] == nil {
			sums[k] = new(big.Int)
		}
		if n, ok := new(big.Int).SetString(string(c.AtMost), 10); ok {
			sums[k].Add(sums[k], n)
		}
	}
	return sums
}

// Key names a callee within a workflow.
type Key struct{ Workflow, Callee string }
