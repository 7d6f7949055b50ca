package chart

import (
	"slices"

	"terfyn/compiler/ir"
	"terfyn/compiler/resource"
)

// parallelWidth is how many elements of a parallel for run at one time
// (language.md section 5).
const parallelWidth = 8

// calls adds what a block of a workflow's program calls and asks. prefix stands
// before the sites of its nodes, loops are those around it.
func (b *builder) calls(workflow, prefix string, nodes []ir.Node, loops []Loop) {
	from := workflowID(workflow)
	for _, n := range nodes {
		at := prefix + n.Site()
		site := Site{Site: at, Loops: loops}
		switch n := n.(type) {
		case ir.Tool:
			b.edge(from, b.operation(resource.Capability(n.Tool, n.Operation)), Call, Static, site)
		case ir.Agent:
			b.edge(from, agentID(n.Agent), Call, Static, site)
		case ir.Workflow:
			b.edge(from, workflowID(n.Workflow), Call, Static, site)
		case ir.Approval:
			id := "approval/" + workflow + "/" + at
			b.node(Node{ID: id, Kind: Approval, Name: n.Site(), Detail: n.Description})
			b.edge(from, id, Ask, Static, site)
		}
		inner := loops
		if l, ok := loopOf(n); ok {
			inner = append(slices.Clone(loops), l)
		}
		for _, block := range ir.Blocks(n) {
			b.calls(workflow, block.Prefix(at), block.Nodes, inner)
		}
	}
}

func loopOf(n ir.Node) (Loop, bool) {
	switch n := n.(type) {
	case ir.For:
		if n.Parallel {
			return Loop{Kind: ParallelFor, Limit: parallelWidth}, true
		}
		return Loop{Kind: For}, true
	case ir.While:
		return Loop{Kind: While, Limit: n.Limit}, true
	case ir.Retry:
		return Loop{Kind: Retry, Limit: n.Limit}, true
	}
	return Loop{}, false
}
