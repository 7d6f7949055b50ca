package verify

import "terfyn/compiler/ir"

// maxDepth is how deep nodes, values and conditions may be nested together; it is
// the depth of the language. A program that holds itself is deeper than anything.
const maxDepth = 200

// tooDeep reports whether something in nodes is nested too deeply. It stops at the
// first such place, so that a program that holds itself takes no time.
func tooDeep(nodes []ir.Node, depth int) bool {
	if depth > maxDepth {
		return true
	}
	for _, n := range nodes {
		if nodeTooDeep(n, depth+1) {
			return true
		}
		for _, b := range ir.Blocks(n) {
			if tooDeep(b.Nodes, depth+1) {
				return true
			}
		}
	}
	return false
}

func nodeTooDeep(n ir.Node, depth int) bool {
	switch n := n.(type) {
	case ir.Let:
		return exprTooDeep(n.Expr, depth)
	case ir.Agent:
		return argsTooDeep(n.Args, depth)
	case ir.Tool:
		return argsTooDeep(n.Args, depth)
	case ir.Workflow:
		return argsTooDeep(n.Args, depth)
	case ir.Approval:
		return argsTooDeep(n.With, depth)
	case ir.Return:
		return exprTooDeep(n.Expr, depth)
	case ir.If:
		return condTooDeep(n.Cond, depth)
	case ir.For:
		return exprTooDeep(n.In, depth)
	case ir.While:
		return condTooDeep(n.Cond, depth)
	case ir.Retry:
		return condTooDeep(n.Until, depth)
	default:
		return false
	}
}

func argsTooDeep(args []ir.Arg, depth int) bool {
	for _, a := range args {
		if exprTooDeep(a.Expr, depth) {
			return true
		}
	}
	return false
}

func exprTooDeep(e ir.Expr, depth int) bool {
	o, ok := e.(ir.Object)
	return depth > maxDepth || ok && argsTooDeep(o.Fields, depth+1)
}

func condTooDeep(c ir.Cond, depth int) bool {
	if depth > maxDepth {
		return true
	}
	var inner []ir.Cond
	switch c := c.(type) {
	case ir.Not:
		inner = []ir.Cond{c.Of}
	case ir.And:
		inner = c.Of
	case ir.Or:
		inner = c.Of
	case ir.Compare:
		inner = []ir.Cond{c.Left, c.Right}
	case ir.Test:
		return exprTooDeep(c.Expr, depth)
	}
	for _, i := range inner {
		if condTooDeep(i, depth+1) {
			return true
		}
	}
	return false
}
