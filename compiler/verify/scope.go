package verify

import (
	"terfyn/compiler/internal/scope"
	"terfyn/compiler/ir"
)

// assigned lists the names that nodes may rebind in the scope around them.
func assigned(nodes []ir.Node) []string {
	var out []string
	for _, n := range nodes {
		if name := bound(n); name != "" {
			out = append(out, name)
		}
		loop, isLoop := n.(ir.For)
		for _, b := range ir.Blocks(n) {
			switch inner := assigned(b.Nodes); {
			case isLoop && loop.Parallel:
			case isLoop:
				out = append(out, scope.Without(inner, loop.Var)...)
			default:
				out = append(out, inner...)
			}
		}
	}
	return out
}

// bound is the name a node binds, "" for none.
func bound(n ir.Node) string {
	switch n := n.(type) {
	case ir.Let:
		return n.Name
	case ir.Agent:
		return n.Bind
	case ir.Tool:
		return n.Bind
	case ir.Workflow:
		return n.Bind
	case ir.Approval:
		return n.Bind
	default:
		return ""
	}
}
