package chart

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"terfyn/internal/canon"
)

// NodeKind says what a node stands for.
type NodeKind string

// The kinds of nodes.
const (
	Workflow  NodeKind = "workflow"
	Agent     NodeKind = "agent"
	Operation NodeKind = "operation"
	Effect    NodeKind = "effect"
	Approval  NodeKind = "approval" // an approval statement
	// Unknown is the one node that operations without declared effects lead to.
	Unknown NodeKind = "unknown"
)

// EdgeKind says how one node leads to another.
type EdgeKind string

// The kinds of edges.
const (
	Call      EdgeKind = "call"      // a written call
	Grant     EdgeKind = "grant"     // an operation an agent may choose
	Delegate  EdgeKind = "delegate"  // an agent or workflow an agent may hand work to
	Reconcile EdgeKind = "reconcile" // asked by the engine when an outcome is unknown
	Ask       EdgeKind = "ask"       // an approval statement
	Causes    EdgeKind = "effect"
)

// The authorities of edges: who decides that one is taken.
const (
	Static     = "static"
	Autonomous = "autonomous"
)

// Node is one box of the picture.
type Node struct {
	ID   string   `json:"id"` // workflow/NAME, agent/NAME, tool.T.OP, effect/NAME, approval/WORKFLOW/SITE, unknown
	Kind NodeKind `json:"kind"`
	Name string   `json:"name"`
	Tool string   `json:"tool,omitempty"` // of an operation
	// Detail is the policy of a workflow, the model of an agent, the description of
	// an approval statement.
	Detail string `json:"detail,omitempty"`
	// Unknown says why the effects of an operation are not known.
	Unknown string `json:"unknown,omitempty"`
}

// Edge is one arrow. There is one for each pair of nodes and kind.
type Edge struct {
	From      string   `json:"from"`
	To        string   `json:"to"`
	Kind      EdgeKind `json:"kind"`
	Authority string   `json:"authority"`
	Sites     []Site   `json:"sites,omitempty"` // where a call is written, in source order
	Gates     []Gate   `json:"gates,omitempty"` // what stops the call, by workflow
	// Cycle: the edge is part of a way from a node back to itself.
	Cycle bool `json:"cycle,omitempty"`
}

// Site is one place a call is written at.
type Site struct {
	Site  string `json:"site"`            // static call site
	Loops []Loop `json:"loops,omitempty"` // the loops around it, outermost first
}

// LoopKind names a loop.
type LoopKind string

// The kinds of loops.
const (
	For         LoopKind = "for"
	ParallelFor LoopKind = "parallel_for"
	While       LoopKind = "while"
	Retry       LoopKind = "retry"
)

// Loop is one loop around a call.
type Loop struct {
	Kind LoopKind `json:"kind"`
	// Limit is the most rounds; for a parallel for the most at one time, for a for
	// over a collection 0, since its length and the project's maxLoopIterations
	// bound it.
	Limit int `json:"limit,omitempty"`
}

// Gate is what stops a call in the runs of one workflow.
type Gate struct {
	Workflow string `json:"workflow"` // "" for an agent no workflow reaches
	Verdict  string `json:"verdict"`  // require_approval or deny
	Rule     string `json:"rule"`
}

// Chart is a picture. Nodes are sorted by kind and name, edges by their ends.
type Chart struct {
	Root  string `json:"root,omitempty"` // id of the node it starts from, "" for everything
	Nodes []Node `json:"nodes"`
	Edges []Edge `json:"edges"`
}

// JSON is the chart as documents show it.
func (c Chart) JSON() canon.Value {
	raw, err := json.Marshal(c)
	if err != nil {
		panic(fmt.Sprintf("chart: plain fields cannot be encoded: %v", err))
	}
	v, err := canon.Parse(raw)
	if err != nil {
		panic(fmt.Sprintf("chart: encoded chart is not JSON: %v", err))
	}
	return v
}

// Node returns the node of that id.
func (c Chart) Node(id string) (Node, bool) {
	i := slices.IndexFunc(c.Nodes, func(n Node) bool { return n.ID == id })
	if i < 0 {
		return Node{}, false
	}
	return c.Nodes[i], true
}

// From lists the edges that leave a node.
func (c Chart) From(id string) []Edge {
	var out []Edge
	for _, e := range c.Edges {
		if e.From == id {
			out = append(out, e)
		}
	}
	return out
}

var kindOrder = []NodeKind{Workflow, Approval, Agent, Operation, Effect, Unknown}

func compareNodes(a, b Node) int {
	return cmp.Or(cmp.Compare(slices.Index(kindOrder, a.Kind), slices.Index(kindOrder, b.Kind)), cmp.Compare(a.ID, b.ID))
}

func compareEdges(a, b Edge) int {
	return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To), cmp.Compare(a.Kind, b.Kind))
}
